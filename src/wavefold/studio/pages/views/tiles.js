/** Tiles: draw them, give their sides sockets, and see with every change what maps they make. */

import { get, post, request } from "../app/api.js";
import { setShortcuts } from "../app/keyboard.js";
import { findRecent, newId, saveRecent } from "../app/recent.js";
import { decodeDocument, download } from "../app/share.js";
import { Board } from "../board/board.js";
import { hexCells, hexGeometry, squareGeometry } from "../board/geometry.js";
import { listenToPointer } from "../board/pointer.js";
import { divider, listShares, menuButton, spring, undoButtons, undoKeys } from "../parts/bar.js";
import { button } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { Brush } from "../parts/pixels.js";
import { Art, hasEach } from "./tiles/art.js";
import { buildEditor } from "./tiles/editor.js";
import { askForPictures, listBeginnings } from "./tiles/open.js";
import { buildPanels } from "./tiles/panels.js";
import { listSockets, newName, readTables, sidesOf, TilesDocument, toTables } from "./tiles/set.js";

const PATIENCE = 150, SETTLED = 1500; // milliseconds until an older question is given up, and until the check begins

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const view = new TilesView(shell);
  await view.begin(address);
  return () => view.close();
}

export class TilesView {
  /** @param {import("../app/shell.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.id = newId();
    this.selected = this.side = this.picture = 0;
    this.tab = "tile";
    this.art = new Art();
    this.rules = /** @type {any} */ (null);
    this.report = /** @type {any} */ (null);
    this.atlas = /** @type {any} */ (null);
    this._wanted = /** @type {(() => string)|undefined} */ (undefined);
    this._rules = this._all = ""; // what was asked last
    this._began = 0;
    this.stop = new AbortController();
    this.document = new TilesDocument();
    this.brush = new Brush(() => this.editor.update());
    this.list = h("nav", { class: "tile-list", "aria-label": "Tiles of the set" });
    this.editor = buildEditor(this);
    this.panels = buildPanels(this);
    const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "A sample map of these tiles" });
    const page = h("div", { class: "page tiles" }, this.list, this.editor.element, h("div", { class: "sample-map skeleton" }, canvas));
    shell.stage.append(page);
    page.addEventListener("dragover", (/** @type {DragEvent} */ event) => event.preventDefault());
    page.addEventListener("drop", (/** @type {DragEvent} */ event) => { event.preventDefault(); askForPictures(this, [...(event.dataTransfer?.files ?? [])]); });
    this.board = new Board(canvas);
    this._stopPointer = listenToPointer(this.board, {
      hover: (cell) => shell.hover(cell < 0 || !this.rules ? "" : this.rules.patterns[this.board.patterns[cell]]?.name ?? ""),
      press: (cell) => { this.choose({ selected: this.rules?.patterns[this.board.patterns[cell]]?.tile ?? this.selected }); return false; },
    });
    this.document.addEventListener("change", (event) => this._changed(/** @type {CustomEvent} */ (event).detail));
    const move = (/** @type {number} */ by) => () => this.choose({ selected: (this.selected + by + this.set.tiles.length) % this.set.tiles.length });
    setShortcuts([...this.brush.shortcuts, { key: ".", does: "next tile", run: move(1) }, { key: ",", does: "previous tile", run: move(-1) },
      { key: "S", does: "another seed", run: () => this._anotherSeed() }, { key: "N", does: "new tile", run: () => this.addTile() }, ...undoKeys(this.document)]);
  }

  /** Open what the address names: a shared document, a recent one, a tile set, or the starter. @param {URLSearchParams} address */
  async begin(address) {
    const shared = address.get("open"), recent = findRecent(address.get("document") ?? ""), data = shared ? await decodeDocument(shared) : recent?.document;
    if (recent) this.id = recent.id;
    const base = data ? data.beginning.base : address.get("base") ?? "starter-square", beginning = base ? await this._load(base) : data.beginning;
    if (data) this.document.load({ ...data, beginning });
    else this.restart(beginning);
    const { tiles } = this.set, telling = tiles.findIndex(({ sockets }) => new Set(sockets).size > 1);
    this.choose({ selected: Math.max(0, telling) });
  }

  /** @returns {import("./tiles/set.js").TileSet} */
  get set() { return /** @type {any} */ (this.document.state); }

  close() {
    this.stop.abort();
    this._asking?.abort();
    this._auditing?.abort();
    clearTimeout(this._settling);
    this._stopPointer();
    this.board.close();
  }

  /** A new document. @param {any} beginning @param {Art} [art] */
  restart(beginning, art = this.art) {
    this.art = art;
    this.document.beginning = beginning;
    this._changed({ do: "load" });
  }

  /** Choose what is shown. @param {{selected?: number, side?: number, picture?: number, tab?: string}} what */
  choose(what) {
    if (what.selected !== undefined && what.selected !== this.selected) this.picture = 0;
    Object.assign(this, what);
    this._show();
  }

  /** @param {any} change @param {number} [index] @param {string} [merge] */
  changeTile(change, index = this.selected, merge) { this.document.apply({ do: "tile", index, change, merge }); }

  /** A tile with these sockets, or with the most frequent one, and a picture that goes with them. @param {string[]} [sockets] @param {any} [symmetry] */
  addTile(sockets, symmetry = "fixed", more = {}) {
    const { set } = this, given = sockets ?? sidesOf(set.tables).map(() => listSockets(set)[0] ?? "a");
    const drawn = this.rules ? { 0: this.art.compose(set, this.rules, this.atlas, given) } : undefined;
    this.document.apply({ do: "add", tiles: [{ name: newName(set.tiles.map(({ name }) => name), "new tile"), sockets: given, symmetry, drawn, ...more }] });
    this.choose({ selected: this.set.tiles.length - 1, tab: "tile" });
  }

  /** Patterns of a tile. @param {number} tile @returns {any[]} */
  patternsOf(tile) { return this.rules?.patterns.filter((/** @type {any} */ each) => each.tile === tile) ?? []; }

  /** @param {number} tile */
  countPictures(tile) { return hasEach(this.set.tiles[tile]) ? this.patternsOf(tile).length : 1; }

  /** What may stand on a side of a pattern. @param {number} pattern @param {number} side @returns {number[]} */
  neighbours(pattern, side) {
    const { neighbours, kinds } = this.rules, { class_of, rows } = neighbours[side];
    return rows[class_of[pattern]].filter((/** @type {number} */ each) => kinds[each] < 0 || kinds[each] !== kinds[pattern]);
  }

  /** Allow or forbid a pair. @param {number} here @param {number} there @param {number} side @param {boolean} allowed */
  setPair(here, there, side, allowed) {
    const { patterns, opposite } = this.rules, sides = sidesOf(this.set.tables);
    const name = (/** @type {number} */ at) => (patterns[at].name.includes("@") || this.patternsOf(patterns[at].tile).length === 1 ? patterns[at].name : `${patterns[at].name}@0`);
    this._wanted = () => (this.neighbours(here, side).includes(there) === allowed ? "" : `Another rule ${allowed ? "forbids" : "allows"} ${name(here)} with ${name(there)}; change that one.`);
    this.document.apply({ do: "pair", here: name(here), there: name(there), side: sides[side], back: sides[opposite[side]], allowed });
  }

  /** Two patterns side by side. @param {number} here @param {number} there @param {number} side */
  drawPair(here, there, side) {
    const { width, height } = this.atlas, count = sidesOf(this.set.tables).length, angle = count === 4 ? (side - 1) * 90 : side * 60 - 60;
    const dx = Math.round(Math.cos((angle * Math.PI) / 180) * width), dy = Math.round(Math.sin((angle * Math.PI) / 180) * (count === 4 ? height : width)), canvas = h("canvas", { width: width + Math.abs(dx), height: height + Math.abs(dy) });
    this.atlas.draw(canvas.getContext("2d"), here, Math.max(0, -dx), Math.max(0, -dy));
    this.atlas.draw(canvas.getContext("2d"), there, Math.max(0, dx), Math.max(0, dy));
    return canvas;
  }

  // Changes

  _changed(/** @type {any} */ command) {
    const { set } = this, tables = toTables(set), rules = JSON.stringify({ ...tables, tiles: tables.tiles.map(({ weight, weights, ...tile }) => tile) }), all = JSON.stringify([tables, set.settings]);
    this.selected = Math.max(0, Math.min(this.selected, set.tiles.length - 1));
    const isNew = rules !== this._rules;
    if (isNew || all !== this._all) this._ask(isNew);
    else this._redraw();
    [this._rules, this._all] = [rules, all];
    this._show(Boolean(command.merge));
    clearTimeout(this._saving);
    this._saving = setTimeout(() => this._save(), command.merge ? 400 : 0);
  }

  _save() {
    saveRecent({ id: this.id, view: "tiles", title: `Tiles: ${this.set.tables.name || "my tiles"}`, when: Date.now(), document: this.document.toJSON() });
  }

  /** Ask for rules, if they are new, and a map; one question at a time, the latest next, and an old one is given up. */
  async _ask(/** @type {boolean} */ isNew) {
    this._isNew ||= isNew;
    if (this._asking && performance.now() - this._began < PATIENCE) return void (this._isWaiting = true);
    this._asking?.abort();
    const asking = (this._asking = new AbortController()), { set } = this, tables = toTables(set), started = (this._began = performance.now()), { size, seed } = set.settings;
    this._isWaiting = false;
    this._audit(tables);
    try {
      if (!set.tiles.length) throw Object.assign(new Error("Add a tile, or open a set."), { document: { title: "There are no tiles" } });
      if (this._isNew) {
        this.rules = await post("/drafts/rules", { tables }, asking.signal);
        this._isNew = false;
        this._redraw();
        this._show();
      }
      const answer = await post("/drafts", { tables, width: size, height: size, seed }, asking.signal), { board } = this;
      answer.patterns.forEach((/** @type {number} */ pattern, /** @type {number} */ cell) => { if (board.patterns[cell] !== pattern) board.set(cell, pattern); });
      const ms = Math.round(performance.now() - started);
      board.canvas.dataset.milliseconds = String(ms);
      board.canvas.parentElement?.classList.remove("skeleton");
      this.shell.closeCard();
      const words = this._wanted?.();
      this._wanted = undefined;
      this.shell.say(words || `${size} × ${size} cells in ${ms} ms · solver ${answer.milliseconds} ms · ${answer.backtracks} times back`, words ? "warn" : "");
    } catch (error) {
      if (/** @type {any} */ (error).name !== "AbortError") this._explain(error);
    }
    if (this._asking !== asking) return;
    this._asking = undefined;
    if (this._isWaiting) this._ask(false);
  }

  /** What goes wrong, in words. @param {any} problem */
  _explain(problem) {
    const undo = button("Undo", () => this.document.undo(), { symbol: "undo", kind: "main", isDisabled: !this.document.canUndo });
    const isStuck = ["Contradiction", "OutOfBudget"].includes(problem.name), words = problem.message.replace(/^tiles, /, "");
    this.shell.showCard("warn", isStuck ? "No map fits together" : problem.document?.title ?? "That did not work",
      isStuck ? `Some sides have nothing that fits beside them. Give them a socket that another tile has, or allow a pair.\n${words}` : `${words} ${problem.name === "Offline" ? problem.advice : ""}`,
      [undo, isStuck ? button("Show the check", () => this.choose({ tab: "check" })) : button("Another seed", () => this._anotherSeed(), { symbol: "dice" })]);
  }

  /** Check the set in the background, once nothing has changed for a while. */
  _audit(/** @type {any} */ tables) {
    clearTimeout(this._settling);
    this._auditing?.abort();
    this.report = null;
    this._settling = setTimeout(async () => {
      const { signal } = (this._auditing = new AbortController());
      try { this.report = await post("/drafts/audit", { tables }, signal); }
      catch (error) {
        const { name, status, message } = /** @type {any} */ (error);
        if (name === "AbortError") return;
        if (status === 503) return this._audit(tables);
        this.report = { problem: `It could not be checked: ${message}` };
      }
      this.panels.update();
    }, SETTLED);
  }

  _anotherSeed() { this.document.apply({ do: "set", key: "seed", value: this.set.settings.seed + 1 }); }

  // What is shown

  /** Draw patterns and the map again. */
  _redraw() {
    const { set, rules, board, art } = this, { size } = set.settings, [width, height] = art.size(set);
    if (!rules || rules.patterns.some((/** @type {any} */ each) => each.tile >= set.tiles.length)) return;
    this.atlas = art.atlas(set, rules.patterns);
    const geometry = set.tables.topology === "hex" ? hexGeometry(hexCells({ width: size, height: size }), width, height) : squareGeometry(size, size, width), before = board.patterns;
    board.open(geometry, this.atlas);
    if (before.length === geometry.count && !this._isNew) before.forEach((pattern, cell) => { if (pattern < rules.patterns.length) board.set(cell, pattern); });
  }

  _show(isMoving = false) {
    const { set, selected, art, document, shell } = this;
    this.editor.update();
    if (isMoving) {
      this.list.children[selected]?.firstChild?.replaceWith(art.thumbnail(set, selected));
      return;
    }
    fill(this.list, ...set.tiles.map((tile, index) => h("button", { type: "button", "aria-current": index === selected ? "true" : null, onclick: () => this.choose({ selected: index }) }, art.thumbnail(set, index), h("span", {}, tile.name))),
      button("New tile", () => this.addTile(), { symbol: "add", key: "N" }));
    this.panels.update();
    fill(shell.bar, menuButton("Open", "drop", () => listBeginnings(this)),
      h("input", { type: "text", value: set.tables.name ?? "", "aria-label": "Name of the set", placeholder: "Name of the set", maxlength: 100, onchange: (/** @type {any} */ event) => document.apply({ do: "title", name: event.target.value }) }), divider(),
      button("Another seed", () => this._anotherSeed(), { symbol: "dice", key: "S" }), divider(), ...undoButtons(document), spring(),
      menuButton("Share", "share", () => [...listShares(shell, document, []), { text: "Copy as Python", run: () => this._copyPython() }, { text: "Files", note: ".zip with TOML", run: () => this._keep((id) => this._saveFiles(id)) }]),
      menuButton("Use", "map", () => ["map", "world"].map((name) => ({ text: `In a ${name}`, note: "saves it on the server", run: () => this._keep((id) => { location.hash = `#/${name}?tileset=${id}`; }) }))));
  }

  /** Store the set on the server, then do something with it. @param {(id: string) => any} then */
  async _keep(then) {
    const { base, tables, tiles } = this.set;
    try {
      this._auditing?.abort();
      this._save();
      await then((await post("/drafts/tileset", { base, tables: { ...tables, tiles } })).id);
    } catch (error) { this._explain(error); }
  }

  async _saveFiles(/** @type {string} */ id) {
    download(`${this.set.tables.name || "tiles"}.zip`, await (await request(`/tilesets/${id}/tiles.zip`)).blob());
    this.shell.say("The tile set is in your downloads.");
  }

  async _copyPython() {
    const { size, seed } = this.set.settings, body = JSON.stringify({ tables: toTables(this.set), width: size, height: size, seed });
    try {
      await navigator.clipboard.writeText(await (await request("/drafts/python", { method: "POST", headers: { "Content-Type": "application/json" }, body })).text());
      this.shell.say("Copied.");
    } catch (error) { this._explain(error); }
  }

  /** A tile set to begin with. @param {string} base @returns {Promise<any>} */
  async _load(base) {
    const { tables, files } = await get(`/drafts/bases/${encodeURIComponent(base)}`, this.stop.signal);
    if (tables.learned || tables.topology === "cube") throw new Error("Only sets of drawn tiles for squares or hexagons can be changed here.");
    this.art = await Art.read(files);
    return readTables(base, tables, this.art.palette());
  }
}
