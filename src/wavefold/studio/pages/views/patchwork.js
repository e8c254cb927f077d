/** Patchwork: grow a map piece by piece, choose how pieces are joined, and mend what is ugly. */

import { get } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { thumbnail } from "../app/recent.js";
import { findDocument, View } from "../app/view.js";
import { Atlas } from "../board/atlas.js";
import { listenToPlane } from "../board/plane-pointer.js";
import { button } from "../parts/controls.js";
import { h } from "../parts/element.js";
import { listShortcuts, showBar } from "./patchwork/bar.js";
import { PatchworkBoard } from "./patchwork/board.js";
import { showComparison } from "./patchwork/compare.js";
import { Hands } from "./patchwork/hands.js";
import { EMPTY, Mirror } from "./patchwork/mirror.js";
import { showPanel } from "./patchwork/panel.js";
import { pair, Plan } from "./patchwork/plan.js";
import { isPatchwork, reducers } from "./patchwork/steps.js";

/** @typedef {import("./patchwork/plan.js").Pair} Pair */
/** @typedef {import("./patchwork/mirror.js").State} State */
/** @typedef {import("./patchwork/mirror.js").Step} Step */

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const given = await findDocument(address), { tilesets } = await get("/tilesets", shell.signal);
  await new PatchworkView(shell, tilesets.filter((/** @type {any} */ each) => each.topology !== "cube")).open(address, given);
}

export class PatchworkView extends View {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets */
  constructor(shell, tilesets) {
    super(shell, new StudioDocument("patchwork", {}, reducers, isPatchwork));
    this.tilesets = tilesets;
    this.tool = "grow";
    this.disk = 3; // radius of a rebuild
    this.hands = new Hands(this);
    // What `_open` makes, before anything else is done.
    const later = /** @type {any} */ (null);
    this.plan = /** @type {Plan} */ (later);
    this.board = /** @type {PatchworkBoard} */ (later);
    this.mirror = /** @type {Mirror} */ (later);
    this.atlas = /** @type {Atlas} */ (later);
    this._opened = "";
    this._unlisten = () => {};
    this.onhover = (/** @type {string} */ _key) => {};
    this._looks = /** @type {WeakMap<object, import("./patchwork/mirror.js").Look>} of states */ (new WeakMap());
    this._stop = new AbortController();
    this._queue = Promise.resolve();
    this.stopButton = button("Stop", () => this.stop(), { symbol: "close", key: "Escape" });
    this.stopButton.hidden = true;
    this._closeComparison = () => {};
    this.document.addEventListener("change", () => this.guard(() => this._changed(), "Opening"));
    this.canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "Patchwork: arrow keys choose a piece, Enter grows it" });
    shell.stage.append(this.canvas);
    addEventListener("theme", () => this.board?.draw(), { signal: this.signal });
    addEventListener("pagehide", () => this.mirror?.close(), { signal: this.signal }); // the document can make it again
    setShortcuts(listShortcuts(this));
  }

  /** A patchwork of the server, or a new one of a tile set. @param {URLSearchParams} address */
  async begin(address) {
    const from = address.get("id"), known = from ? await get(`/patchworks/${encodeURIComponent(from)}`, this.signal) : { tileset: address.get("tileset") ?? "medieval", radius: 6, seed: Number(address.get("seed") ?? 7), join: "overlap" };
    const { tileset, radius, seed, join } = known;
    this.document.beginning = { request: { tileset, radius, seed, join }, ...(from ? { from } : {}), steps: [] };
    await this._changed();
    if (from) return;
    await this.grow([[0, 0]]); // something to look at
    if (this.look.pieces.size) this.grow(this.look.next);
  }

  get state() { return /** @type {State} */ (this.document.state); }
  get tileset() { return this.tilesets.find(({ id }) => id === this.state.request.tileset) ?? this.tilesets[0]; }
  get look() { return this.board.look; }

  close() {
    super.close();
    this._stop.abort();
    this._closeComparison();
    this._unlisten();
    this.board?.close();
    this.mirror?.close();
  }

  // Work: one thing after another; "Stop" ends all of it

  /** @param {string} what in words @param {(signal: AbortSignal) => Promise<any>} work */
  run(what, work) {
    const { signal } = this._stop;
    this._queue = this._queue.then(async () => {
      if (signal.aborted) return;
      this._setBusy(true);
      this.shell.closeCard();
      this.shell.say(`${what} …`);
      await work(signal).catch((error) => this.fail(error, what));
      this._setBusy(false);
    });
    return this._queue;
  }

  stop() {
    this._stop.abort();
    this._stop = new AbortController();
    this.board.growing.clear();
    this.update();
    this.shell.say("Stopped. What has grown stays.");
  }

  _setBusy(/** @type {boolean} */ isBusy) {
    this.stopButton.hidden = !isBusy;
    this.canvas.dataset.busy = String(isBusy);
  }

  fail(/** @type {any} */ problem, /** @type {any[]} */ ...about) {
    this.board?.growing.clear();
    if (this.board) this.update();
    super.fail(problem, ...about);
  }

  /** @param {any} problem @param {string} what was being done */
  showProblem(problem, what) {
    const undo = button("Undo", () => { this.shell.closeCard(); this.document.undo(); }, { kind: "main", symbol: "undo" });
    this.shell.showCard("error", problem.document?.title ?? `${what}: that did not work`, `${problem.message} ${problem.advice ?? ""}`, this._looks.has(this.state) ? [] : [undo]);
    this.shell.say(`${what}: that did not work.`, "error");
  }

  /** Grow pieces, one after another. @param {Pair[]} keys */
  grow(keys) {
    for (const key of keys) this.board.growing.add(String(key));
    this.board.draw();
    return this.run(keys.length > 1 ? `Growing ${keys.length} pieces` : "Growing a piece", async (signal) => {
      const { mirror, board } = this, done = /** @type {Pair[]} */ ([]);
      await mirror.follow(this.state, signal);
      const wanted = keys.filter((key) => !this.look.pieces.has(String(key))), isWhole = this.state.request.join === "whole" && !this.look.pieces.size;
      try {
        for (const some of isWhole ? [wanted] : wanted.map((key) => [key])) {
          await mirror.send({ populate: some }, signal);
          done.push(...some);
          for (const key of some) board.growing.delete(String(key));
          board.show(mirror.look);
          board.stayFitted();
          if (wanted.length > 1) this.shell.say(`Growing: ${done.length} of ${wanted.length} pieces …`);
        }
      } finally {
        if (done.length) this._keep({ populate: done });
      }
      const rows = done.map((key) => this.look.reports.get(String(key)) ?? {}), sum = (/** @type {string} */ name) => rows.reduce((total, each) => total + (each[name] ?? 0), 0);
      this.shell.say(`${done.length === 1 ? "A piece has" : `${done.length} pieces have`} grown · ${sum("changed")} cells of neighbours changed to fit · ${sum("dropped")} dropped · ${Math.round(sum("seconds") * 1000)} ms`);
    });
  }

  /** Rebuild the disk around a cell. @param {Pair} cell */
  rebuild(cell) {
    const step = { rebuild: cell, radius: this.disk };
    return this.run("Rebuilding", async (signal) => {
      await this.mirror.follow(this.state, signal);
      const before = this.look.dropped.size;
      await this.mirror.send(step, signal);
      this._keep(step);
      this.shell.say(`Rebuilt around ${cell.join(", ")}${this.look.dropped.size < before ? `; ${before - this.look.dropped.size} cells fit again` : ""}.`);
    });
  }

  /** Put a step that was done into the document. @param {Step} step */
  _keep(step) {
    this.mirror.keep(step);
    this._made = this.mirror.look;
    this.document.apply({ do: "step", step });
  }

  // Changes of the document

  async _changed() {
    const { state } = this, { tileset, radius } = state.request, name = `${tileset} ${radius}`, isOther = name !== this._opened;
    if (this._made) this._looks.set(state, this._made);
    this._made = undefined;
    if (isOther) {
      this._opened = name;
      await this._open(tileset, radius);
    }
    if (!state.steps.length && !state.from) this._looks.set(state, EMPTY);
    if (this._looks.has(state)) return this._show(isOther);
    showBar(this);
    return this.run("Growing the pieces again", async (signal) => {
      if (state !== this.state) return;
      const look = await this.mirror.follow(state, signal, (each) => { this.board.show(each); this.shell.say(`Growing again: ${each.pieces.size} pieces …`); });
      this._looks.set(state, look);
      this._show(isOther);
      this.shell.say(`${look.pieces.size} pieces have grown again.`);
    });
  }

  /** Another tile set or size of pieces: everything that depends on it. */
  async _open(/** @type {string} */ tileset, /** @type {number} */ radius) {
    const about = await get(`/tilesets/${encodeURIComponent(tileset)}`, this.signal);
    this.atlas = await Atlas.load(about, this.signal);
    this.plan = new Plan(about.topology, radius);
    this.mirror?.close();
    this.mirror = new Mirror(this.plan);
    const shows = this.board?.shows;
    this.board?.close();
    this._unlisten();
    this.board = new PatchworkBoard(this.canvas, this.plan, this.atlas);
    if (shows) this.board.shows = shows;
    this.board.drawCursor = () => this.hands.drawCursor();
    this._unlisten = listenToPlane(/** @type {any} */ (this.board), { hover: (/** @type {number} */ x, /** @type {number} */ y) => this.hands.hover(x, y), press: (/** @type {number} */ x, /** @type {number} */ y) => this.hands.press(x, y) });
    this.board.fit();
  }

  _show(/** @type {boolean} */ isOther) {
    this.board.show(this._looks.get(this.state) ?? EMPTY);
    this.update();
    if (isOther) this.board.fit();
    else this.board.stayFitted();
    this.saveLater(900); // once pieces have arrived
  }

  describe() { return { title: `${this.tileset.name}, ${this.board?.look.pieces.size ?? 0} pieces`, picture: thumbnail(this.canvas) }; }

  update() {
    this.board.draw();
    showBar(this);
    showPanel(this);
    Object.assign(this.canvas.dataset, { pieces: this.look.pieces.size, dropped: this.look.dropped.size });
  }

  /** Other settings: the same pieces grow again. @param {Record<string, any>} changes */
  set(changes) {
    const other = this.tilesets.find(({ id }) => id === changes.tileset);
    const keys = this.state.from && { keys: [...this.look.pieces.keys()].map(pair) }; // also those that were copied
    this.document.apply({ do: "set", changes, ...keys, ...(other && other.topology !== this.plan.topology ? { isOtherShape: true } : {}) });
  }

  /** All joins on this seed, side by side. */
  compare() {
    this._closeComparison();
    this._closeComparison = showComparison(this);
  }

  switchTool() {
    this.tool = this.tool === "grow" ? "rebuild" : "grow";
    this.update();
  }
}
