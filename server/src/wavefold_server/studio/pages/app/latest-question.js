/** A question that changes while it is being answered: one at a time, then the newest; one that takes long is given up. */

/** @template T */
export class LatestQuestion {
  /**
   * @param {(subject: T, signal: AbortSignal) => Promise<any>} answer also deals with what goes wrong; the signal says that it was given up
   * @param {number} patience milliseconds after which a newer question does not wait for an older one
   */
  constructor(answer, patience = Infinity) {
    this._answer = answer;
    this._patience = patience;
    this._next = /** @type {[T]|null} */ (null);
    this._began = 0;
    this._isClosed = false;
  }

  /** Whether a newer question waits for the answer of this one. */
  get isOutdated() { return this._next !== null; }

  /** @param {T} subject */
  async ask(subject) {
    if (this._isClosed) return;
    this._next = /** @type {[T]} */ ([subject]);
    if (this._asking && performance.now() - this._began < this._patience) return;
    this._asking?.abort();
    while (this._next) {
      const asking = (this._asking = new AbortController()), [next] = this._next;
      this._next = null;
      this._began = performance.now();
      try { await this._answer(next, asking.signal); } finally { if (this._asking === asking) this._asking = undefined; }
      if (this._asking) return; // this one was given up, and another goes on
    }
  }

  /** Give up, for good. */
  close() {
    this._isClosed = true;
    this._next = null;
    this._asking?.abort();
  }
}
