/** Map: watch the solver, pin what matters, paint, and take the result along. */

import { get, post, request } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { findRecent, newId, saveRecent } from "../app/recent.js";
import { decodeDocument, download, encodeDocument, LONGEST_LINK } from "../app/share.js";
import { Board } from "../board/board.js";
import { listenToPointer } from "../board/pointer.js";
import { button, choice, numberField } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { openMenu } from "../parts/menu.js";
import { buildInspector } from "./map/inspector.js";
import { Player } from "./map/player.js";
import { beginning, findPins, reducers, toCommand, toPython } from "./map/reducers.js";

const EXPORTS = [["png", "Picture"], ["tmx", "Tiled map"], ["ldtk", "LDtk project"], ["tscn", "Godot scene"], ["json", "wavefold map"], ["csv", "Table of numbers"], ["svg", "Vector picture"]];

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const { tilesets } = await get("/tilesets"), flat = tilesets.filter((/** @type {any} */ each) => each.topology !== "cube");
  const view = new MapView(shell, flat);
  await view.begin(address);
  return () => view.close();
}

class MapView {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets */
  constructor(shell, tilesets) {
    this.shell = shell;
    this.tilesets = tilesets;
    this.id = newId();
    this.tool = "brush";
    this.tile = "";
    this.selection = /** @type {number[]} */ ([]);
    this.hovered = -1;
    this.showsPins = true;
    const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "Map: arrow keys move, Enter pins the chosen tile" });
    shell.stage.append(canvas);
    this.board = new Board(canvas);
    this.player = new Player(this.board);
    this.document = new StudioDocument("map", {}, reducers);
    this.inspector = buildInspector(this);
    this.board.overlays.push((ink) => this._drawMarks(ink));
    this._stopPointer = listenToPointer(this.board, {
      hover: (cell) => this._hover(cell),
      press: (cell) => this._press(cell),
      stroke: (cell) => this._stroke(cell),
      release: () => this._release(),
    });
    this.player.addEventListener("status", () => this._showStatus());
    this.player.addEventListener("lost", () => shell.say("The connection to the server was lost; trying again …", "warn"));
    this.document.addEventListener("change", (event) => this._changed(/** @type {CustomEvent} */ (event).detail));
    this._redraw = () => this.board.draw();
    addEventListener("theme", this._redraw);
    setShortcuts(this._shortcuts());
  }

  /** Open what the address names: a shared document, a recent one, or a tile set. @param {URLSearchParams} address */
  async begin(address) {
    const shared = address.get("open"), recent = findRecent(address.get("document") ?? "");
    if (shared) this.document.load(await decodeDocument(shared));
    else if (recent) { this.id = recent.id; this.document.load(recent.document); }
    else {
      const asked = address.get("tileset") ?? "terrain", tileset = this.tilesets.find(({ id }) => id === asked) ?? this.tilesets[0];
      this.document.beginning = beginning(tileset, Number(address.get("seed") ?? 7));
      this._changed({ do: "load" });
    }
  }

  get state() {
    return /** @type {import("./map/player.js").MapState} */ (this.document.state);
  }

  close() {
    this._stopPointer();
    this.player.close();
    this.board.close();
    removeEventListener("theme", this._redraw);
  }

  /** @param {any} command */
  apply(command) {
    this.document.apply(command);
  }

  /** Choose another tile set. @param {string} id */
  choose(id) {
    location.hash = `#/map?tileset=${encodeURIComponent(id)}&seed=${this.state.request.seed}`;
  }

  anotherSeed() {
    this.apply({ do: "seed", seed: (this.state.request.seed + 1) % 1_000_000 });
  }

  async toggleRun() {
    if (this.player.isRunning) return this.player.pause();
    if (this.player.status.status === "solved") return this.anotherSeed();
    return this._guard(() => this.player.run());
  }

  // Changes of the document

  async _changed(/** @type {any} */ command) {
    const isFresh = ["load", "seed", "size", "settings", "weights", "constraints"].includes(command.do);
    await this._guard(async () => {
      await this.player.show(this.state);
      if (isFresh && !this.state.commands.length) await this.player.run();
      else if (this.player.status.status !== "solved") await this.player.run("max", "boards");
    });
    this._showBar();
    this.inspector.update();
    this._save();
  }

  /** Run something, and show what goes wrong in words. @param {() => Promise<any>} work */
  async _guard(work) {
    try {
      return await work();
    } catch (error) {
      const problem = /** @type {any} */ (error);
      if (problem.name === "Superseded" || problem.name === "Offline") return;
      if (problem.name === "Contradiction") return this._showContradiction(problem);
      this.shell.showCard("error", problem.document?.title ?? "That did not work", `${problem.message} ${problem.advice ?? ""}`);
    }
  }

  _showContradiction(/** @type {any} */ problem) {
    const undo = button("Undo", () => { this.shell.closeCard(); this.document.undo(); }, { kind: "main", symbol: "undo" });
    this.shell.showCard("error", "This cannot be", problem.message, [undo]);
  }

  _save() {
    const { request } = this.state, name = this.player.tileset?.name ?? request.tileset;
    saveRecent({ id: this.id, view: "map", title: `${name}, seed ${request.seed}`, when: Date.now(), document: this.document.toJSON() });
  }

  // Hands

  _hover(/** @type {number} */ cell) {
    this.hovered = cell;
    this.board.draw();
    if (cell < 0) { this.shell.hover(""); this.inspector.showDomain(null); return; }
    const where = this.board.geometry?.coordinates(cell).join(", "), left = this.player.wave.left[cell], pattern = this.player.wave.pattern(cell);
    const what = left === 1 ? this.player.tileset.patterns[pattern].name : `${left} possible`;
    this.shell.hover(`${where} · ${what}`);
    this.inspector.askDomain(cell);
  }

  _press(/** @type {number} */ cell) {
    if (this.tool === "pick") { this.tile = this._tileAt(cell) || this.tile; this.tool = "brush"; this.inspector.update(); return false; }
    if (this.tool === "select") { this._corner = cell; this.selection = [cell]; this.board.draw(); return true; }
    if (!this.tile && this.tool === "brush") return false;
    this._strokes = [];
    this._stroke(cell);
    return true;
  }

  _stroke(/** @type {number} */ cell) {
    if (this.tool === "select") { this.selection = this._between(this._corner ?? cell, cell); this.board.draw(); return; }
    const at = this.board.geometry?.coordinates(cell), isFinished = this.player.status.status === "solved";
    let command = isFinished ? { command: "paint", cells: [cell], at, tile: this.tile } : { command: "pin", cell, at, tile: this.tile };
    if (this.tool === "erase") command = /** @type {any} */ ({ command: "unpin", cells: [cell] });
    this._strokes?.push(this._guard(() => this.player.anticipate(command).then(() => command)));
  }

  async _release() {
    const done = (await Promise.all(this._strokes ?? [])).filter(Boolean);
    this._strokes = [];
    if (done.length) this.apply({ do: done[0].command === "pin" ? "pin" : "edit", commands: done });
  }

  /** All cells in the rectangle between two. @param {number} one @param {number} other */
  _between(one, other) {
    const geometry = /** @type {any} */ (this.board.geometry), [a, b] = [one, other].map((each) => geometry.corner(each)), found = [];
    const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])], [top, bottom] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
    for (let cell = 0; cell < geometry.count; cell++) {
      const [x, y] = geometry.corner(cell);
      if (x >= left && x <= right && y >= top && y <= bottom) found.push(cell);
    }
    return found;
  }

  /** "Not like this": the selection becomes something else. */
  regrow() {
    if (!this.selection.length) return this.shell.say("Select an area first: key A, then drag.", "warn");
    if (this.player.status.status !== "solved") return this.shell.say("Only a finished map can be regrown.", "warn");
    const seed = this.state.commands.filter(({ command }) => command === "regrow").length + 1;
    this.apply({ do: "edit", commands: [{ command: "regrow", cells: this.selection, seed }] });
  }

  _tileAt(/** @type {number} */ cell) {
    const pattern = this.player.wave.pattern(cell);
    return this.player.tileset.patterns[pattern]?.tile ?? "";
  }

  _drawMarks(/** @type {CanvasRenderingContext2D} */ ink) {
    const style = getComputedStyle(this.board.canvas), mark = (/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number} */ width) => {
      ink.strokeStyle = colour;
      ink.lineWidth = width * devicePixelRatio;
      ink.beginPath();
      this.board.trace(cell);
      ink.stroke();
    };
    const accent = style.getPropertyValue("--accent");
    for (const { command, cell, cells } of this.state.commands ?? []) {
      if (command === "pin") mark(cell, accent, 2);
      if (command === "paint" && this.showsPins) for (const each of cells) mark(each, accent, 2);
    }
    if (this.selection.length > 1) this._drawSelection(ink, accent);
    if (this.hovered >= 0) { mark(this.hovered, "rgb(0 0 0 / .6)", 3); mark(this.hovered, "#fff", 1.5); }
  }

  _drawSelection(/** @type {CanvasRenderingContext2D} */ ink, /** @type {string} */ accent) {
    ink.beginPath();
    for (const cell of this.selection) this.board.trace(cell);
    ink.fillStyle = `color-mix(in srgb, ${accent} 28%, transparent)`;
    ink.fill();
  }

  // Bar and status

  _showBar() {
    const { request } = this.state, { document, shell } = this, size = request.topology;
    fill(shell.bar,
      choice("Tiles", this.tilesets.map(({ id, name }) => [id, name]), request.tileset, (id) => this.choose(id), true),
      numberField("Seed", request.seed, (seed) => this.apply({ do: "seed", seed }), { isInline: true }),
      button("Another seed", () => this.anotherSeed(), { symbol: "dice", isIconOnly: true, key: "S" }),
      h("span", { class: "divider" }),
      numberField("Size", size.width, (width) => this.apply({ do: "size", topology: { width } }), { min: 2, max: 512, isInline: true }),
      numberField("×", size.height, (height) => this.apply({ do: "size", topology: { height } }), { min: 2, max: 512, isInline: true }),
      h("span", { class: "divider" }),
      h("span", { class: "group" },
        button("Step back", () => this._guard(() => this.player.back()), { symbol: "back", isIconOnly: true, key: "," }),
        this._run = button("Run", () => this.toggleRun(), { symbol: "run", key: "Space" }),
        button("Step", () => this._guard(() => this.player.step()), { symbol: "step", isIconOnly: true, key: "." })),
      h("span", { class: "divider" }),
      button("Undo", () => document.undo(), { symbol: "undo", isIconOnly: true, key: "Ctrl+Z", isDisabled: !document.canUndo }),
      button("Redo", () => document.redo(), { symbol: "redo", isIconOnly: true, key: "Ctrl+Shift+Z", isDisabled: !document.canRedo }),
      h("span", { class: "spring" }),
      button("Whole map", () => this.board.fit(), { symbol: "fit", isIconOnly: true, key: "0" }),
      this._menuButton("Share", "share", () => this._shareItems()),
      this._menuButton("Export", "export", () => EXPORTS.map(([ending, text]) => ({ text, note: `.${ending}`, run: () => this._export(ending) }))));
  }

  _menuButton(/** @type {string} */ label, /** @type {string} */ symbol, /** @type {() => any[]} */ items) {
    const made = button(label, () => openMenu(made, label, items()), { symbol });
    made.setAttribute("aria-haspopup", "menu");
    return made;
  }

  _showStatus() {
    const { status, isRunning } = this.player;
    if (this._run) this._run.lastChild.textContent = isRunning ? "Pause" : status.status === "solved" ? "Again" : "Run";
    const what = { solved: status.refined ? "Solved and refined" : "Solved", open: isRunning ? "Solving" : "Paused", contradiction: "Contradiction: the next step goes back", impossible: "Impossible" }[/** @type {string} */ (status.status)];
    this.shell.say(`${what} · ${status.decided} of ${status.cells} cells · ${status.decisions} decisions`, status.status === "impossible" ? "error" : "");
    this.inspector.showStatus();
  }

  _shareItems() {
    const copy = (/** @type {string} */ text) => navigator.clipboard.writeText(text).then(() => this.shell.say("Copied."));
    return [
      { text: "Copy link", note: "reproduces this map", run: () => this._shareLink(copy) },
      { text: "Copy as Python", run: () => copy(toPython(this.state, this.player.tileset)) },
      { text: "Copy as command", run: () => copy(toCommand(this.state, this.player.tileset)) },
      { text: "Save as file", note: ".wavefold", run: () => download("map.wavefold", new Blob([JSON.stringify(this.document)])) },
    ];
  }

  async _shareLink(/** @type {(text: string) => Promise<void>} */ copy) {
    const link = `${location.origin}${location.pathname}#/map?open=${await encodeDocument(this.document.toJSON())}`;
    if (link.length <= LONGEST_LINK) return copy(link);
    download("map.wavefold", new Blob([JSON.stringify(this.document)]));
    this.shell.say("This map has too many edits for a link, so it was saved as a file.", "warn");
  }

  async _export(/** @type {string} */ ending) {
    await this._guard(async () => {
      this.shell.say(`Writing map.${ending} …`);
      const { request: body, commands } = this.state;
      const pins = findPins(commands).map(({ at, tile }) => [...at, tile]);
      const { id } = await post("/solves", { ...body, pins });
      const answer = await request(`/solves/${id}/result.${ending}`);
      const isZip = answer.headers.get("content-type")?.includes("zip");
      download(isZip ? "map.zip" : `map.${ending}`, await answer.blob());
      this.shell.say(`map.${isZip ? "zip" : ending} is in your downloads.`);
    });
  }

  _shortcuts() {
    const tool = (/** @type {string} */ name) => () => { this.tool = name; this.inspector.update(); };
    return [
      { key: "Space", does: "run or pause; another map when it is finished", run: () => this.toggleRun() },
      { key: ".", does: "one step", run: () => this._guard(() => this.player.step()) },
      { key: ",", does: "one step back", run: () => this._guard(() => this.player.back()) },
      { key: "S", does: "another seed", run: () => this.anotherSeed() },
      { key: "B", does: "brush: put the chosen tile, and let the rest fit", run: tool("brush") },
      { key: "E", does: "erase pins", run: tool("erase") },
      { key: "I", does: "pick the tile under the cursor", run: tool("pick") },
      { key: "A", does: "select an area", run: tool("select") },
      { key: "R", does: "regrow the selection: not like this", run: () => this.regrow() },
      { key: "Escape", does: "select nothing", run: () => { this.selection = []; this.board.draw(); } },
      { key: "Ctrl+Z", does: "undo", run: () => this.document.undo() },
      { key: "Ctrl+Shift+Z or Ctrl+Y", does: "redo", run: () => this.document.redo() },
      { key: "0", does: "show the whole map", run: () => this.board.fit() },
      { key: "+ or =", does: "zoom in", run: () => this._zoom(1) },
      { key: "-", does: "zoom out", run: () => this._zoom(-1) },
    ];
  }

  _zoom(/** @type {number} */ direction) {
    this.board.camera.step(direction, this.board.canvas.width / 2, this.board.canvas.height / 2);
    this.board.draw();
  }
}
