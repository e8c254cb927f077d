/** A cube map from above, cut at a layer: for browsers without WebGL, and installations without three.js. */

import { UNDECIDED } from "../../board/board.js";
import { BlockGrid } from "./grid.js";

const VEIL = 0.9; // how much darker the lowest layer is than the highest

export class BlockLayers extends BlockGrid {
  /** @param {HTMLCanvasElement} canvas @param {import("./models.js").Models} models */
  constructor(canvas, models) {
    super(canvas, models);
    const image = models.picturesFromAbove();
    this._pictures = new OffscreenCanvas(image.width, image.height);
    /** @type {OffscreenCanvasRenderingContext2D} */ (this._pictures.getContext("2d")).putImageData(image, 0, 0);
    this._cell = -1;
    this._asked = 0;
    this._resizing = new ResizeObserver(() => this.draw());
    this._resizing.observe(canvas);
  }

  /** @param {number[]} size */
  open(size) { super.open(size); this.draw(); }
  /** @param {number} cell @param {number} pattern */
  set(cell, pattern) { this.patterns[cell] = pattern; this.draw(); }
  /** @param {import("./grid.js").Cut} cut */
  setCut(cut) { this.cut = cut; this.draw(); }
  /** @param {number} cell */
  point(cell) { this._cell = cell; this.draw(); }
  fit() { this.draw(); }
  turn() {}
  showTheme() { this.draw(); }
  draw() { this._asked ||= requestAnimationFrame(() => this._paint()); }
  close() { cancelAnimationFrame(this._asked); this._asked = -1; this._resizing.disconnect(); }

  /** The view as a picture. */
  takePicture() {
    const { width, height } = this.canvas, whole = new OffscreenCanvas(width, height);
    whole.getContext("2d")?.drawImage(this.canvas, 0, 0);
    return whole;
  }

  /** The highest block at a point of the page. @param {number} clientX @param {number} clientY @returns {import("./grid.js").Hit|null} */
  hitAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect(), [left, top, scale] = this._placement();
    const x = Math.floor(((clientX - box.left) * devicePixelRatio - left) / scale), y = Math.floor(((clientY - box.top) * devicePixelRatio - top) / scale);
    for (let z = this.cut.top - 1; z >= this.cut.bottom; z--) {
      const cell = this.cellAt([x, y, z]);
      if (cell >= 0 && this.isShown(cell)) return { cell, side: 4 };
    }
    return null;
  }

  /** Left, top, and device pixels for a cell. */
  _placement() {
    const [width, height] = this.size, margin = 24 * devicePixelRatio, { canvas } = this;
    const scale = Math.max(1, Math.floor(Math.min((canvas.width - 2 * margin) / width, (canvas.height - 2 * margin) / height)));
    return [Math.round((canvas.width - width * scale) / 2), Math.round((canvas.height - height * scale) / 2), scale];
  }

  _paint() {
    this._asked = 0;
    const { canvas, cut, models } = this, ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), [across, down] = models.size;
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    const [left, top, scale] = this._placement(), style = getComputedStyle(canvas), [width, height] = this.size;
    ink.imageSmoothingEnabled = false;
    ink.fillStyle = style.getPropertyValue("--sunken");
    ink.fillRect(left, top, width * scale, height * scale);
    const area = width * height, layers = [];
    for (let z = cut.bottom; z < cut.top; z++) for (let cell = z * area; cell < (z + 1) * area; cell++) if (this.isShown(cell)) { layers.push(z); break; }
    for (const z of layers) {
      ink.fillStyle = `rgb(20 24 40 / ${VEIL / layers.length})`;
      if (z > layers[0]) ink.fillRect(left, top, width * scale, height * scale);
      for (let cell = z * area; cell < (z + 1) * area; cell++) {
        const [x, y] = this.coordinates(cell), pattern = this.patterns[cell];
        if (pattern !== UNDECIDED && this.isShown(cell)) ink.drawImage(this._pictures, pattern * across, 0, across, down, left + x * scale, top + y * scale, scale, scale);
      }
    }
    canvas.dataset.blocks = "layers";
    if (this._cell < 0) return;
    const [x, y] = this.coordinates(this._cell);
    ink.strokeStyle = style.getPropertyValue("--accent");
    ink.lineWidth = 3 * devicePixelRatio;
    ink.strokeRect(left + x * scale, top + y * scale, scale, scale);
  }
}
