/** An endless plane of map tiles on a canvas: nearest first, cancelled when out of view, never blank while zooming. */

import { Camera } from "./camera.js";

const TILE = 256, SMALLEST = -8, LARGEST = 6, AT_ONCE = 6, MOST_KEPT = 600; // tiles

/** @typedef {{image: ImageBitmap|null, used: number, revision: number, isStale: boolean, kind: string}} Kept */

export class TileLayer extends EventTarget {
  /** Units of the plane are cells. @param {HTMLCanvasElement} canvas @param {(z: number, x: number, y: number) => string} address */
  constructor(canvas, address) {
    super();
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.address = address;
    this.camera = new Camera(devicePixelRatio, 4 / 2 ** 8, 128);
    this.camera.scale = 4 * devicePixelRatio;
    /** @type {((ink: CanvasRenderingContext2D, layer: TileLayer) => void)[]} */
    this.overlays = [];
    /** @type {Map<string, Kept>} */
    this._kept = new Map();
    /** @type {Map<string, AbortController>} */
    this._loading = new Map();
    this._frame = 0;
    this._clock = 0;
    this._observer = new ResizeObserver(() => this._resize());
    this._observer.observe(canvas);
    this._resize();
  }

  /** The zoom whose tiles are at least as fine as the screen. */
  get zoom() {
    const wanted = Math.ceil(Math.log2(this.camera.scale / 4) - 0.01);
    return Math.min(LARGEST, Math.max(SMALLEST, wanted));
  }

  /** Tiles in a box of cells, or all, are fetched again; the old ones are shown meanwhile. @param {number[]|null} box [x0, y0, width, height] */
  invalidate(box = null) {
    for (const [key, kept] of this._kept) {
      const [z, x, y] = key.split("/").map(Number), cells = 64 / 2 ** z, margin = 12;
      const touches = !box || (x * cells < box[0] + box[2] + margin && (x + 1) * cells > box[0] - margin && y * cells * 8 / 7 < box[1] + box[3] + margin * 2 && (y + 1) * cells * 8 / 7 > box[1] - margin);
      if (touches) kept.isStale = true;
    }
    this.draw();
  }

  /** Forget everything: another world. */
  clear() {
    for (const each of this._loading.values()) each.abort();
    this._loading.clear();
    this._kept.clear();
    this.draw();
  }

  draw() {
    if (!this._frame) this._frame = requestAnimationFrame(() => this._paint());
  }

  close() {
    this._observer.disconnect();
    cancelAnimationFrame(this._frame);
    for (const each of this._loading.values()) each.abort();
  }

  _resize() {
    this.canvas.width = Math.round(this.canvas.clientWidth * devicePixelRatio);
    this.canvas.height = Math.round(this.canvas.clientHeight * devicePixelRatio);
    this.draw();
  }

  _paint() {
    const started = performance.now(), { context, canvas, camera } = this, z = this.zoom;
    this._frame = 0;
    this._clock++;
    context.fillStyle = getComputedStyle(canvas).getPropertyValue("--canvas");
    context.fillRect(0, 0, canvas.width, canvas.height);
    const missing = [];
    for (const [x, y, distance] of this._visible(z)) {
      const key = `${z}/${x}/${y}`, kept = this._kept.get(key);
      if (kept) kept.used = this._clock;
      if (kept?.image) this._put(kept.image, z, x, y);
      else this._putSubstitute(z, x, y);
      if (!kept || kept.isStale) missing.push({ key, z, x, y, distance });
    }
    for (const overlay of this.overlays) overlay(context, this);
    this._request(missing.sort((one, other) => one.distance - other.distance));
    this.dispatchEvent(new CustomEvent("frame", { detail: performance.now() - started }));
  }

  /** Tiles of a zoom in view, with their distance from the middle. @param {number} z @returns {[number, number, number][]} */
  _visible(z) {
    const cells = 64 / 2 ** z, { camera, canvas } = this, [right, bottom] = camera.toMap(canvas.width, canvas.height), found = /** @type {any[]} */ ([]);
    const middleX = (camera.x + right) / 2 / cells - 0.5, middleY = (camera.y + bottom) / 2 / cells - 0.5;
    for (let y = Math.floor(camera.y / cells); y * cells < bottom; y++)
      for (let x = Math.floor(camera.x / cells); x * cells < right; x++) found.push([x, y, Math.hypot(x - middleX, y - middleY)]);
    return found;
  }

  _put(/** @type {ImageBitmap} */ image, /** @type {number} */ z, /** @type {number} */ x, /** @type {number} */ y) {
    const cells = 64 / 2 ** z, [left, top] = this.camera.toScreen(x * cells, y * cells), [right, bottom] = this.camera.toScreen((x + 1) * cells, (y + 1) * cells);
    this.context.imageSmoothingEnabled = right - left < TILE;
    this.context.drawImage(image, left, top, right - left, bottom - top);
  }

  /** Part of a coarser tile, or finer tiles, until the right one is there. */
  _putSubstitute(/** @type {number} */ z, /** @type {number} */ x, /** @type {number} */ y) {
    for (let up = 1; up <= 4 && z - up >= SMALLEST; up++) {
      const kept = this._kept.get(`${z - up}/${x >> up}/${y >> up}`);
      if (!kept?.image || kept.kind !== "exact") continue;
      const part = TILE >> up, cells = 64 / 2 ** z, [left, top] = this.camera.toScreen(x * cells, y * cells), [right, bottom] = this.camera.toScreen((x + 1) * cells, (y + 1) * cells);
      this.context.imageSmoothingEnabled = false;
      this.context.drawImage(kept.image, (x & (2 ** up - 1)) * part, (y & (2 ** up - 1)) * part, part, part, left, top, right - left, bottom - top);
      return;
    }
    for (let dy = 0; dy < 2; dy++)
      for (let dx = 0; dx < 2; dx++) {
        const kept = this._kept.get(`${z + 1}/${2 * x + dx}/${2 * y + dy}`);
        if (kept?.image) this._put(kept.image, z + 1, 2 * x + dx, 2 * y + dy);
      }
  }

  _request(/** @type {{key: string, z: number, x: number, y: number}[]} */ missing) {
    const wanted = new Set(missing.map(({ key }) => key));
    for (const [key, loading] of this._loading) if (!wanted.has(key)) { loading.abort(); this._loading.delete(key); }
    for (const each of missing) {
      if (this._loading.size >= AT_ONCE) break;
      if (!this._loading.has(each.key)) this._load(each);
    }
    if (this._kept.size > MOST_KEPT) this._drop();
  }

  async _load(/** @type {{key: string, z: number, x: number, y: number}} */ { key, z, x, y }) {
    const loading = new AbortController(), started = performance.now();
    this._loading.set(key, loading);
    try {
      const answer = await fetch(this.address(z, x, y), { signal: loading.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const image = await createImageBitmap(await answer.blob());
      const kind = answer.headers.get("x-wavefold-tile") ?? "exact";
      this._kept.get(key)?.image?.close();
      this._kept.set(key, { image, used: this._clock, revision: 0, isStale: false, kind });
      this.dispatchEvent(new CustomEvent("tile", { detail: { milliseconds: performance.now() - started, kind } }));
    } catch (error) {
      if (/** @type {any} */ (error).name === "AbortError") return;
      setTimeout(() => this.draw(), 1000); // the server is busy or gone: ask again
      await new Promise((resolve) => setTimeout(resolve, 900));
    } finally {
      if (this._loading.get(key) === loading) this._loading.delete(key);
      this.draw();
    }
  }

  /** Forget tiles that were not seen for longest. */
  _drop() {
    const oldest = [...this._kept].sort(([, one], [, other]) => one.used - other.used).slice(0, this._kept.size - MOST_KEPT + 50);
    for (const [key, kept] of oldest) { kept.image?.close(); this._kept.delete(key); }
  }
}
