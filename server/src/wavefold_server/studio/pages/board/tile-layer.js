/** An endless plane of map tiles on a canvas, with a veil and overlays above; never blank while zooming. */

import { Camera } from "./camera.js";

const SMALLEST = -8, LARGEST = 6, SETTLE = 45; // zooms; milliseconds in which a zoom is mostly there
const MOST = 64; // tiles in view that are made, at most: farther out, tiles show what is known of the land
const PATIENCE = 250; // milliseconds, after which tiles to come are marked

/** @typedef {import("./tile-store.js").TileStore} TileStore */

export class TileLayer {
  /** Units of the plane are cells. @param {HTMLCanvasElement} canvas @param {TileStore} tiles */
  constructor(canvas, tiles) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.camera = new Camera(devicePixelRatio, 4 / 2 ** 8, 128);
    this.tiles = tiles;
    /** @type {TileStore|null} shown through by half */
    this._veil = null;
    /** @type {((ink: CanvasRenderingContext2D, layer: TileLayer) => void)[]} */
    this.overlays = [];
    /** @type {{scale: number, x: number, y: number, when: number}|null} where a zoom is heading, at a device pixel */
    this._target = null;
    this._made = -1; // the least zoom at which the service makes what a tile shows
    this._isEven = false;
    /** Tiles in view: how many are there, and since when some are not. */
    this.progress = { shown: 0, total: 0, since: 0 };
    this.onlimit = () => {}; // somebody wants to look from farther away than there is anything to see
    this._frame = 0;
    this._isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this._draw = () => this.draw();
    tiles.addEventListener("change", this._draw);
    addEventListener("theme", this._draw);
    this._observer = new ResizeObserver(() => this._resize());
    this._observer.observe(canvas);
    this._resize();
  }

  set veil(/** @type {TileStore|null} */ store) {
    this._veil?.close();
    this._veil = store;
    store?.addEventListener("change", this._draw);
    this.draw();
  }

  get veil() { return this._veil; }

  /** The zoom whose tiles are at least as fine as the screen; as long as they are not too many, one that is made. */
  get zoom() {
    const { scale } = this.camera, wanted = Math.ceil(Math.log2(scale / 4) - 0.01);
    return Math.min(LARGEST, Math.max(scale < this.farthest * 0.99 ? SMALLEST : this._made, wanted));
  }

  /** The least scale at which all tiles in view are made, in device pixels. */
  get farthest() {
    const { width, height } = this.canvas, cells = 64 / 2 ** this._made;
    return devicePixelRatio * 2 ** Math.ceil(Math.log2(Math.sqrt((width * height) / MOST) / cells / devicePixelRatio || 1));
  }

  /** How far away one can look. @param {boolean} isHex @param {boolean} isEven whether all of it looks the same from afar */
  setReach(isHex, isEven) {
    this._made = isHex ? 0 : -1;
    this._isEven = isEven;
    this._limit();
  }

  /** What is visible, in cells. @returns {[number, number, number, number]} left, top, right, bottom */
  get bounds() {
    return [this.camera.x, this.camera.y, ...this.camera.toMap(this.canvas.width, this.canvas.height)];
  }

  /**
   * Tiles in a box of cells, or all, are fetched again.
   * @param {number[]|null} box [x0, y0, width, height] @param {boolean} isHex
   */
  invalidate(box = null, isHex = false) {
    const margin = 10;
    this.tiles.invalidate((z, x, y) => {
      if (!box) return true;
      const cells = 64 / 2 ** z, down = isHex ? 8 / 7 : 1, top = y * cells * down, left = x * cells, slant = isHex ? top / 2 : 0;
      return left - slant - (isHex ? cells * down / 2 : 0) < box[0] + box[2] + margin && left + cells - slant > box[0] - margin
        && top < box[1] + box[3] + margin && top + cells * down > box[1] - margin;
    });
  }

  /** Put a point of the plane into the middle. @param {number} x @param {number} y */
  lookAt(x, y, wanted = this.camera.scale) {
    const { natural, smallest, largest } = this.camera, scale = Math.min(Math.max(wanted, natural * smallest), natural * largest);
    this._target = null;
    this.camera.scale = scale;
    this.camera.x = x - this.canvas.width / 2 / scale;
    this.camera.y = y - this.canvas.height / 2 / scale;
    this.draw();
  }

  /** Zoom smoothly, at a device pixel; steps of the wheel end where pixels are crisp. */
  zoomBy(/** @type {number} */ factor, x = this.canvas.width / 2, y = this.canvas.height / 2, isStep = true) {
    let scale = (this._target?.scale ?? this.camera.scale) * factor;
    if (isStep) scale = devicePixelRatio * 2 ** Math.round(Math.log2(scale / devicePixelRatio));
    const { natural, smallest, largest } = this.camera;
    if (factor < 1 && scale < natural * smallest * 0.9) this.onlimit();
    scale = Math.min(Math.max(scale, natural * smallest), natural * largest);
    if (isStep && !this._isStill) this._target = { scale, x, y, when: performance.now() };
    else { this._target = null; this.camera.zoomTo(scale, x, y); }
    this.draw();
  }

  draw() {
    if (!this._frame) this._frame = requestAnimationFrame(() => this._paint());
  }

  close() {
    this._observer.disconnect();
    removeEventListener("theme", this._draw);
    cancelAnimationFrame(this._frame);
    this.tiles.close();
    this._veil?.close();
  }

  _resize() {
    const { canvas, camera } = this, middle = camera.toMap(canvas.width / 2, canvas.height / 2);
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    this._limit();
    this.lookAt(...middle);
  }

  _limit() {
    this.camera.smallest = this._isEven ? this.farthest / this.camera.natural : 4 / 2 ** 8;
    if (this.camera.scale < this.camera.natural * this.camera.smallest) this.zoomBy(1);
  }

  /** One step of a zoom that is under way. */
  _approach() {
    const target = this._target, now = performance.now();
    if (!target) return;
    const near = 1 - Math.exp(-(now - target.when) / SETTLE), ratio = target.scale / this.camera.scale;
    target.when = now;
    const isThere = Math.abs(Math.log(ratio)) < 0.01;
    this.camera.zoomTo(isThere ? target.scale : this.camera.scale * ratio ** near, target.x, target.y);
    if (isThere) this._target = null;
  }

  _paint() {
    const { context, canvas } = this;
    this._frame = 0;
    this._approach();
    const z = this.zoom, visible = this._listVisible(z);
    context.fillStyle = getComputedStyle(canvas).getPropertyValue("--canvas");
    context.fillRect(0, 0, canvas.width, canvas.height);
    this._putTiles(this.tiles, z, visible);
    this._markMissing(z, visible);
    if (this._veil) {
      context.globalAlpha = 0.55;
      this._putTiles(this._veil, z, visible);
      context.globalAlpha = 1;
    }
    for (const overlay of this.overlays) overlay(context, this);
    const coarse = Math.max(SMALLEST, z - 2), isQuick = coarse < this._made; // nothing is made for these: they come first
    this.tiles.load([...(isQuick ? this._listVisible(coarse) : []), ...visible, ...this._listVisible(coarse, 0.5)]);
    this._veil?.load(visible);
    if (this._target) this.draw();
  }

  /** Tiles of a zoom in view, those in the middle first. @param {number} z @param {number} margin around it, in its sizes */
  _listVisible(z, margin = 0) {
    const cells = 64 / 2 ** z, [x0, y0, x1, y1] = this.bounds, found = [];
    const [across, down] = [margin * (x1 - x0), margin * (y1 - y0)];
    const left = x0 - across, right = x1 + across, top = y0 - down, bottom = y1 + down;
    const middleX = (left + right) / 2 / cells - 0.5, middleY = (top + bottom) / 2 / cells - 0.5;
    for (let y = Math.floor(top / cells); y * cells < bottom; y++)
      for (let x = Math.floor(left / cells); x * cells < right; x++) {
        found.push({ key: `${z}/${x}/${y}`, z, x, y, far: Math.hypot(x - middleX, y - middleY) });
      }
    return found.sort((one, other) => one.far - other.far);
  }

  /** Quiet frames where tiles are still to come, unless that takes but a moment. */
  _markMissing(/** @type {number} */ z, /** @type {{x: number, y: number}[]} */ visible) {
    const { context, progress } = this, now = performance.now();
    const missing = visible.filter(({ x, y }) => !this.tiles.find(z, x, y));
    const shown = visible.filter(({ x, y }) => this.tiles.find(z, x, y)?.isStale === false).length, total = visible.length;
    Object.assign(progress, { shown, total, since: shown < total ? progress.since || now : 0 });
    if (!missing.length) return;
    if (now - progress.since < PATIENCE) return setTimeout(this._draw, PATIENCE);
    const gap = devicePixelRatio;
    const colours = getComputedStyle(this.canvas);
    context.fillStyle = `color-mix(in srgb, ${colours.getPropertyValue("--canvas")} 45%, transparent)`;
    context.beginPath();
    for (const { x, y } of missing) {
      const [left, top, right, bottom] = this._place(z, x, y);
      context.roundRect(left + gap, top + gap, right - left - 2 * gap, bottom - top - 2 * gap, 3 * gap);
    }
    context.fill();
    context.lineWidth = gap;
    context.strokeStyle = "rgb(128 136 144 / .3)"; // also where nothing is below
    context.stroke();
  }

  /** Where a tile lies on the canvas. @returns {[number, number, number, number]} left, top, right, bottom */
  _place(/** @type {number} */ z, /** @type {number} */ x, /** @type {number} */ y) {
    const cells = 64 / 2 ** z;
    return [...this.camera.toScreen(x * cells, y * cells), ...this.camera.toScreen((x + 1) * cells, (y + 1) * cells)];
  }

  _putTiles(/** @type {TileStore} */ store, /** @type {number} */ z, /** @type {{x: number, y: number}[]} */ visible) {
    for (const { x, y } of visible) {
      const kept = store.find(z, x, y);
      if (kept) this._put(kept.image, z, x, y);
      else this._putSubstitute(store, z, x, y);
    }
  }

  /** A picture, or the `up`th part of a coarser one that lies here. @param {ImageBitmap} image */
  _put(image, /** @type {number} */ z, /** @type {number} */ x, /** @type {number} */ y, up = 0) {
    const part = image.width / 2 ** up, [left, top, right, bottom] = this._place(z, x, y);
    const within = (/** @type {number} */ at) => (at - Math.floor(at / 2 ** up) * 2 ** up) * part;
    this.context.imageSmoothingEnabled = right - left < part || image.width < 256;
    this.context.imageSmoothingQuality = right - left < part / 2 ? "medium" : "low"; // many pixels become one
    this.context.drawImage(image, within(x), within(y), part, part, left, top, right - left, bottom - top);
  }

  /** Part of a coarser tile, or finer tiles, until the right one is there. */
  _putSubstitute(/** @type {TileStore} */ store, /** @type {number} */ z, /** @type {number} */ x, /** @type {number} */ y) {
    for (let up = 1; up <= 5 && z - up >= SMALLEST; up++) {
      const kept = store.find(z - up, Math.floor(x / 2 ** up), Math.floor(y / 2 ** up));
      if (kept) return this._put(kept.image, z, x, y, up);
    }
    for (const [dx, dy] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
      const kept = store.find(z + 1, 2 * x + dx, 2 * y + dy);
      if (kept) this._put(kept.image, z + 1, 2 * x + dx, 2 * y + dy);
    }
  }
}
