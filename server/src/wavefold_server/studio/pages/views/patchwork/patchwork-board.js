/** Draws a patchwork on an endless board: pieces, placeholders of those that could be next, and marks. */

import { Camera } from "../../board/camera.js";
import { planeMiddle, planeOutline } from "../../board/plane.js";
import { EMPTY } from "./mirror.js";
import { pair } from "./plan.js";

/** @typedef {import("./plan.js").Pair} Pair */

const WIDEST = 1024; // pixels of a piece that is drawn once
const ARRIVAL = 360, FLASH = 1200; // milliseconds
const ROW = 7 / 8; // of hexagons, in widths

export class PatchworkBoard {
  /**
   * @param {HTMLCanvasElement} canvas @param {import("./plan.js").Plan} plan
   * @param {import("../../board/atlas.js").Atlas} atlas
   */
  constructor(canvas, plan, atlas) {
    this.canvas = canvas;
    this.plan = plan;
    this.atlas = atlas;
    this.ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.camera = new Camera(atlas.width, 1 / 64, 16); // units of the plane are widths of a cell
    this.look = EMPTY;
    this.shows = { outlines: true, placeholders: true, changed: false, dropped: true };
    this.growing = /** @type {Set<string>} */ (new Set());
    this.drawCursor = () => {};
    this.fitted = ""; // how the camera was when everything was shown
    this._times = /** @type {Map<string, number>} when pieces arrived, and cells changed */ (new Map());
    this._pictures = /** @type {WeakMap<Uint16Array, OffscreenCanvas>} */ (new WeakMap());
    this._frame = 0;
    this._observer = new ResizeObserver(() => this._resize());
    this._observer.observe(canvas);
    this._resize();
  }

  /** Show a patchwork; what is new arrives, what has changed flashes. @param {import("./mirror.js").Look} look */
  show(look) {
    const now = performance.now(), before = this.look;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      for (const key of look.pieces.keys()) if (!before.pieces.has(key)) this._times.set(key, now);
      if (before.pieces.size) for (const cell of look.changed) if (!before.changed.has(cell)) this._times.set(`at ${cell}`, now);
    }
    this.look = look;
    this.draw();
  }

  /** The middle of a piece on the plane, then its corners. @param {Pair} key @returns {Pair[]} */
  shape(key) {
    const { plan, plan: { topology, radius, corners } } = this, [cx, cy] = plan.centre(key);
    const middle = planeMiddle(topology, cx, cy), grown = (radius + 0.5) / radius;
    return [middle, ...corners.map(([dx, dy]) => {
      const [x, y] = planeMiddle(topology, cx + dx, cy + dy);
      return /** @type {Pair} */ ([middle[0] + (x - middle[0]) * grown, middle[1] + (y - middle[1]) * grown]);
    })];
  }

  /** Show all pieces, and placeholders if they are shown. */
  fit(margin = this.shows.placeholders ? 32 : 4) {
    const { camera, canvas, look, shows } = this;
    const keys = [...[...look.pieces.keys()].map(pair), ...(shows.placeholders ? look.next : [])];
    const [across, down] = [0, 1].map((axis) => keys.flatMap((key) => this.shape(key).map((point) => point[axis])));
    const x = Math.min(...across), y = Math.min(...down);
    const box = { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
    camera.fit(box, canvas.width, canvas.height, margin * devicePixelRatio);
    this.fitted = this._describeCamera();
    this.draw();
  }

  /** Show everything again, unless somebody has looked elsewhere. */
  stayFitted() {
    if (this.fitted === this._describeCamera()) this.fit();
  }

  /** Add points of the plane to a new path. @param {Iterable<Pair[]>} outlines */
  trace(outlines) {
    this.ink.beginPath();
    for (const points of outlines) {
      points.forEach(([x, y], index) => this.ink[index ? "lineTo" : "moveTo"](...this.camera.toScreen(x, y)));
      this.ink.closePath();
    }
  }

  /** Fill cells. @param {Pair[]} cells @param {string} style */
  tint(cells, style) {
    this.trace(cells.map(([x, y]) => planeOutline(this.plan.topology, x, y)));
    this.ink.fillStyle = style;
    this.ink.fill();
  }

  draw() {
    if (!this._frame) this._frame = requestAnimationFrame(() => this._paint());
  }

  close() {
    this._observer.disconnect();
    cancelAnimationFrame(this._frame);
  }

  _resize() {
    this.canvas.width = Math.round(this.canvas.clientWidth * devicePixelRatio);
    this.canvas.height = Math.round(this.canvas.clientHeight * devicePixelRatio);
    this.stayFitted();
    this.draw();
  }

  _describeCamera() {
    return [this.camera.x, this.camera.y, this.camera.scale].join();
  }

  _paint() {
    this._frame = 0;
    const { ink, canvas, look, shows } = this, style = getComputedStyle(canvas);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name);
    ink.fillStyle = colour("--canvas");
    ink.fillRect(0, 0, canvas.width, canvas.height);
    if (shows.placeholders) for (const key of look.next) this._drawPlaceholder(key, colour("--quiet"), colour("--panel"));
    for (const [key, patterns] of look.pieces) this._drawPiece(key, patterns);
    if (shows.outlines) {
      this.trace([...look.pieces.keys()].map((key) => this.shape(pair(key)).slice(1)));
      ink.lineWidth = devicePixelRatio;
      ink.strokeStyle = "rgb(255 255 255 / .5)";
      ink.stroke();
    }
    this._drawMarks(colour("--accent"));
    this.drawCursor();
  }

  _drawPlaceholder(/** @type {Pair} */ key, /** @type {string} */ line, /** @type {string} */ ground) {
    const { ink } = this, [middle, ...corners] = this.shape(key), unit = devicePixelRatio, arm = 8 * unit;
    const [x, y] = this.camera.toScreen(...middle);
    this.trace([corners]);
    ink.fillStyle = ground;
    ink.strokeStyle = line;
    ink.lineWidth = 1.5 * unit;
    ink.globalAlpha = 0.5;
    ink.setLineDash([5 * unit, 5 * unit]);
    ink.fill();
    ink.stroke();
    ink.setLineDash([]);
    ink.globalAlpha = 1;
    ink.beginPath();
    if (this.growing.has(String(key))) ink.arc(x, y, arm, 0, 5);
    else { ink.moveTo(x - arm, y); ink.lineTo(x + arm, y); ink.moveTo(x, y - arm); ink.lineTo(x, y + arm); }
    ink.stroke();
  }

  _drawPiece(/** @type {string} */ key, /** @type {Uint16Array} */ patterns) {
    const { ink, camera, canvas, plan: { radius, isHex }, atlas } = this, [[x, y]] = this.shape(pair(key));
    const wide = radius + 0.5, tall = isHex ? (radius + 2 / 3) * ROW : wide;
    const [left, top] = camera.toScreen(x - wide, y - tall), [right, bottom] = camera.toScreen(x + wide, y + tall);
    if (right < 0 || bottom < 0 || left > canvas.width || top > canvas.height) return;
    const shrink = Math.min(1, WIDEST / (atlas.width * 2 * wide));
    const picture = this._pictures.get(patterns) ?? this._drawOnce(patterns, shrink);
    const age = this._age(key, ARRIVAL), gone = (1 - age) * 0.06, width = right - left, height = bottom - top;
    ink.globalAlpha = age;
    ink.imageSmoothingEnabled = camera.scale < atlas.width * shrink;
    ink.drawImage(picture, left + width * gone, top + height * gone, width * (1 - 2 * gone), height * (1 - 2 * gone));
    ink.globalAlpha = 1;
  }

  /** A piece in a picture of its own. @param {Uint16Array} patterns @param {number} shrink */
  _drawOnce(patterns, shrink) {
    const { plan: { radius, isHex, offsets }, atlas, atlas: { width, height } } = this;
    const step = isHex ? Math.round((width * Math.sqrt(3)) / 2) : height, down = 2 * radius * step + height;
    const picture = new OffscreenCanvas(Math.ceil(width * (2 * radius + 1) * shrink), Math.ceil(down * shrink));
    const ink = /** @type {OffscreenCanvasRenderingContext2D} */ (picture.getContext("2d"));
    ink.scale(shrink, shrink);
    offsets.forEach(([x, y], index) => {
      atlas.draw(ink, patterns[index], Math.floor(width * (x + radius + (isHex ? y / 2 : 0))), step * (y + radius));
    });
    this._pictures.set(patterns, picture);
    return picture;
  }

  /** Dots on cells that a join has changed, rings around those that may not fit: they differ also without colour. */
  _drawMarks(/** @type {string} */ accent) {
    const { ink, camera, look, shows, plan } = this, size = Math.max(camera.scale, 5 * devicePixelRatio);
    /** @param {string} cell @param {number} share of its width @param {string} colour @param {number} line width; 0: filled */
    const circle = (cell, share, colour, line) => {
      ink.beginPath();
      ink.arc(...camera.toScreen(...planeMiddle(plan.topology, ...pair(cell))), size * share, 0, 7);
      [ink.fillStyle, ink.strokeStyle, ink.lineWidth] = [colour, line ? colour : "rgb(40 30 0 / .8)", line || devicePixelRatio];
      if (!line) ink.fill();
      if (line || size > 12) ink.stroke();
    };
    for (const cell of look.changed) {
      ink.globalAlpha = 1 - this._age(`at ${cell}`, FLASH);
      if (ink.globalAlpha) this.tint([pair(cell)], accent);
      ink.globalAlpha = 1;
      if (shows.changed && !look.dropped.has(cell)) circle(cell, 0.17, "#ffcd28", 0);
    }
    if (shows.dropped) for (const cell of look.dropped) circle(cell, 0.4, "#e5383b", Math.max(2 * devicePixelRatio, size / 9));
  }

  /** 0 when something has just arrived, 1 once it is there; draws again until then. @param {string} name @param {number} lasts */
  _age(name, lasts) {
    const share = (performance.now() - (this._times.get(name) ?? -lasts)) / lasts;
    if (share < 1) this.draw();
    else this._times.delete(name);
    return share < 1 ? 1 - (1 - share) ** 3 : 1;
  }
}
