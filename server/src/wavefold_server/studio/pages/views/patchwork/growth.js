/** Work on a patchwork: pieces grow and disks are rebuilt, one thing after another. What is asked for meanwhile waits. */

import { count } from "../../app/names.js";
import { button } from "../../parts/controls.js";

/** @typedef {import("./plan.js").Pair} Pair */

export class Growth {
  /** @param {import("../patchwork.js").PatchworkView} view */
  constructor(view) {
    this.view = view;
    this.stopButton = button("Stop", () => this.stop(), { symbol: "stop", key: "Escape" });
    this._stop = new AbortController();
    this._queue = Promise.resolve();
    this.isRingNext = false; // whether all around is to grow, and has not begun
    this.isBusy = false;
    this._isFirst = /** @type {true|undefined} */ (undefined); // while that grows with which a patchwork begins
    this.stopButton.hidden = true;
  }

  /** @param {string} what in words @param {(signal: AbortSignal) => Promise<any>} work */
  run(what, work) {
    const { signal } = this._stop, { shell } = this.view;
    this._queue = this._queue.then(async () => {
      if (signal.aborted) return;
      this._setBusy(true);
      shell.closeCard();
      shell.say(`${what} …`);
      try {
        await work(signal).catch((error) => this.view.fail(error, what));
      } finally { this._setBusy(false); }
    }).catch(console.error); // what waits goes on
    return this._queue;
  }

  /** End what is under way, and all that waits. */
  cancel() {
    this._stop.abort();
    this._stop = new AbortController();
    this.isRingNext = false;
    this.view.board?.growing.clear();
  }

  stop() {
    if (!this.isBusy) return;
    this.cancel();
    this.view.update();
    this.view.shell.say("Stopped. What has grown stays.");
  }

  /** The first piece and those around it: something to look at. */
  begin() {
    this.isRingNext = true;
    return this.run("Growing the first pieces", async (signal) => {
      this._isFirst = true;
      try {
        try { await this._grow([[0, 0]], signal); } finally { if (!signal.aborted) this.isRingNext = false; }
        await this._grow(this.view.look.next, signal);
      } finally { this._isFirst = undefined; }
    });
  }

  /** Grow pieces, one after another. @param {Pair[]} keys */
  grow(keys) {
    this._announce(keys);
    return this.run(keys.length > 1 ? `Growing ${keys.length} pieces` : "Growing a piece", (signal) => this._grow(keys, signal));
  }

  /** Grow all pieces around those that will be there when it is their turn. */
  growAround() {
    if (this.isRingNext) return this.view.shell.say("That is next: it begins when these pieces have grown.");
    this.isRingNext = true;
    return this.run("Growing all around", (signal) => {
      this.isRingNext = false;
      return this._grow(this.view.look.next, signal);
    });
  }

  /** Rebuild the disk around a cell. @param {Pair} cell */
  rebuild(cell) {
    const { view } = this, step = { rebuild: cell, radius: view.disk };
    return this.run("Rebuilding", async (signal) => {
      const { state } = view, before = view.look.dropped.size;
      await view.mirror.follow(state, signal);
      await view.mirror.send(step, signal);
      if (!this._keep(step, state)) return;
      const mended = before - view.mirror.look.dropped.size;
      view.shell.say(`Rebuilt around ${cell.join(", ")}${mended > 0 ? `; ${count(mended, "cell fits", "cells fit")} again` : ""}.`);
    });
  }

  async _grow(/** @type {Pair[]} */ keys, /** @type {AbortSignal} */ signal) {
    const { mirror, board, shell, state } = this.view, done = /** @type {Pair[]} */ ([]);
    this._announce(keys);
    await mirror.follow(state, signal);
    const { pieces } = this.view.look, wanted = keys.filter((key) => !pieces.has(String(key)));
    const isWhole = state.request.join === "whole";
    if (!wanted.length) return shell.say("This has grown already.");
    try {
      for (const some of isWhole ? [wanted] : wanted.map((key) => [key])) {
        await mirror.send({ populate: some }, signal);
        if (this.view.state !== state) return mirror.close(); // another map is shown by now, and the server is ahead of it
        done.push(...some);
        for (const key of some) board.growing.delete(String(key));
        board.show(mirror.look);
        board.stayFitted();
        if (wanted.length > 1) shell.say(`Growing: ${done.length} of ${wanted.length} pieces …`);
      }
    } finally {
      if (done.length) this._keep({ populate: done }, state);
    }
    this._report(done);
  }

  _report(/** @type {Pair[]} */ done) {
    const { look, shell } = this.view, rows = done.map((key) => look.reports.get(String(key)) ?? {});
    const sum = (/** @type {string} */ name) => rows.reduce((total, each) => total + (each[name] ?? 0), 0);
    shell.say(`${count(done.length, "piece has", "pieces have")} grown · ${
      count(sum("changed"), "cell")} of neighbours changed to fit · ${sum("dropped")} dropped · ${
      Math.round(sum("seconds") * 1000)} ms`);
  }

  /** Mark placeholders whose pieces are to come. */
  _announce(/** @type {Pair[]} */ keys) {
    const { board } = this.view;
    for (const key of keys) if (!board.look.pieces.has(String(key))) board.growing.add(String(key));
    board.draw();
  }

  /** Put a step that was done into the document, unless another map is shown by now. */
  _keep(/** @type {import("./mirror.js").Step} */ step, /** @type {import("./mirror.js").State} */ state) {
    const isShown = this.view.state === state;
    if (isShown) this.view.keep(step, this._isFirst);
    else this.view.mirror.close(); // the server is ahead of the document
    return isShown;
  }

  _setBusy(/** @type {boolean} */ isBusy) {
    this.isBusy = isBusy;
    this.stopButton.hidden = !isBusy;
    this.view.canvas.dataset.busy = String(isBusy);
  }
}
