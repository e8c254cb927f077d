/**
 * A run that can be gone through forwards and backwards without the server: what every moment changed, and after what cannot
 * be followed by removals alone, the whole state.
 */

import { FRAME } from "../app/live.js";

export const MOMENT = { CHOSEN: 0, REMOVED: 1, CONTRADICTION: 2, UNDONE: 3, REPAIRED: 4, RESTARTED: 5, REPLACED: 6, SWEPT: 7, EDITED: 8, NONE: -1 };

/**
 * @typedef {object} Moment
 * @property {number} kind of MOMENT
 * @property {number} cell -1: none
 * @property {number} pattern -1: none
 * @property {number} decisions made up to here
 * @property {number} count of what happened at once
 * @property {number} start of what is restored, in the list of changes
 * @property {number} middle of the changes: from here on, patterns are removed
 * @property {import("../app/live.js").Frame} [frame] the whole state afterwards
 * @property {string} [text] what was done
 */

export class Recording {
  /** @param {import("./wave.js").Wave} wave which is always at `position` @param {(cell: number) => void} changed */
  constructor(wave, changed) {
    this.wave = wave;
    this._changed = changed;
    /** @type {Moment[]} */
    this.moments = [];
    this.position = 0; // moments that are shown
    this.first = /** @type {import("../app/live.js").Frame|null} */ (null); // the state before all moments
    this._changes = new Uint32Array(1 << 14); // cell times patterns plus pattern
    this._used = 0;
    this._trail = /** @type {number[]} */ ([]); // removals in force, and how many there were at each decision
    this._marks = /** @type {number[]} */ ([]);
  }

  /** Begin with this state. @param {import("../app/live.js").Frame} frame */
  begin(frame) {
    this.first = frame;
    this.wave.take(frame, this._changed);
  }

  get isAtEnd() { return this.position === this.moments.length; }

  /** The moment that is shown; null at the beginning. @returns {Moment|null} */
  get current() { return this.moments[this.position - 1] ?? null; }

  /** Follow a frame of events. @param {ArrayLike<number>} rows [kind, cell, pattern, decision] */
  addEvents(rows) {
    this.seek(this.moments.length);
    for (let row = 0; row < rows.length; row += 4) {
      const kind = rows[row], cell = rows[row + 1], pattern = rows[row + 2];
      if (kind === MOMENT.REMOVED) {
        if (!this.moments.length) this._add(MOMENT.CHOSEN, -1, -1);
        if (this.wave.remove(cell, pattern)) { this._trail.push(this._push(cell, pattern)); this._changed(cell); }
      } else if (kind === MOMENT.UNDONE) this._goBack(cell, pattern);
      else if (kind === MOMENT.REPLACED && this.current?.kind === kind) this.current.count++;
      else {
        if (kind === MOMENT.CHOSEN) this._marks.push(this._trail.length);
        this._add(kind, cell, pattern);
      }
    }
    this.position = this.moments.length;
  }

  /** Follow a frame with a whole state: the end of the last moment (NONE), or one of its own. @param {import("../app/live.js").Frame} frame @param {number} kind @param {string} text */
  addState(frame, kind, text) {
    this.seek(this.moments.length);
    if (kind === MOMENT.SWEPT) while (this.current?.kind === kind && this.current.text !== text) { this.moments.pop(); this.position--; } // it is refined anew
    if (kind !== MOMENT.NONE || !this.moments.length) this._add(kind === MOMENT.NONE ? MOMENT.EDITED : kind, -1, -1, text);
    /** @type {Moment} */ (this.moments.at(-1)).frame = frame;
    this._trail.length = this._marks.length = 0;
    this.wave.take(frame, this._changed);
    this.position = this.moments.length;
  }

  /** Forget what comes after the first `count` moments. @param {number} count */
  truncate(count) {
    this.seek(Math.min(count, this.moments.length));
    this._used = this.moments[count]?.start ?? this._used;
    this.moments.length = this.position;
    this._trail.length = this._marks.length = 0;
  }

  /** Show the state after the first `position` moments. @param {number} position */
  seek(position) {
    const target = Math.max(0, Math.min(position, this.moments.length));
    if (target < this.position && this._findState(this.position) > target) this._restart(target);
    while (this.position > target) this._apply(--this.position, false);
    while (this.position < target) this._apply(this.position++, true);
  }

  /** The last moment up to a position whose whole state is stored; 0: the beginning. */
  _findState(/** @type {number} */ position) {
    while (position > 0 && !this.moments[position - 1].frame) position--;
    return position;
  }

  _restart(/** @type {number} */ target) {
    this.position = this._findState(target);
    const frame = this.position ? this.moments[this.position - 1].frame : this.first;
    if (frame) this.wave.take(frame, this._changed);
  }

  _apply(/** @type {number} */ index, /** @type {boolean} */ isForward) {
    const { start, middle, frame } = this.moments[index], end = this.moments[index + 1]?.start ?? this._used, { wave } = this;
    if (frame && isForward) return wave.take(frame, this._changed);
    for (let at = start; at < end; at++) {
      const cell = Math.floor(this._changes[at] / wave.patternCount), pattern = this._changes[at] - cell * wave.patternCount;
      if ((at >= middle) === isForward) wave.remove(cell, pattern);
      else wave.restore(cell, pattern);
      this._changed(cell);
    }
  }

  /** A decision is undone: what was removed since comes back. */
  _goBack(/** @type {number} */ cell, /** @type {number} */ pattern) {
    let moment = this.moments.at(-1);
    if (moment?.kind === MOMENT.UNDONE && moment.middle === this._used) { moment.count++; moment.cell = cell; moment.pattern = pattern; }
    else moment = this._add(MOMENT.UNDONE, cell, pattern);
    for (const mark = this._marks.pop() ?? this._trail.length; this._trail.length > mark;) {
      const change = /** @type {number} */ (this._trail.pop()), { patternCount } = this.wave, where = Math.floor(change / patternCount);
      this.wave.restore(where, change % patternCount);
      this._push(where, change % patternCount);
      this._changed(where);
    }
    moment.middle = this._used;
  }

  _add(/** @type {number} */ kind, /** @type {number} */ cell, /** @type {number} */ pattern, /** @type {string} */ text = "") {
    const decisions = (this.moments.at(-1)?.decisions ?? 0) + Number(kind === MOMENT.CHOSEN && cell >= 0);
    const moment = { kind, cell, pattern, decisions, count: 1, start: this._used, middle: this._used, text };
    this.moments.push(moment);
    this.position = this.moments.length;
    return /** @type {Moment} */ (moment);
  }

  _push(/** @type {number} */ cell, /** @type {number} */ pattern) {
    if (this._used === this._changes.length) {
      const larger = new Uint32Array(2 * this._used);
      larger.set(this._changes);
      this._changes = larger;
    }
    return (this._changes[this._used++] = cell * this.wave.patternCount + pattern);
  }
}

/** Whether a frame has a whole state. @param {import("../app/live.js").Frame} frame */
export const isState = (frame) => frame.kind === FRAME.BOARD || frame.kind === FRAME.DOMAINS;
