/** Patchwork: grow a map piece by piece, choose how pieces are joined, and mend what is ugly. */

import { get, picture, request } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { findRecent, newId, saveRecent, thumbnail } from "../app/recent.js";
import { decodeDocument, download } from "../app/share.js";
import { Atlas } from "../board/atlas.js";
import { listenToPlane } from "../board/plane-pointer.js";
import { planeCellAt } from "../board/plane.js";
import { divider, listShares, menuButton, spring, undoButtons, undoKeys } from "../parts/bar.js";
import { button, choice, numberField } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { PatchworkBoard } from "./patchwork/board.js";
import { showComparison } from "./patchwork/compare.js";
import { EMPTY, Mirror } from "./patchwork/mirror.js";
import { showPanel } from "./patchwork/panel.js";
import { pair, Plan } from "./patchwork/plan.js";
import { reducers, toCommand, toPython } from "./patchwork/steps.js";

/** @typedef {import("./patchwork/plan.js").Pair} Pair */
/** @typedef {import("./patchwork/mirror.js").State} State */
/** @typedef {import("./patchwork/mirror.js").Step} Step */

const EXPORTS = [["picture.png", "Picture with marks"], ["map.png", "Picture"], ["map.tmx.zip", "Tiled map"], ["map.ldtk.zip", "LDtk project"], ["map.tscn.zip", "Godot scene"],
  ["map.json", "wavefold map"], ["map.csv", "Table of numbers"], ["map.svg", "Vector picture"]];
const LARGEST = 24; // radius of a piece

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const { tilesets } = await get("/tilesets"), view = new PatchworkView(shell, tilesets.filter((/** @type {any} */ each) => each.topology !== "cube"));
  await view.begin(address);
  return () => view.close();
}

export class PatchworkView {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets */
  constructor(shell, tilesets) {
    this.shell = shell;
    this.tilesets = tilesets;
    this.id = newId();
    this.tool = "grow";
    this.disk = 3; // radius of a rebuild
    this.hovered = /** @type {Pair|null} a cell */ (null);
    this.hoveredKey = ""; // the piece of it
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
    this._stopButton = button("Stop", () => this.stop(), { symbol: "close", key: "Escape" });
    this._stopButton.hidden = true;
    this._closeComparison = () => {};
    this.document = new StudioDocument("patchwork", {}, reducers);
    this.document.addEventListener("change", () => this._changed());
    this.canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "Patchwork: arrow keys choose a piece, Enter grows it" });
    shell.stage.append(this.canvas);
    this._redraw = () => this.board?.draw();
    addEventListener("theme", this._redraw);
    this._leave = () => this.mirror?.close(); // the document can make it again
    addEventListener("pagehide", this._leave);
    setShortcuts(this._shortcuts());
  }

  /** Open what the address names: a shared or recent document, a patchwork of the server, or a tile set. @param {URLSearchParams} address */
  async begin(address) {
    const shared = address.get("open"), recent = findRecent(address.get("document") ?? ""), from = address.get("id");
    if (recent) this.id = recent.id;
    if (shared || recent) return this.document.load(recent ? recent.document : await decodeDocument(shared ?? ""));
    const known = from ? await get(`/patchworks/${encodeURIComponent(from)}`) : { tileset: address.get("tileset") ?? "medieval", radius: 6, seed: Number(address.get("seed") ?? 7), join: "overlap" };
    const { tileset, radius, seed, join } = known;
    this.document.beginning = { request: { tileset, radius, seed, join }, ...(from ? { from } : {}), steps: [] };
    await this._changed();
    if (from) return;
    await this.grow([[0, 0]]); // something to look at
    this.grow(this.look.next);
  }

  get state() { return /** @type {State} */ (this.document.state); }
  get tileset() { return this.tilesets.find(({ id }) => id === this.state.request.tileset) ?? this.tilesets[0]; }
  get look() { return this.board.look; }

  close() {
    clearTimeout(this._saving);
    if (this.board && !this.canvas.dataset.saved) this._save();
    this._stop.abort();
    this._closeComparison();
    this._unlisten();
    this.board?.close();
    this.mirror?.close();
    removeEventListener("theme", this._redraw);
    removeEventListener("pagehide", this._leave);
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
      await work(signal).catch((error) => this._fail(what, error));
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
    this._stopButton.hidden = !isBusy;
    this.canvas.dataset.busy = String(isBusy);
  }

  _fail(/** @type {string} */ what, /** @type {any} */ problem) {
    this.board.growing.clear();
    this.update();
    if (problem.name === "AbortError") return;
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
    this._showBar();
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
    const about = await get(`/tilesets/${encodeURIComponent(tileset)}`), { url, columns, width, height } = about.atlas;
    this.atlas = new Atlas(await picture(url.replace(/^.*\/api\/v1/, "")), columns, width, height, about.pattern_count);
    this.plan = new Plan(about.topology, radius);
    this.mirror?.close();
    this.mirror = new Mirror(this.plan);
    const shows = this.board?.shows;
    this.board?.close();
    this._unlisten();
    this.board = new PatchworkBoard(this.canvas, this.plan, this.atlas);
    if (shows) this.board.shows = shows;
    this.board.drawCursor = () => this._drawCursor();
    this._unlisten = listenToPlane(/** @type {any} */ (this.board), { hover: (/** @type {number} */ x, /** @type {number} */ y) => this._hover(x, y), press: (/** @type {number} */ x, /** @type {number} */ y) => this._press(x, y) });
    this.board.fit();
  }

  _show(/** @type {boolean} */ isOther) {
    this.board.show(this._looks.get(this.state) ?? EMPTY);
    this.update();
    if (isOther) this.board.fit();
    else this.board.stayFitted();
    delete this.canvas.dataset.saved;
    clearTimeout(this._saving);
    this._saving = setTimeout(() => this._save(), 900); // once pieces have arrived
  }

  _save() {
    const title = `${this.tileset.name}, ${this.look.pieces.size} pieces`;
    saveRecent({ id: this.id, view: "patchwork", title, when: Date.now(), picture: thumbnail(this.canvas), document: this.document.toJSON() });
    this.canvas.dataset.saved = "true";
  }

  update() {
    this.board.draw();
    this._showBar();
    showPanel(this);
    Object.assign(this.canvas.dataset, { pieces: this.look.pieces.size, dropped: this.look.dropped.size });
  }

  /** Other settings: the same pieces grow again. @param {Record<string, any>} changes */
  set(changes) {
    const other = this.tilesets.find(({ id }) => id === changes.tileset);
    this.document.apply({ do: "set", changes, ...(other && other.topology !== this.plan.topology ? { isOtherShape: true } : {}) });
  }

  /** All joins on this seed, side by side. */
  compare() {
    this._closeComparison();
    this._closeComparison = showComparison(this);
  }

  // Hands

  _hover(/** @type {number} */ x, /** @type {number} */ y) {
    this.hovered = planeCellAt(this.plan.topology, x, y);
    const key = this.plan.owner(this.hovered, [...this.look.pieces.keys(), ...this.look.next.map(String)]);
    this.board.draw();
    this.shell.hover(this.hovered.join(", "));
    if (key !== this.hoveredKey) this.onhover((this.hoveredKey = key));
  }

  _press(/** @type {number} */ x, /** @type {number} */ y) {
    this._hover(x, y);
    this.board.fitted = ""; // what is under the hand stays there
    const isGrown = this.look.pieces.has(this.hoveredKey);
    if (isGrown && this.tool === "rebuild" && this.hovered) this.rebuild(this.hovered);
    else if (!isGrown && this.hoveredKey && !this.board.growing.has(this.hoveredKey)) this.grow([pair(this.hoveredKey)]);
    else return false;
    return true;
  }

  _drawCursor() {
    const { board, hovered, plan, hoveredKey: key } = this, { ink } = board, accent = getComputedStyle(this.canvas).getPropertyValue("--accent"), isGrown = this.look.pieces.has(key);
    if (!hovered || !key) return;
    if (isGrown && this.tool === "rebuild") {
      const isInside = (/** @type {Pair} */ [x, y]) => plan.isHex || Math.abs(x - hovered[0]) + Math.abs(y - hovered[1]) <= this.disk;
      return board.tint(plan.disk(hovered, this.disk).filter((cell) => isInside(cell) && plan.owner(cell, this.look.pieces.keys())), `color-mix(in srgb, ${accent} 50%, transparent)`);
    }
    board.trace([board.shape(pair(key)).slice(1)]);
    ink.lineWidth = (isGrown ? 1.5 : 3) * devicePixelRatio;
    ink.strokeStyle = accent;
    ink.fillStyle = `color-mix(in srgb, ${accent} ${isGrown ? 0 : 22}%, transparent)`;
    ink.fill();
    ink.stroke();
  }

  /** Choose another placeholder, by keys. @param {number} by */
  _choose(by) {
    const { next } = this.look, at = next.findIndex((key) => String(key) === this.hoveredKey), key = next[(at + by + next.length) % next.length], { width, height } = this.canvas, { camera } = this.board;
    const middle = this.board.shape(key)[0], [x, y] = camera.toScreen(...middle);
    if (x < 0 || y < 0 || x > width || y > height) camera.pan(width / 2 - x, height / 2 - y);
    this._hover(...middle);
    this.shell.say(`Piece ${this.hoveredKey}: Enter grows it.`);
  }

  switchTool() {
    this.tool = this.tool === "grow" ? "rebuild" : "grow";
    this.update();
  }

  // Bar and keys

  _showBar() {
    const { document, shell, state: { request: now } } = this;
    fill(shell.bar,
      choice("Tiles", this.tilesets.map(({ id, name }) => [id, name]), now.tileset, (tileset) => this.set({ tileset }), true),
      numberField("Seed", now.seed, (seed) => this.set({ seed }), { isInline: true }),
      button("Another seed", () => this.set({ seed: now.seed + 1 }), { symbol: "dice", isIconOnly: true, key: "S" }),
      numberField("Size of pieces", now.radius, (radius) => this.set({ radius }), { min: 2, max: LARGEST, isInline: true }), divider(),
      button("Grow all around", () => this.grow(this.look.next), { symbol: "patchwork", key: "G", kind: "main" }), this._stopButton, divider(),
      ...undoButtons(document), spring(),
      button("Whole map", () => this.board.fit(), { symbol: "fit", isIconOnly: true, key: "0" }),
      menuButton("Share", "share", () => listShares(shell, document, [["Python", () => toPython(this.state)], ["command", () => toCommand(this.state)]])),
      menuButton("Export", "export", () => EXPORTS.map(([name, text]) => ({ text, note: name.replace(/^[^.]*/, ""), run: () => this._export(name) }))));
  }

  _export(/** @type {string} */ name) {
    const { changed, dropped, outlines } = this.board.shows, query = name === "picture.png" ? `?marks=${changed || dropped}&outlines=${outlines}` : "", saved = name.replace(/^[^.]*/, "patchwork");
    return this.run(`Writing ${saved}`, async (signal) => {
      await this.mirror.follow(this.state, signal);
      download(saved, await (await request(`/patchworks/${this.mirror.id}/${name}${query}`, { signal })).blob());
      this.shell.say(`${saved} is in your downloads.`);
    });
  }

  /** @returns {import("../app/keyboard.js").Shortcut[]} */
  _shortcuts() {
    const zoom = (/** @type {number} */ direction) => () => { this.board.camera.step(direction, this.canvas.width / 2, this.canvas.height / 2); this.board.draw(); };
    return [
      { key: "ArrowRight or ArrowDown", does: "choose the next placeholder", run: () => this._choose(1) }, { key: "ArrowLeft or ArrowUp", does: "choose the one before", run: () => this._choose(-1) },
      { key: "Enter", does: "grow the chosen piece, or rebuild its middle", run: () => { if (this.hoveredKey) this._press(...this.board.shape(pair(this.hoveredKey))[0]); } },
      { key: "G", does: "grow all around", run: () => this.grow(this.look.next) }, { key: "Escape", does: "stop", run: () => this.stop() },
      { key: "R", does: "rebuild a disk, or not", run: () => this.switchTool() },
      { key: "S", does: "another seed", run: () => this.set({ seed: this.state.request.seed + 1 }) }, { key: "C", does: "compare the joins", run: () => this.compare() },
      { key: "+ or =", does: "zoom in", run: zoom(1) }, { key: "-", does: "zoom out", run: zoom(-1) }, { key: "0", does: "show the whole map", run: () => this.board.fit() },
      ...undoKeys(this.document),
    ];
  }
}
