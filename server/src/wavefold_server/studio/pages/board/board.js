/** Draws a map on a canvas: pictures of patterns where cells are decided, a tint elsewhere; only what changed. */

import { Camera } from "./camera.js";
import { RowPainter } from "./row-painter.js";

export const UNDECIDED = 0xffff;
const LARGEST_BUFFER = 4096; // pixels across: what every browser can draw
const MANY = 8; // a row of which more than one in so many cells have changed is painted whole

/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {(context: CanvasRenderingContext2D, board: Board) => void} Overlay */

export class Board {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.camera = new Camera(1);
    /** @type {Overlay[]} drawn above the map, in this order */
    this.overlays = [];
    /** @type {Geometry|null} */
    this.geometry = null;
    /** @type {import("./atlas.js").Atlas|null} */
    this.atlas = null;
    this.patterns = new Uint16Array(0);
    this.tints = new Uint8ClampedArray(0); // [cell, rgb] of undecided cells
    /** Called for each changed cell before it is drawn, to set its pattern and tint: once a frame, however often it changed. */
    this.prepare = /** @type {((cell: number) => void)|null} */ (null);
    this._dirty = new Uint8Array(0);
    this._changed = /** @type {number[]} */ ([]);
    this._frame = 0;
    this._shrink = 1; // of the buffer, for maps that are too large for it
    this._rows = /** @type {RowPainter|undefined} */ (undefined); // made when it is needed
    this._ending = new AbortController();
    addEventListener("theme", () => this.draw(), { signal: this._ending.signal });
    this._resizing = new ResizeObserver(() => this._resize());
    this._resizing.observe(canvas);
    this._resize();
  }

  /** Show another map. @param {Geometry} geometry @param {import("./atlas.js").Atlas} atlas */
  open(geometry, atlas) {
    const isSameSize = this.geometry && this.geometry.box.width === geometry.box.width && this.geometry.box.height === geometry.box.height;
    this.geometry = geometry;
    this.atlas = atlas;
    this.patterns = new Uint16Array(geometry.count).fill(UNDECIDED);
    this.tints = new Uint8ClampedArray(3 * geometry.count).fill(128);
    this._dirty = new Uint8Array(geometry.count);
    this._changed = [];
    this._shrink = 0;
    if (!isSameSize) this.fit();
    this._resizeBuffer();
  }

  /** Have a buffer that is not much finer than the screen: what is drawn smaller takes less time. */
  _resizeBuffer() {
    const { width, height } = /** @type {Geometry} */ (this.geometry).box, most = LARGEST_BUFFER / Math.max(width, height, 1);
    const shrink = Math.min(1, most, 2 ** Math.ceil(Math.log2(this.camera.scale) - 0.01));
    if (shrink === this._shrink) return;
    this._shrink = shrink;
    this._buffer = new OffscreenCanvas(Math.max(1, Math.ceil(width * shrink)), Math.max(1, Math.ceil(height * shrink)));
    this._ink = /** @type {OffscreenCanvasRenderingContext2D} */ (this._buffer.getContext("2d"));
    this._ink.imageSmoothingEnabled = shrink < 1;
    this._rows = undefined;
    this.invalidateAll();
  }

  /** Set what a cell is. @param {number} cell @param {number} pattern or UNDECIDED */
  set(cell, pattern) {
    this.patterns[cell] = pattern;
    this.invalidate(cell);
  }

  /** Draw a cell again at the next frame. @param {number} cell */
  invalidate(cell) {
    if (this._dirty[cell]) return;
    this._dirty[cell] = 1;
    this._changed.push(cell);
    this.draw();
  }

  /** Draw every cell again. */
  invalidateAll() {
    for (let cell = 0; cell < this._dirty.length; cell++) this.invalidate(cell);
    this.draw();
  }

  /** Draw at the next frame, once however often this is called. */
  draw() {
    if (!this._frame) this._frame = requestAnimationFrame(() => this._paint());
  }

  /** Show the whole map. */
  fit() {
    if (this.geometry) this.camera.fit(this.geometry.box, this.canvas.width, this.canvas.height, 24 * devicePixelRatio);
    this._fitted = this._describeCamera();
    this.draw();
  }

  /** The map alone, without what is around it and above it. */
  get picture() { return this._buffer ?? this.canvas; }

  /** The cell at a point of the page; -1: none. @param {number} clientX @param {number} clientY */
  cellAt(clientX, clientY) {
    if (!this.geometry) return -1;
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = this.camera.toMap((clientX - box.left) * devicePixelRatio, (clientY - box.top) * devicePixelRatio);
    return this.geometry.cellAt(x, y);
  }

  /** Add the outline of a cell to the current path, in device pixels. @param {number} cell */
  trace(cell) {
    const geometry = /** @type {Geometry} */ (this.geometry), [left, top] = geometry.corner(cell);
    geometry.outline.forEach(([dx, dy], index) => {
      const [x, y] = this.camera.toScreen(left + dx, top + dy);
      if (index) this.context.lineTo(x, y);
      else this.context.moveTo(x, y);
    });
    this.context.closePath();
  }

  close() {
    this._ending.abort();
    this._resizing.disconnect();
    cancelAnimationFrame(this._frame);
  }

  _resize() {
    const width = Math.round(this.canvas.clientWidth * devicePixelRatio), height = Math.round(this.canvas.clientHeight * devicePixelRatio);
    if (width === this.canvas.width && height === this.canvas.height) return;
    const showsAll = this._fitted === this._describeCamera(); // nobody has moved it since
    this.canvas.width = width;
    this.canvas.height = height;
    this.camera.natural = Math.max(1, Math.round(devicePixelRatio));
    if (showsAll) this.fit();
    this._paint();
  }

  _describeCamera() {
    return [this.camera.x, this.camera.y, this.camera.scale].join();
  }

  _paint() {
    cancelAnimationFrame(this._frame);
    this._frame = 0;
    if (this.geometry) this._resizeBuffer();
    if (this._ink) this._paintCells(this._ink);
    cancelAnimationFrame(this._frame);
    this._frame = 0;
    const { context, canvas, camera } = this;
    context.fillStyle = getComputedStyle(canvas).getPropertyValue("--canvas") || "#e6e3db";
    context.fillRect(0, 0, canvas.width, canvas.height);
    if (this.geometry && this._buffer) {
      const box = this.geometry.box, [left, top] = camera.toScreen(box.x, box.y);
      context.imageSmoothingEnabled = camera.scale < 1;
      context.drawImage(this._buffer, left, top, Math.round(box.width * camera.scale), Math.round(box.height * camera.scale));
      for (const overlay of this.overlays) overlay(context, this);
    }
  }

  _paintCells(/** @type {OffscreenCanvasRenderingContext2D} */ ink) {
    const geometry = /** @type {Geometry} */ (this.geometry), changed = this._changed;
    for (const cell of changed) {
      this._dirty[cell] = 0;
      this.prepare?.(cell);
    }
    this._changed = [];
    ink.setTransform(this._shrink, 0, 0, this._shrink, -geometry.box.x * this._shrink, -geometry.box.y * this._shrink);
    const atlas = /** @type {import("./atlas.js").Atlas} */ (this.atlas), isSquare = geometry.outline.length === 4;
    for (const cell of this._paintRows(ink, changed)) {
      const [x, y] = geometry.corner(cell), pattern = this.patterns[cell], isDecided = pattern !== UNDECIDED;
      if (!isDecided || atlas.hasHoles(pattern, isSquare)) {
        ink.globalCompositeOperation = isDecided ? "destination-out" : "source-over"; // what was there does not shine through
        ink.fillStyle = `rgb(${this.tints[3 * cell]} ${this.tints[3 * cell + 1]} ${this.tints[3 * cell + 2]})`;
        this._fillCell(ink, x, y);
        ink.globalCompositeOperation = "source-over";
      }
      if (isDecided) atlas.draw(ink, pattern, x, y);
    }
  }

  _fillCell(/** @type {OffscreenCanvasRenderingContext2D} */ ink, /** @type {number} */ x, /** @type {number} */ y) {
    const { outline } = /** @type {Geometry} */ (this.geometry);
    if (outline.length === 4) return ink.fillRect(x, y, ...outline[2]);
    ink.beginPath();
    outline.forEach(([dx, dy], index) => (index ? ink.lineTo(x + dx, y + dy) : ink.moveTo(x + dx, y + dy)));
    ink.fill();
  }

  /**
   * Paint the rows in which many cells have changed.
   * @param {OffscreenCanvasRenderingContext2D} ink @param {number[]} changed @returns {number[]} cells that are left
   */
  _paintRows(ink, changed) {
    const { columns = Infinity, outline, count } = /** @type {Geometry} */ (this.geometry), { atlas } = this, [width] = outline[2];
    const size = width * this._shrink;
    if (changed.length * MANY < columns || !atlas || atlas.width !== width || atlas.height !== width || size % 1) return changed;
    const counts = new Uint16Array(count / columns), isRow = (/** @type {number} */ row) => counts[row] * MANY >= columns;
    for (const cell of changed) counts[Math.floor(cell / columns)]++;
    this._rows ??= new RowPainter(ink, atlas, columns, size);
    for (let row = 0; row < counts.length; row++) if (isRow(row)) this._rows.paint(row, this.patterns, this.tints);
    return changed.filter((cell) => !isRow(Math.floor(cell / columns)));
  }
}
