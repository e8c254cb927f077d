/** Tiles: draw them, give their sides sockets, and see with every change what maps they make. */

import { get, post } from "../app/api.js";
import { setShortcuts } from "../app/keyboard.js";
import { LatestQuestion } from "../app/latest-question.js";
import { count } from "../app/names.js";
import { newId, thumbnail } from "../app/recent.js";
import { ENDING } from "../app/share.js";
import { findDocument, View } from "../app/view.js";
import { Board } from "../board/board.js";
import { hexCells, hexGeometry, squareGeometry } from "../board/geometry.js";
import { listenToPointer } from "../board/pointer.js";
import { undoKeys } from "../parts/bar.js";
import { button } from "../parts/controls.js";
import { fill, h, keepFocus } from "../parts/element.js";
import { Brush } from "../parts/pixels.js";
import { Art } from "./tiles/art.js";
import { listTools } from "./tiles/bar.js";
import { Check } from "./tiles/check.js";
import { buildEditor } from "./tiles/editor.js";
import { askForPictures } from "./tiles/open.js";
import { describePair, listNeighbours } from "./tiles/pairs.js";
import { buildTilePanels } from "./tiles/panels.js";
import { describeRules, listSockets, newName, readTables, sidesOf, TilesDocument, toTables } from "./tiles/set.js";

/** @typedef {import("./tiles/set.js").TileSet} TileSet */

const PATIENCE = 150; // milliseconds until an older question is given up

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
    this.atlas = /** @type {any} */ (null);
    this._pair = /** @type {import("./tiles/pairs.js").Pair|undefined} */ (undefined); // that was changed last
    this._rulesFor = ""; // the tables that `rules` are about
    this._mapRules = this.rules; // those that the numbers on the map are about
    this._asked = "";
    const grow = (/** @type {TileSet} */ set, /** @type {AbortSignal} */ signal) => this.guard(() => this._grow(set, signal));
    this._question = new LatestQuestion(grow, PATIENCE);
    this.check = new Check(() => keepFocus([shell.inspector], () => this.panels.update()));
    this.brush = new Brush(() => this.editor.update());
    this.list = h("nav", { class: "tile-list", "aria-label": "Tiles of the set" });
    this.editor = buildEditor(this);
    this.panels = buildTilePanels(this);
    const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "A sample map of these tiles" });
    const drop = (/** @type {DragEvent} */ event) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.some(({ name }) => name.endsWith(ENDING))) return; // the page opens it
      event.preventDefault();
      askForPictures(this, files);
    };
    const ondragover = (/** @type {DragEvent} */ event) => event.preventDefault();
    shell.stage.append(h("div", { class: "page tiles", ondragover, ondrop: drop },
      this.list, this.editor.element, h("div", { class: "sample-map skeleton" }, canvas)));
    this.board = new Board(canvas);
    this._listen();
  }

  _listen() {
    const { shell, board, document } = this, at = (/** @type {number} */ cell) => this.rules?.patterns[board.patterns[cell]];
    this._stopPointer = listenToPointer(board, { hover: (cell) => shell.hover(at(cell)?.name ?? ""),
      press: (cell) => this.choose({ selected: at(cell)?.tile ?? this.selected }) });
    document.addEventListener("change", (event) => this._changed(/** @type {CustomEvent} */ (event).detail));
    const move = (/** @type {number} */ by) => () => {
      const { length } = this.set.tiles;
      this.choose({ selected: (this.selected + by + length) % length });
    };
    setShortcuts([...this.brush.shortcuts,
      { key: ".", does: "next tile", run: move(1) }, { key: ",", does: "previous tile", run: move(-1) },
      { key: "S", does: "another seed", run: () => this.anotherSeed() },
      { key: "N", does: "new tile", run: () => this.addTile() }, ...undoKeys(document)]);
  }

  /** A tile set, or the starter. @param {URLSearchParams} address */
  async begin(address) { this.restart(await this._read({ base: address.get("tileset") ?? "starter-square" })); }

  /** @param {any} data */
  async load(data) { this.document.load({ ...data, beginning: await this._read(data.beginning ?? {}) }); }

  /** A beginning, of which a document may have the base alone; its pictures. @param {any} beginning */
  async _read({ base, ...all }) {
    const answer = base && await get(`/drafts/bases/${encodeURIComponent(base)}`, this.signal);
    const set = base ? readTables(base, answer) : { base, ...all };
    if (base) this.art = await Art.read(answer.files);
    const telling = set.tiles?.findIndex((/** @type {any} */ { sockets }) => new Set(sockets).size > 1) ?? 0; // its sides differ
    this.selected = Math.max(0, telling);
    return set;
  }

  /** @returns {import("./tiles/set.js").TileSet} */
  get set() { return /** @type {any} */ (this.document.state); }

  close() {
    super.close();
    this._question.close();
    this.check.stop();
    this._stopPointer?.();
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

  /**
   * A tile with these sockets, and a picture that goes with them; without any where pairs alone say what fits.
   * @param {string[]} [given] @param {any} [symmetry]
   */
  addTile(given, symmetry = "fixed", more = {}) {
    const { set, selected, art, atlas } = this, isFirst = !set.tiles.length, all = listSockets(set);
    const usual = () => set.tiles[0]?.sockets ?? sidesOf(set).map(() => all[0] ?? "a");
    const sockets = given ?? (all.length || isFirst ? usual() : undefined);
    const draw = () => (sockets && atlas ? art.compose(set, this.rules, atlas, sockets) : art.sample(set, selected));
    const name = newName(set.tiles.map((each) => each.name), "new tile");
    this.document.apply({ do: "add", tiles: [{ name, sockets, symmetry, drawn: isFirst ? undefined : draw(), ...more }] });
    this.choose({ selected: this.set.tiles.length - 1, tab: "tile" });
  }

  /** Allow or forbid a pair. @param {number} here @param {number} there @param {boolean} allowed */
  setPair(here, there, allowed) {
    this._pair = { here, there, side: this.side, allowed };
    this.document.apply(describePair(this.rules, this.set, this._pair));
  }

  anotherSeed() { this.document.apply({ do: "set", key: "seed", value: this.set.settings.seed + 1 }); }

  // Changes

  _changed(/** @type {any} */ command) {
    const { set } = this, tables = toTables(set), asked = JSON.stringify([tables, set.settings]), isNew = asked !== this._asked;
    this.selected = Math.max(0, Math.min(this.selected, set.tiles.length - 1));
    this._asked = asked;
    if (isNew) {
      this.check.begin(tables);
      this._question.ask(set);
    } else this._redraw();
    this._show(command.merge);
  }

  get isWorthSaving() { return super.isWorthSaving || !this.document.beginning.base; }

  get subject() { return { name: this.set.tables.name || "My tiles", size: count(this.set.tiles.length, "tile") }; }
  takePicture() { return thumbnail(this.board.picture); }

  /** Ask for rules, if they are new, and a map. */
  async _grow(/** @type {TileSet} */ set, /** @type {AbortSignal} */ signal) {
    if (!set.tiles.length) throw new Error("There are no tiles. Add one, or open a set.");
    const { board } = this, began = performance.now(), { size, seed } = set.settings;
    const tables = toTables(set), rulesFor = describeRules(set);
    if (rulesFor !== this._rulesFor) {
      this.rules = await post("/drafts/rules", { tables }, signal);
      this._rulesFor = rulesFor;
      this._redraw();
      this._show();
    }
    const { patterns, milliseconds } = await post("/drafts", { tables, width: size, height: size, seed }, signal);
    if (describeRules(this.set) !== rulesFor) return; // the next answer draws: these numbers are not those of its patterns
    this._mapRules = this.rules;
    if (board.patterns.length !== patterns.length) this._redraw();
    patterns.forEach((/** @type {number} */ pattern, /** @type {number} */ cell) => {
      if (board.patterns[cell] !== pattern) board.set(cell, pattern);
    });
    const all = Math.round(performance.now() - began);
    board.canvas.dataset.milliseconds = String(all);
    board.canvas.parentElement?.classList.remove("skeleton");
    this.shell.closeCard();
    this._tell(`${size} × ${size} cells in ${all} ms, of which the solver took ${milliseconds} ms`);
  }

  /** Say how it went, unless a pair is not as it was asked for. @param {string} text */
  _tell(text) {
    const pair = this._pair, fits = pair && listNeighbours(this.rules, pair.here, pair.side).includes(pair.there);
    const isOverruled = fits !== pair?.allowed;
    this._pair = undefined;
    if (isOverruled) this.shell.say("Another rule decides about this pair: sockets and longer rules come first.", "warn");
    else this.shell.say(text);
  }

  /** @param {any} error */
  showProblem({ name, message, document, advice = "" }) {
    const isStuck = ["Contradiction", "OutOfBudget"].includes(name);
    const title = isStuck ? "No map fits together" : document?.title ?? "That did not work";
    const hint = "Some sides have nothing that fits beside them: give them a socket that another tile has, or allow a pair.";
    this.shell.say(`${title}.`, "warn");
    this.shell.showCard("warn", title, isStuck ? `${hint}\n${message}` : `${message} ${advice}`, [
      button("Undo", () => this.document.undo(), { symbol: "undo", kind: "main", isDisabled: !this.document.canUndo }),
      button("Show the check", () => this.choose({ tab: "check" }))]);
  }

  // What is shown

  /** Draw patterns and the map again. */
  _redraw() {
    const { set, rules, board, art } = this, { size } = set.settings, [width, height] = art.size(set), before = board.patterns;
    if (!rules || describeRules(set) !== this._rulesFor) return; // other rules are asked for: then it is drawn
    this.atlas = art.atlas(set, rules.patterns);
    const hexagons = () => hexGeometry(hexCells({ width: size, height: size }), width, height);
    board.open(set.tables.topology === "hex" ? hexagons() : squareGeometry(size, size, width), this.atlas);
    const isSameMap = this._mapRules === rules && before.length === board.patterns.length;
    if (isSameMap) before.forEach((pattern, cell) => board.set(cell, pattern));
  }

  /** @param {string} [merge] what moves: a stroke or a slider, which stays as it is */
  _show(merge) {
    const { set, selected, art, shell } = this;
    keepFocus([shell.bar, this.list, this.editor.element, shell.inspector], () => {
      fill(shell.bar, ...listTools(this));
      if (!merge || merge === "stroke") this.editor.update();
      if (merge) return this.list.children[selected]?.firstChild?.replaceWith(art.thumbnail(set, selected));
      this._showList();
      this.panels.update();
    });
  }

  _showList() {
    const { set, selected, art } = this;
    const tiles = set.tiles.map(({ name }, index) => h("button", {
      type: "button", "aria-current": index === selected ? "true" : null,
      onclick: () => this.choose({ selected: index }) }, art.thumbnail(set, index), h("span", {}, name)));
    fill(this.list, ...tiles, button("New tile", () => this.addTile(), { symbol: "add", key: "N" }));
    this.list.children[selected]?.scrollIntoView({ block: "nearest" });
  }
}
