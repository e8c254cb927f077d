/** Drawing on cells: outlines, ghosts of tiles, hatching, padlocks and crosses. */

/** @typedef {import("../../board/wave.js").Wave} Wave */

const SMALLEST_TEXT = 20; // device pixels of a cell in which a number can be read

export class Pen {
  /** @param {import("../../board/board.js").Board} board @param {CanvasRenderingContext2D} ink */
  constructor(board, ink) {
    this.board = board;
    this.ink = ink;
    this.geometry = /** @type {import("../../board/geometry.js").Geometry} */ (board.geometry);
  }

  /** @param {number} cell @param {string} colour @param {number} width @param {number[]} dashes */
  outline(cell, colour, width, dashes = []) {
    const { ink } = this;
    ink.strokeStyle = colour;
    ink.lineWidth = width * devicePixelRatio;
    ink.setLineDash(dashes.map((each) => each * devicePixelRatio));
    ink.beginPath();
    this.board.trace(cell);
    ink.stroke();
    ink.setLineDash([]);
  }

  /** An outline that can be seen on any map. */
  frame(/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number[]} */ dashes = []) {
    this.outline(cell, "rgb(255 255 255 / .8)", 3.5);
    this.outline(cell, colour, 2, dashes);
  }

  fill(/** @type {Iterable<number>} */ cells, /** @type {string|CanvasPattern} */ style) {
    this.ink.beginPath();
    for (const cell of cells) this.board.trace(cell);
    this.ink.fillStyle = style;
    this.ink.fill();
  }

  /** A cell's picture on the screen: left, top, width, height. */
  box(/** @type {number} */ cell) {
    const [x, y] = this.geometry.corner(cell), { camera, atlas } = this.board, { width = 1, height = 1 } = atlas ?? {};
    return [...camera.toScreen(x, y), width * camera.scale, height * camera.scale];
  }

  ghost(/** @type {number} */ cell, /** @type {number|undefined} */ pattern, /** @type {number} */ alpha) {
    if (pattern === undefined) return;
    const [left, top, width, height] = this.box(cell);
    this.ink.globalAlpha = alpha;
    this.ink.imageSmoothingEnabled = false;
    this.board.atlas?.draw(this.ink, pattern, left, top, width, height);
    this.ink.globalAlpha = 1;
  }

  /** Darken the cells that cannot be any of these patterns. */
  dim(/** @type {Wave} */ wave, /** @type {number[]} */ patterns) {
    this.fill(this._visible((cell) => !wave.allows(cell, patterns)), "rgb(12 14 16 / .62)");
  }

  /** Hatch the cells for which something holds. */
  hatch(/** @type {(cell: number) => boolean} */ holds) {
    const size = 8 * devicePixelRatio, stripes = new OffscreenCanvas(size, size);
    const line = /** @type {OffscreenCanvasRenderingContext2D} */ (stripes.getContext("2d"));
    line.beginPath();
    for (const shift of [-size, 0, size]) { line.moveTo(shift, size); line.lineTo(shift + size, 0); }
    for (const [colour, width] of [["rgb(0 0 0 / .6)", 3], ["rgb(255 255 255 / .8)", 1]]) { // to be seen on any map
      line.strokeStyle = String(colour);
      line.lineWidth = Number(width) * devicePixelRatio;
      line.stroke();
    }
    const style = this.ink.createPattern(stripes, "repeat");
    if (style) this.fill(this._visible(holds), style);
  }

  /** How many patterns are left, where there is room to read it. */
  writeCounts(/** @type {Wave} */ wave) {
    const { ink } = this, size = this.box(0)[2];
    if (size < SMALLEST_TEXT) return;
    ink.font = `${Math.min(14 * devicePixelRatio, size / 2.2)}px sans-serif`;
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    for (const cell of this._visible((each) => wave.left[each] !== 1)) {
      const [left, top, width, height] = this.box(cell);
      ink.fillStyle = wave.countShare(cell) > 0.55 ? "#14171a" : "#fff";
      ink.fillText(String(wave.left[cell]), left + width / 2, top + height / 2);
    }
  }

  /** A small padlock in a corner, and a frame. */
  drawLock(/** @type {number} */ cell, /** @type {string} */ colour) {
    const { ink } = this, [left, top, width] = this.box(cell), size = Math.max(5, width / 3);
    const x = left + width - size - 1, y = top + 1;
    this.outline(cell, colour, 1);
    ink.fillStyle = "rgb(255 255 255 / .85)";
    ink.fillRect(x - 1, y - 1, size + 2, size + 2);
    ink.fillStyle = colour;
    ink.fillRect(x, y + size * 0.4, size, size * 0.6);
    ink.lineWidth = Math.max(1, size / 7);
    ink.beginPath();
    ink.arc(x + size / 2, y + size * 0.42, size * 0.28, Math.PI, 0);
    ink.stroke();
  }

  cross(/** @type {number} */ cell, /** @type {string} */ colour) {
    const [left, top, width, height] = this.box(cell), { ink } = this;
    this.fill([cell], "rgb(255 255 255 / .7)");
    this.outline(cell, colour, 3);
    ink.beginPath();
    ink.moveTo(left + width * 0.25, top + height * 0.25); ink.lineTo(left + width * 0.75, top + height * 0.75);
    ink.moveTo(left + width * 0.75, top + height * 0.25); ink.lineTo(left + width * 0.25, top + height * 0.75);
    ink.stroke();
  }

  /** What was wanted as a red ghost, and the pins in its way. */
  drawTrouble(
    /** @type {import("./trouble.js").Trouble} */ { cell, clashes, lit },
    /** @type {number|undefined} */ pattern,
    /** @type {string} */ error,
  ) {
    if (lit >= 0) this.fill([lit], "rgb(255 255 255 / .55)");
    for (const each of clashes) this.outline(each, error, each === lit ? 5 : 3, each === lit ? [] : [6, 3]);
    if (cell < 0) return;
    this.ghost(cell, pattern, 0.6);
    this.fill([cell], `color-mix(in srgb, ${error} 45%, transparent)`);
    this.outline(cell, error, 3);
  }

  /** Cells on the screen for which something holds. */
  *_visible(/** @type {(cell: number) => boolean} */ holds) {
    const { camera, canvas, atlas } = this.board, { width = 1, height = 1 } = atlas ?? {};
    const [right, bottom] = camera.toMap(canvas.width, canvas.height);
    for (let cell = 0; cell < this.geometry.count; cell++) {
      const [x, y] = this.geometry.corner(cell);
      if (x < right && y < bottom && x + width > camera.x && y + height > camera.y && holds(cell)) yield cell;
    }
  }
}
