/** Tiles: draw them, give their sides sockets, and see with every change what maps they make. */

import { get, post } from "../app/api.js";
import { setShortcuts } from "../app/keyboard.js";
import { LatestQuestion } from "../app/latest-question.js";
import { newId, thumbnail } from "../app/recent.js";
import { saveTiles, shareItems } from "../app/share.js";
import { findDocument, View } from "../app/view.js";
import { Board } from "../board/board.js";
import { hexCells, hexGeometry, squareGeometry } from "../board/geometry.js";
import { listenToPointer } from "../board/pointer.js";
import { divider, menuButton, spring, undoButtons, undoKeys } from "../parts/bar.js";
import { button } from "../parts/controls.js";
import { fill, h, keepFocus } from "../parts/element.js";
import { Brush } from "../parts/pixels.js";
import { Art } from "./tiles/art.js";
import { buildEditor } from "./tiles/editor.js";
import { askForPictures, listBeginnings } from "./tiles/open.js";
import { buildPanels } from "./tiles/panels.js";
import { describeRules, listSockets, newName, readTables, sidesOf, TilesDocument, toTables } from "./tiles/set.js";

const PATIENCE = 150, SETTLED = 1500; // milliseconds until an older question is given up, and until the check begins

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const given = await findDocument(address);
  await new TilesView(shell).open(address, given);
}

export class TilesView extends View {
  /** @param {import("../app/shell.js").Shell} shell */
  constructor(shell) {
    super(shell, new TilesDocument());
    this.selected = this.side = 0;
    this.tab = "tile";
    this.art = new Art();
    this.rules = /** @type {any} */ (null); // what the service says of the set: patterns and neighbours
    this.report = /** @type {any} */ (null); // the audit
    this.atlas = /** @type {any} */ (null);
    /** @type {{here: number, there: number, side: number, allowed: boolean}|undefined} */
    this._pair = undefined;
    this._rulesFor = ""; // the tables that `rules` are about
    this._mapRules = this.rules; // those that the numbers on the map are about
    this._asked = "";
    this._question = new LatestQuestion((/** @type {import("./tiles/set.js").TileSet} */ set, signal) => this.guard(() => this._grow(set, signal)), PATIENCE);
    this.brush = new Brush(() => this.editor.update());
    this.list = h("nav", { class: "tile-list", "aria-label": "Tiles of the set" });
    this.editor = buildEditor(this);
    this.panels = buildPanels(this);
    const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "A sample map of these tiles" });
    shell.stage.append(h("div", { class: "page tiles", ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
      ondrop: (/** @type {DragEvent} */ event) => { event.preventDefault(); askForPictures(this, [...(event.dataTransfer?.files ?? [])]); } }, this.list, this.editor.element, h("div", { class: "sample-map skeleton" }, canvas)));
    this.board = new Board(canvas);
    const at = (/** @type {number} */ cell) => this.rules?.patterns[this.board.patterns[cell]];
    this._stopPointer = listenToPointer(this.board, { hover: (cell) => shell.hover(at(cell)?.name ?? ""), press: (cell) => this.choose({ selected: at(cell)?.tile ?? this.selected }) });
    this.document.addEventListener("change", (event) => this._changed(/** @type {CustomEvent} */ (event).detail));
    const move = (/** @type {number} */ by) => () => this.choose({ selected: (this.selected + by + this.set.tiles.length) % this.set.tiles.length });
    setShortcuts([...this.brush.shortcuts, { key: ".", does: "next tile", run: move(1) }, { key: ",", does: "previous tile", run: move(-1) },
      { key: "S", does: "another seed", run: () => this._anotherSeed() }, { key: "N", does: "new tile", run: () => this.addTile() }, ...undoKeys(this.document)]);
  }

  /** A tile set, or the starter. @param {URLSearchParams} address */
  async begin(address) { this.restart(await this._read({ base: address.get("tileset") ?? "starter-square" })); }

  /** @param {any} data */
  async load(data) { this.document.load({ ...data, beginning: await this._read(data.beginning ?? {}) }); }

  /** A beginning, of which a document may have the base alone; its pictures. @param {any} beginning */
  async _read({ base, ...all }) {
    const answer = base && await get(`/drafts/bases/${encodeURIComponent(base)}`, this.signal), set = base ? readTables(base, answer) : { base, ...all };
    if (base) this.art = await Art.read(answer.files);
    this.selected = Math.max(0, set.tiles?.findIndex((/** @type {any} */ { sockets }) => new Set(sockets).size > 1) ?? 0); // one that says something
    return set;
  }

  /** @returns {import("./tiles/set.js").TileSet} */
  get set() { return /** @type {any} */ (this.document.state); }

  close() {
    super.close();
    this._question.close();
    this._auditing?.abort();
    clearTimeout(this._settling);
    this._stopPointer();
    this.board.close();
  }

  /** A new document. @param {any} beginning */
  restart(beginning) {
    this.id = newId();
    this.document.load({ version: 1, view: "tiles", beginning, commands: [] });
  }

  /** Choose what is shown. @param {{selected?: number, side?: number, tab?: string}} what */
  choose(what) {
    Object.assign(this, what);
    this._show();
  }

  /** @param {any} change @param {number} [index] @param {string} [merge] */
  changeTile(change, index = this.selected, merge) { this.document.apply({ do: "tile", index, change, merge }); }

  /** A tile with these sockets, and a picture that goes with them; without any where pairs alone say what fits. @param {string[]} [given] @param {any} [symmetry] */
  addTile(given, symmetry = "fixed", more = {}) {
    const { set, selected, art, atlas } = this, all = listSockets(set), sockets = given ?? (all.length || !set.tiles.length ? set.tiles[0]?.sockets ?? sidesOf(set).map(() => all[0] ?? "a") : undefined);
    const drawn = !set.tiles.length ? undefined : sockets && atlas ? art.compose(set, this.rules, atlas, sockets) : art.sample(set, selected);
    this.document.apply({ do: "add", tiles: [{ name: newName(set.tiles.map(({ name }) => name), "new tile"), sockets, symmetry, drawn, ...more }] });
    this.choose({ selected: this.set.tiles.length - 1, tab: "tile" });
  }

  /** Patterns of a tile. @param {number} tile @returns {any[]} */
  patternsOf(tile) { return this.rules?.patterns.filter((/** @type {any} */ each) => each.tile === tile) ?? []; }

  /** What may stand on a side of a pattern. @param {number} pattern @param {number} side @returns {number[]} */
  neighbours(pattern, side) {
    const { neighbours, kinds } = this.rules, { class_of, rows } = neighbours[side];
    return rows[class_of[pattern]].filter((/** @type {number} */ each) => kinds[each] < 0 || kinds[each] !== kinds[pattern]);
  }

  /** Allow or forbid a pair. @param {number} here @param {number} there @param {boolean} allowed */
  setPair(here, there, allowed) {
    const [from, to] = [here, there].map((at) => { const { name, tile } = this.rules.patterns[at]; return name.includes("@") || this.patternsOf(tile).length === 1 ? name : `${name}@0`; });
    this._pair = { here, there, side: this.side, allowed };
    this.document.apply({ do: "pair", here: from, there: to, side: sidesOf(this.set)[this.side], allowed });
  }

  /** Two patterns side by side. @param {number} here @param {number} there */
  drawPair(here, there) {
    const { width, height } = this.atlas, count = sidesOf(this.set).length, angle = ((this.side - 1) * 2 * Math.PI) / count, dx = Math.round(Math.cos(angle) * width), dy = Math.round(Math.sin(angle) * (count === 4 ? height : width));
    const canvas = h("canvas", { width: width + Math.abs(dx), height: height + Math.abs(dy) }), ink = canvas.getContext("2d");
    this.atlas.draw(ink, here, Math.max(0, -dx), Math.max(0, -dy));
    this.atlas.draw(ink, there, Math.max(0, dx), Math.max(0, dy));
    return canvas;
  }

  // Changes

  _changed(/** @type {any} */ command) {
    const { set } = this, tables = toTables(set), asked = JSON.stringify([tables, set.settings]), isNew = asked !== this._asked;
    this.selected = Math.max(0, Math.min(this.selected, set.tiles.length - 1));
    this._asked = asked;
    if (isNew) { this._audit(tables); this._question.ask(set); } else this._redraw();
    this._show(command.merge);
  }

  get isWorthSaving() { return super.isWorthSaving || !this.document.beginning.base; }

  get subject() { return { name: this.set.tables.name || "My tiles", size: `${this.set.tiles.length} tiles` }; }
  takePicture() { return thumbnail(this.board.picture); }

  /** Ask for rules, if they are new, and a map. */
  async _grow(/** @type {import("./tiles/set.js").TileSet} */ set, /** @type {AbortSignal} */ signal) {
    if (!set.tiles.length) throw new Error("There are no tiles. Add one, or open a set.");
    const { board } = this, began = performance.now(), tables = toTables(set), { size, seed } = set.settings, rulesFor = describeRules(set);
    if (rulesFor !== this._rulesFor) {
      this.rules = await post("/drafts/rules", { tables }, signal);
      this._rulesFor = rulesFor;
      this._redraw();
      this._show();
    }
    const answer = await post("/drafts", { tables, width: size, height: size, seed }, signal), ms = Math.round(performance.now() - began);
    if (describeRules(this.set) !== rulesFor) return; // the next answer draws: these numbers are not those of its patterns
    this._mapRules = this.rules;
    if (board.patterns.length !== answer.patterns.length) this._redraw();
    answer.patterns.forEach((/** @type {number} */ pattern, /** @type {number} */ cell) => { if (board.patterns[cell] !== pattern) board.set(cell, pattern); });
    board.canvas.dataset.milliseconds = String(ms);
    board.canvas.parentElement?.classList.remove("skeleton");
    this.shell.closeCard();
    const { here, there, side, allowed } = this._pair ?? {}, isOverruled = here !== undefined && this.neighbours(here, /** @type {any} */ (side)).includes(/** @type {any} */ (there)) !== allowed;
    this._pair = undefined;
    this.shell.say(isOverruled ? "Another rule decides about this pair: sockets and longer rules come first." : `${size} × ${size} cells in ${ms} ms, of which the solver took ${answer.milliseconds} ms`, isOverruled ? "warn" : "");
  }

  /** @param {any} error */
  showProblem({ name, message, document, advice = "" }) {
    const isStuck = ["Contradiction", "OutOfBudget"].includes(name), title = isStuck ? "No map fits together" : document?.title ?? "That did not work";
    this.shell.say(`${title}.`, "warn");
    const undo = button("Undo", () => this.document.undo(), { symbol: "undo", kind: "main", isDisabled: !this.document.canUndo });
    this.shell.showCard("warn", title,
      isStuck ? `Some sides have nothing that fits beside them: give them a socket that another tile has, or allow a pair.\n${message}` : `${message} ${advice}`, [undo, button("Show the check", () => this.choose({ tab: "check" }))]);
  }

  /** Check the set in the background, once nothing has changed for a while. */
  _audit(/** @type {any} */ tables) {
    clearTimeout(this._settling);
    this._auditing?.abort();
    this.report = null;
    this._settling = setTimeout(async () => {
      const { signal } = (this._auditing = new AbortController());
      try { this.report = await post("/drafts/audit", { tables }, signal); } catch (error) {
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
    const { set, rules, board, art } = this, { size } = set.settings, [width, height] = art.size(set), before = board.patterns;
    if (!rules || describeRules(set) !== this._rulesFor) return; // other rules are asked for: then it is drawn
    this.atlas = art.atlas(set, rules.patterns);
    board.open(set.tables.topology === "hex" ? hexGeometry(hexCells({ width: size, height: size }), width, height) : squareGeometry(size, size, width), this.atlas);
    if (this._mapRules === rules && before.length === board.patterns.length) before.forEach((pattern, cell) => board.set(cell, pattern));
  }

  /** @param {string} [merge] what moves: a stroke or a slider, which stays as it is */
  _show(merge) {
    const { set, selected, art, shell } = this;
    keepFocus([shell.bar, this.list, this.editor.element, shell.inspector], () => {
      this._showBar();
      if (!merge || merge === "stroke") this.editor.update();
      if (merge) return this.list.children[selected]?.firstChild?.replaceWith(art.thumbnail(set, selected));
      this._showList();
      this.panels.update();
    });
  }

  _showList() {
    const { set, selected, art } = this;
    fill(this.list, ...set.tiles.map((tile, index) => h("button", { type: "button", "aria-current": index === selected ? "true" : null, onclick: () => this.choose({ selected: index }) }, art.thumbnail(set, index), h("span", {}, tile.name))),
      button("New tile", () => this.addTile(), { symbol: "add", key: "N" }));
    this.list.children[selected]?.scrollIntoView({ block: "nearest" });
  }

  _showBar() {
    const { set, document, shell } = this;
    fill(shell.bar, menuButton("Open", "drop", () => listBeginnings(this)),
      h("input", { type: "text", value: set.tables.name ?? "", "aria-label": "Name of the set", maxlength: 100, onchange: (/** @type {any} */ event) => document.apply({ do: "title", name: event.target.value }) }), divider(),
      button("Another seed", () => this._anotherSeed(), { symbol: "dice", key: "S" }), divider(), ...undoButtons(document), spring(),
      menuButton("Share", "share", () => this._listShares()),
      menuButton("Use", "map", () => ["map", "world"].map((name) => ({ text: `In a ${name}`, note: "saves it on the server", run: () => this._keep((id) => { location.hash = `#/${name}?tileset=${id}`; }) }))));
  }

  /** Store the set on the server, then do something with it. @param {(id: string) => any} then */
  _keep(then) {
    this._auditing?.abort();
    this.shell.say("Saving …");
    return this.guard(async () => { await then(await this._store()); this.shell.say("Saved."); });
  }

  /** Code reads the files of the set, which the server writes: it is stored there first. */
  _listShares() {
    const { size, seed } = this.set.settings;
    let stored = "";
    const ask = async () => {
      stored = await this._store();
      return post("/solves/code", { tileset: stored, topology: { width: size, height: size }, seed, refine: false });
    };
    return [...shareItems(this, ask, { saveFile: (name) => saveTiles(stored, name) }),
      { text: "Tile set files", note: ".zip", run: () => this._keep((id) => saveTiles(id, `${this.fileName}.zip`)) }];
  }

  /** Store the set on the server. @returns {Promise<string>} its id */
  async _store() {
    const { base, tables, tiles } = this.set;
    return (await post("/drafts/tileset", { base, tables: { ...tables, tiles } })).id;
  }
}
