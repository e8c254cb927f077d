/** Patchwork: grow a map piece by piece, choose how pieces are joined, and mend what is ugly. */

import { get } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { count } from "../app/names.js";
import { thumbnail } from "../app/recent.js";
import { findDocument, View } from "../app/view.js";
import { Atlas } from "../board/atlas.js";
import { listenToPlane } from "../board/plane-pointer.js";
import { button } from "../parts/controls.js";
import { h } from "../parts/element.js";
import { listPatchworkShortcuts, showPatchworkBar } from "./patchwork/bar.js";
import { PatchworkBoard } from "./patchwork/patchwork-board.js";
import { showComparison } from "./patchwork/compare.js";
import { Growth } from "./patchwork/growth.js";
import { PatchworkHands } from "./patchwork/hands.js";
import { EMPTY, Mirror } from "./patchwork/mirror.js";
import { showPatchworkPanel } from "./patchwork/panel.js";
import { pair, Plan } from "./patchwork/plan.js";
import { isPatchwork, patchworkReducers } from "./patchwork/steps.js";

/** @typedef {import("./patchwork/mirror.js").State} State */
/** @typedef {import("./patchwork/mirror.js").Step} Step */

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const given = await findDocument(address), { tilesets } = await get("/tilesets", shell.signal);
  const flat = tilesets.filter((/** @type {any} */ each) => each.topology !== "cube");
  await new PatchworkView(shell, flat).open(address, given);
}

export class PatchworkView extends View {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets */
  constructor(shell, tilesets) {
    super(shell, new StudioDocument("patchwork", {}, patchworkReducers, isPatchwork));
    this.tilesets = tilesets;
    this.tool = "grow";
    this.disk = 3; // radius of a rebuild
    this.hands = new PatchworkHands(this);
    this.growth = new Growth(this);
    // What `_open` makes, before anything else is done.
    const later = /** @type {any} */ (null);
    this.plan = /** @type {Plan} */ (later);
    this.board = /** @type {PatchworkBoard} */ (later);
    this.mirror = /** @type {Mirror} */ (later);
    this.atlas = /** @type {Atlas} */ (later);
    this._opened = "";
    this._opening = Promise.resolve();
    this._unlisten = () => {};
    this.onhover = (/** @type {string} */ _key) => {};
    this._looks = /** @type {WeakMap<object, import("./patchwork/mirror.js").Look>} of states */ (new WeakMap());
    this._closeComparison = () => {};
    this.document.addEventListener("change", (event) =>
      this.guard(() => this._changed(/** @type {CustomEvent} */ (event).detail.do), "Opening"));
    this.canvas = h("canvas", { tabindex: 0, role: "application",
      "aria-label": "Patchwork: arrow keys choose a piece, Enter grows it" });
    shell.stage.append(this.canvas);
    addEventListener("theme", () => this.board?.draw(), { signal: this.signal });
    addEventListener("pagehide", () => this.mirror?.close(), { signal: this.signal }); // the document can make it again
    setShortcuts(listPatchworkShortcuts(this));
  }

  /** A patchwork of the server, or a new one of a tile set. @param {URLSearchParams} address */
  async begin(address) {
    const from = address.get("id"), seedGiven = Number(address.get("seed") ?? 7);
    const { tileset, radius, seed, join } = from ? await get(`/patchworks/${encodeURIComponent(from)}`, this.signal)
      : { tileset: address.get("tileset") ?? "medieval", radius: 6, seed: seedGiven, join: "overlap" };
    this.document.beginning = { request: { tileset, radius, seed, join }, ...(from ? { from } : {}), steps: [] };
    await this._changed();
    if (!from) this.growth.begin(); // whoever cannot wait may look around meanwhile
  }

  get state() { return /** @type {State} */ (this.document.state); }
  get tileset() { return this.tilesets.find(({ id }) => id === this.state.request.tileset) ?? this.tilesets[0]; }
  get look() { return this.board.look; }

  close() {
    super.close();
    this.growth.cancel();
    this._closeComparison();
    this._unlisten();
    this.board?.close();
    this.mirror?.close();
  }

  fail(/** @type {any} */ problem, /** @type {any[]} */ ...about) {
    this.board?.growing.clear();
    if (this.board) this.update();
    super.fail(problem, ...about);
  }

  /** @param {any} problem @param {string} what was being done */
  showProblem(problem, what) {
    const undo = button("Undo", () => { this.shell.closeCard(); this.document.undo(); }, { kind: "main", symbol: "undo" });
    const { message, advice = "", document } = problem;
    this.shell.showCard("error", document?.title ?? `${what}: that did not work`, `${message} ${advice}`,
      this._looks.has(this.state) || !this.document.canUndo ? [] : [undo]);
    this.shell.say(`${what}: that did not work.`, "error");
  }

  /** Put a step that was done into the document. @param {Step} step @param {boolean} [isFirst] what a patchwork begins with */
  keep(step, isFirst) {
    this.mirror.keep(step);
    this._made = this.mirror.look;
    this.document.apply({ do: "step", step, isFirst });
  }

  // Changes of the document

  async _changed(/** @type {string} */ how = "") {
    const { state, _wantsRing: wantsRing } = this, { tileset, radius } = state.request;
    const name = `${tileset} ${radius}`, isOther = name !== this._opened;
    this._wantsRing = false;
    if (this._made) this._looks.set(state, this._made);
    else this.growth.cancel(); // what is under way belongs to another state
    this._made = undefined;
    if (isOther) {
      this._opened = name;
      this._opening = this._open(tileset, radius);
    }
    await this._opening;
    if (state !== this.state) return; // a newer change goes on
    if (!state.steps.length && !state.from) this._looks.set(state, EMPTY);
    if (this._looks.has(state)) {
      this._show(isOther);
      const what = { undo: "Undone", redo: "Done again" }[how], { size } = this.look.pieces;
      if (what) this.shell.say(`${what}: ${count(size, "piece")}.`);
      return;
    }
    showPatchworkBar(this);
    this.growth.run("Growing the pieces again", async (signal) => {
      if (state !== this.state) return;
      const look = await this.mirror.follow(state, signal, (each) => {
        this.board.show(each);
        this.shell.say(`Growing again: ${count(each.pieces.size, "piece")} …`);
      });
      this._looks.set(state, look);
      this._show(isOther);
      this.shell.say(`${count(look.pieces.size, "piece has", "pieces have")} grown again.`);
    });
    if (wantsRing) this.growth.growAround();
  }

  /**
   * Another tile set or size of pieces: everything that depends on it.
   * @param {string} tileset @param {number} radius @returns {Promise<void>}
   */
  async _open(tileset, radius) {
    const about = await get(`/tilesets/${encodeURIComponent(tileset)}`, this.signal);
    const atlas = await Atlas.load(about, this.signal);
    if (this._opened !== `${tileset} ${radius}`) return this._opening; // something else was chosen meanwhile
    this.atlas = atlas;
    this.plan = new Plan(about.topology, radius);
    this.mirror?.close();
    this.mirror = new Mirror(this.plan);
    const shows = this.board?.shows;
    this.board?.close();
    this._unlisten();
    this.board = new PatchworkBoard(this.canvas, this.plan, this.atlas);
    if (shows) this.board.shows = shows;
    this.board.drawCursor = () => this.hands.drawCursor();
    this._unlisten = listenToPlane(/** @type {any} */ (this.board), this.hands);
    this.board.fit();
  }

  _show(/** @type {boolean} */ isOther) {
    this.board.show(this._looks.get(this.state) ?? EMPTY);
    this.update();
    if (isOther) this.board.fit();
    else this.board.stayFitted();
    this.saveLater(900); // once pieces have arrived
  }

  get subject() {
    return { name: this.tileset.name, size: count(this.board?.look.pieces.size ?? 0, "piece"), seed: this.state.request.seed };
  }

  takePicture() { return thumbnail(this.canvas); }

  update() {
    this.board.draw();
    showPatchworkBar(this);
    showPatchworkPanel(this);
    Object.assign(this.canvas.dataset, { pieces: this.look.pieces.size, dropped: this.look.dropped.size });
  }

  /** Other settings: the same pieces grow again. @param {Record<string, any>} changes */
  set(changes) {
    const other = this.tilesets.find(({ id }) => id === changes.tileset);
    const isOtherShape = Boolean(other && other.topology !== this.plan.topology);
    // All that is visible or on its way, also what was copied.
    const keys = [...new Set([...this.look.pieces.keys(), ...this.board.growing])].map(pair);
    this._closeComparison();
    this._wantsRing = isOtherShape || this.growth.isRingNext;
    this.document.apply({ do: "set", changes, keys, ...(isOtherShape ? { isOtherShape } : {}) });
  }

  /** All joins on this seed, side by side. */
  compare() {
    this._closeComparison();
    this._closeComparison = showComparison(this);
  }

  /** Leave what is open or under way: the comparison, growth, or a tool. */
  leave() {
    if (this.shell.stage.querySelector(".compare")) return this._closeComparison();
    if (this.growth.isBusy) return this.growth.stop();
    if (this.tool === "rebuild") this.switchTool();
  }

  switchTool() {
    this.tool = this.tool === "grow" ? "rebuild" : "grow";
    this.update();
  }
}
