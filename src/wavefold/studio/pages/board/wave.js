/** What is known of each cell, followed from frames: how many patterns are left, and which if it is one. */

import { UNDECIDED } from "./board.js";
import { FRAME } from "../app/live.js";

const REMOVED = 1; // a kind of event

export class Wave {
  /** @param {number} cells @param {number} patterns */
  constructor(cells, patterns) {
    this.patternCount = patterns;
    this.left = new Int32Array(cells).fill(patterns);
    this.combined = new Int32Array(cells); // exclusive or of the numbers of the patterns left
    this.colours = new Uint8Array(4 * cells).fill(128);
  }

  /** @param {number} cell @returns {number} its pattern, or UNDECIDED */
  pattern(cell) {
    return this.left[cell] === 1 ? this.combined[cell] : UNDECIDED;
  }

  /** Take over a frame; calls `changed` with each cell that it is about. @param {import("../app/live.js").Frame} frame @param {(cell: number) => void} changed */
  follow(frame, changed) {
    if (frame.kind === FRAME.BOARD) this._followBoard(frame.rows, changed);
    else if (frame.kind === FRAME.EVENTS) this._followEvents(frame.rows, changed);
    else if (frame.kind === FRAME.COLOURS) {
      this.colours.set(frame.rows);
      for (let cell = 0; cell < this.left.length; cell++) if (this.left[cell] !== 1) changed(cell);
    }
  }

  _followBoard(/** @type {ArrayLike<number>} */ rows, /** @type {(cell: number) => void} */ changed) {
    let cell = 0;
    for (let row = 0; row < rows.length; row += 3) {
      for (const end = cell + rows[row]; cell < end; cell++) {
        if (this.left[cell] === rows[row + 1] && this.combined[cell] === rows[row + 2]) continue;
        this.left[cell] = rows[row + 1];
        this.combined[cell] = rows[row + 2];
        changed(cell);
      }
    }
  }

  _followEvents(/** @type {ArrayLike<number>} */ rows, /** @type {(cell: number) => void} */ changed) {
    for (let row = 0; row < rows.length; row += 4) {
      if (rows[row] !== REMOVED) continue;
      const cell = rows[row + 1];
      this.left[cell]--;
      this.combined[cell] ^= rows[row + 2];
      changed(cell);
    }
  }
}
