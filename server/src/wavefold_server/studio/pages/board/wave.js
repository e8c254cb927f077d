/** What each cell may be, followed from frames: exactly, so that chances and looks need no further question. */

import { FRAME } from "../app/live.js";
import { Outcome } from "./outcome.js";
import { paintRamp } from "./ramp.js";

const MOST_STATES = 1 << 22; // cells times patterns: the server shows larger maps without domains

export class Wave extends Outcome {
  /** @param {number} cells @param {ArrayLike<number>} weights of patterns @param {ArrayLike<number>} means [pattern, rgb] */
  constructor(cells, weights, means) {
    super(cells, weights.length);
    this.weights = Float64Array.from(weights);
    this.means = means;
    this.patternCount = weights.length;
    this.words = Math.ceil(weights.length / 32);
    this.knowsSets = cells * weights.length <= MOST_STATES;
    this._sets = new Uint32Array(this.knowsSets ? cells * this.words : 0); // bits [cell, word]
    this._highest = this._entropyOf([...this.weights.keys()]) || 1;
  }

  /** Whether a cell may still be one of these patterns. @param {number} cell @param {number[]} patterns */
  allows(cell, patterns) {
    if (this.left[cell] === 1) return patterns.includes(this.combined[cell]);
    return !this.knowsSets || patterns.some((each) => this._sets[cell * this.words + (each >> 5)] & (1 << (each & 31)));
  }

  /** The patterns of a cell, in order. @param {number} cell */
  listPatterns(cell) {
    if (this.left[cell] === 1) return [this.combined[cell]];
    const found = /** @type {number[]} */ ([]);
    for (let word = 0; word < this.words && this.knowsSets; word++)
      for (let rest = this._sets[cell * this.words + word]; rest; rest &= rest - 1) found.push(32 * word + 31 - Math.clz32(rest & -rest));
    return found;
  }

  /** What a cell may be, the likeliest first. @param {number} cell @returns {{pattern: number, chance: number}[]} */
  listOptions(cell) {
    const patterns = this.listPatterns(cell), all = patterns.reduce((sum, each) => sum + this.weights[each], 0) || 1;
    return patterns.map((pattern) => ({ pattern, chance: this.weights[pattern] / all })).sort((one, other) => other.chance - one.chance);
  }

  /** How open a cell is, from 0 to 1. @param {number} cell */
  entropy(cell) {
    return this.knowsSets ? this._entropyOf(this.listPatterns(cell)) / this._highest : this.countShare(cell);
  }

  /** How many patterns a cell may be, from 0 (one) to 1 (any), in equal steps for equal factors. @param {number} cell */
  countShare(cell) {
    return Math.log(Math.max(1, this.left[cell])) / Math.log(Math.max(2, this.patternCount));
  }

  /** Write the colour of an undecided cell to `out` at `at`. @param {number} cell @param {string} look "average", "entropy" or "count" @param {Uint8ClampedArray} out @param {number} at */
  paint(cell, look, out, at) {
    if (look !== "average" || !this.knowsSets) return paintRamp(look === "entropy" ? this.entropy(cell) : this.countShare(cell), out, at);
    let all = 0, red = 0, green = 0, blue = 0;
    for (const each of this.listPatterns(cell)) {
      const weight = this.weights[each];
      all += weight;
      red += weight * this.means[3 * each];
      green += weight * this.means[3 * each + 1];
      blue += weight * this.means[3 * each + 2];
    }
    all ||= 1;
    out[at] = red / all; out[at + 1] = green / all; out[at + 2] = blue / all;
  }

  /** Take a pattern away from a cell; false if it was gone. @param {number} cell @param {number} pattern */
  remove(cell, pattern) {
    const at = cell * this.words + (pattern >> 5), bit = 1 << (pattern & 31);
    if (this.knowsSets) {
      if (!(this._sets[at] & bit)) return false;
      this._sets[at] &= ~bit;
    }
    this.left[cell]--;
    this.combined[cell] ^= pattern;
    return true;
  }

  /** Inverse of `remove`. @param {number} cell @param {number} pattern */
  restore(cell, pattern) {
    if (this.knowsSets) this._sets[cell * this.words + (pattern >> 5)] |= 1 << (pattern & 31);
    this.left[cell]++;
    this.combined[cell] ^= pattern;
  }

  /** Take over a board or domains; calls `changed` with each cell that is different now. @param {import("../app/live.js").Frame} frame @param {(cell: number) => void} changed */
  take(frame, changed) {
    if (frame.kind === FRAME.DOMAINS) this._takeDomains(/** @type {any} */ (frame.rows), changed);
    else this.follow(frame, changed);
  }

  /** Boards say what is left only where it is one pattern. */
  _set(/** @type {number} */ cell, /** @type {number} */ left, /** @type {number} */ combined, /** @type {(cell: number) => void} */ changed) {
    if (this.knowsSets && (this.left[cell] !== left || this.combined[cell] !== combined)) {
      this._sets.fill(0, cell * this.words, (cell + 1) * this.words);
      if (left === 1) this._sets[cell * this.words + (combined >> 5)] = 1 << (combined & 31);
    }
    super._set(cell, left, combined, changed);
  }

  _takeDomains(/** @type {Uint32Array} */ rows, /** @type {(cell: number) => void} */ changed) {
    const words = rows[0];
    for (let row = 1, cell = 0; row < rows.length; row += 1 + words) {
      const [left, combined] = summarize(rows, row + 1, words);
      for (const end = cell + rows[row]; cell < end; cell++) {
        for (let word = 0; word < words; word++) this._sets[cell * words + word] = rows[row + 1 + word];
        if (this.left[cell] === left && this.combined[cell] === combined && left === 1) continue;
        this.left[cell] = left;
        this.combined[cell] = combined;
        changed(cell);
      }
    }
  }

  _entropyOf(/** @type {number[]} */ patterns) {
    let sum = 0, logs = 0;
    for (const each of patterns) { const weight = this.weights[each]; sum += weight; if (weight > 0) logs += weight * Math.log(weight); }
    return sum > 0 ? Math.max(0, Math.log(sum) - logs / sum) : 0;
  }
}

/** How many patterns a set has, and the exclusive or of their numbers. @returns {[number, number]} */
function summarize(/** @type {Uint32Array} */ rows, /** @type {number} */ start, /** @type {number} */ words) {
  let left = 0, combined = 0;
  for (let word = 0; word < words; word++)
    for (let rest = rows[start + word]; rest; rest &= rest - 1) { left++; combined ^= 32 * word + 31 - Math.clz32(rest & -rest); }
  return [left, combined];
}
