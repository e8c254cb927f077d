/** The least that is needed to follow a solve: how many patterns are left in each cell, and which if it is one. */

import { FRAME } from "../app/live.js";
import { UNDECIDED } from "./board.js";

const REMOVED = 1; // a kind of event (docs/guide/live.md)

export class Outcome {
  /** @param {number} cells @param {number} patterns */
  constructor(cells, patterns) {
    this.left = new Int32Array(cells).fill(patterns);
    this.combined = new Int32Array(cells); // exclusive or of the numbers of the patterns left
  }

  /** @param {number} cell @returns {number} its pattern, or UNDECIDED */
  pattern(cell) {
    return this.left[cell] === 1 ? this.combined[cell] : UNDECIDED;
  }

  /** Take over a frame; calls `changed` with each cell that it is about. @param {{kind: number, rows: ArrayLike<number>}} frame @param {(cell: number) => void} changed */
  follow({ kind, rows }, changed) {
    for (let row = 0; kind === FRAME.EVENTS && row < rows.length; row += 4) {
      if (rows[row] !== REMOVED) continue;
      this._set(rows[row + 1], this.left[rows[row + 1]] - 1, this.combined[rows[row + 1]] ^ rows[row + 2], changed);
    }
    for (let row = 0, cell = 0; kind === FRAME.BOARD && row < rows.length; row += 3)
      for (const end = cell + rows[row]; cell < end; cell++) this._set(cell, rows[row + 1], rows[row + 2], changed);
  }

  _set(/** @type {number} */ cell, /** @type {number} */ left, /** @type {number} */ combined, /** @type {(cell: number) => void} */ changed) {
    if (this.left[cell] === left && this.combined[cell] === combined) return;
    this.left[cell] = left;
    this.combined[cell] = combined;
    changed(cell);
  }
}
