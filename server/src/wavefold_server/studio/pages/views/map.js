/** Map: watch the solver, pin what matters, paint, and take the result along. */

import { get } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { thumbnail } from "../app/recent.js";
import { chooseTileset } from "../app/tilesets.js";
import { findDocument, View } from "../app/view.js";
import { Board } from "../board/board.js";
import { h } from "../parts/element.js";
import { buildMapBar } from "./map/bar.js";
import { ContactSheet } from "./map/contact-sheet.js";
import { MapHands } from "./map/hands.js";
import { buildMapInspector } from "./map/inspector.js";
import { listMapKeys } from "./map/keys.js";
import { drawMarks } from "./map/marks.js";
import { Player } from "./map/player.js";
import { Possibilities } from "./map/possibilities.js";
import { beginMap, findPins, isMap, mapReducers } from "./map/reducers.js";
import { describeMap } from "./map/sharing.js";
import { buildTimeline } from "./map/timeline.js";
import { showTrouble } from "./map/trouble.js";
import { describeMoment, describeStatus } from "./map/words.js";

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const given = await findDocument(address), { tilesets } = await get("/tilesets", shell.signal);
  await new MapView(shell, tilesets.filter((/** @type {any} */ each) => each.topology !== "cube")).open(address, given);
}

export class MapView extends View {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets */
  constructor(shell, tilesets) {
    super(shell, new StudioDocument("map", {}, mapReducers, isMap));
    this.tilesets = tilesets;
    this.trouble = /** @type {import("./map/trouble.js").Trouble|null} */ (null);
    this._runs = true;
    const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "Map: arrow keys move, Enter uses the tool" });
    shell.stage.append(canvas);
    this.board = new Board(canvas);
    this.player = new Player(this.board);
    this.possibilities = new Possibilities(this);
    this.hands = new MapHands(this);
    this.sheet = new ContactSheet(this);
    this.bar = buildMapBar(this);
    this.inspector = buildMapInspector(this);
    this.timeline = buildTimeline(this);
    this.board.overlays.push((ink) => drawMarks(this, ink));
    this.player.addEventListener("status", () => this._showStatus());
    this.player.addEventListener("moment", () => this._showMoment());
    this.player.addEventListener("lost", () =>
      shell.showCard("warn", "The connection was lost", "Trying again … Nothing is lost: the map is rebuilt from its log."));
    this.player.addEventListener("again", () => this._beginAgain());
    this.document.addEventListener("change", () => this._showDocument());
    setShortcuts(listMapKeys(this));
  }

  /** @param {URLSearchParams} address */
  begin(address) {
    const tileset = chooseTileset(this.shell, this.tilesets, address.get("tileset"), "terrain");
    this.document.beginning = beginMap(tileset, Number(address.get("seed") ?? 7), address);
    this._showDocument();
  }

  get state() {
    return /** @type {import("./map/player.js").MapState} */ (this.document.state);
  }

  get isFinished() {
    return this.player.isFinished;
  }

  close() {
    super.close();
    this.hands.close();
    this.possibilities.close();
    this.sheet.close();
    this.timeline.close();
    this.player.close();
    this.board.close();
  }

  /** @param {any} command of the document @param {boolean} [runs] whether the map is then solved to its end */
  apply(command, runs = true) {
    this._runs = runs;
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
    if (this.isFinished) this.player.scrub(0);
    await this.guard(() => this.player.run());
    this._showImpossible();
  }

  step() { return this.guard(() => this.player.step()); }
  stepBack() { return this.guard(() => this.player.back()); }

  // What stays as it is

  /** Cells that are locked. @returns {number[]} */
  get lockedCells() { return (this.state.locks ?? []).map(([cell]) => cell); }

  /** @param {number} cell */
  isLocked(cell) { return Boolean(this.state.locks?.some(([each]) => each === cell)); }

  /** What is pinned, painted or locked, by cell, in words. @returns {Map<number, string>} */
  nameHeld() {
    const { player: { names }, state: { commands = [], locks = [] } } = this, found = new Map();
    for (const [cell, pattern] of locks) found.set(cell, names.nameOf(pattern));
    for (const { cell, tile } of findPins(commands)) found.set(cell, names.fromService(tile));
    return found;
  }

  /** Where a cell is, in words. @param {number} cell */
  describeCell(cell) { return this.board.geometry?.coordinates(cell).join(", ") ?? ""; }

  // What goes wrong

  /** @param {any} problem @param {import("./map/brush.js").Wanted} [wanted] what was to be put where */
  showProblem(problem, wanted) { showTrouble(this, problem, wanted); }

  /** @param {any} error @param {import("./map/brush.js").Wanted} [wanted] */
  fail(error, wanted) {
    if (error.name === "SessionLost")
      return this._beginAgain().then(() => this.shell.say("That was not done: the map had to be rebuilt. Try again.", "warn"));
    if (error.name !== "Disconnected") return super.fail(error, wanted);
    this.shell.say(wanted ? "Not connected: nothing was painted. Trying again …" : "Not connected. Trying again …", "warn");
  }

  /** A tile does not fit at the moment that is shown. @param {import("./map/brush.js").Wanted} wanted */
  refuse(wanted) {
    const { cell, tile } = wanted, left = this.player.wave.left[cell], isLocked = this.isLocked(cell);
    const why = isLocked ? "this cell is locked" : left === 1 ? "this cell is decided"
      : `what is decided around it leaves ${left} other possibilities`;
    const sentence = `${tile} is not possible at ${this.describeCell(cell)}: ${why}`;
    const explanation = { requirements: isLocked ? [{ cell, text: "" }] : [], sentence };
    showTrouble(this, { name: "Contradiction", document: { explanation } }, wanted);
  }

  clearTrouble() {
    if (this.trouble) this.shell.say(describeStatus(this));
    this.trouble = null;
    this.shell.closeCard();
  }

  /** The session is gone: rebuild it from the document. */
  async _beginAgain() {
    this.clearTrouble();
    this.player.forget();
    await this._showDocument();
  }

  /** The document changed: bring the session there, and show it everywhere. */
  async _showDocument() {
    const runs = this._runs;
    this._runs = true;
    if (!this.trouble?.isPart) this.clearTrouble();
    this.bar.update();
    this.inspector.update();
    await this.guard(() => this.player.show(this.state, runs));
    this._showImpossible();
    this.bar.update();
    this.inspector.update();
    this.hands.hover(this.hands.hovered);
  }

  /** Say why, if it was proved that there is no map. */
  _showImpossible() {
    if (this.player.status.explanation) showTrouble(this, { name: "Impossible", document: this.player.status });
  }

  _showStatus() {
    const { status, isRunning, isApplying } = this.player;
    this.board.canvas.dataset.status = isRunning || isApplying ? "running" : status.status;
    if (status.status === "impossible" && !this.trouble) this.shell.say(describeStatus(this), "error");
    else this._sayWhere();
    this.bar.showStatus();
    this.timeline.update();
    this.inspector.showStatus();
    if (this.isFinished) this.saveLater(); // with its picture
  }

  /** How far the session is, or what happened at the moment that is shown. */
  _sayWhere() {
    const { isAtEnd, isRunning, recording } = this.player;
    if (this.trouble) return;
    this.shell.say(isAtEnd || isRunning ? describeStatus(this) : describeMoment(this, recording.current));
  }

  /** Another moment is shown. */
  _showMoment() {
    if (!this.player.isRunning) this._sayWhere();
    this.timeline.update();
    this.bar.showStatus();
    this.inspector.hover(this.hands.hovered);
  }

  get subject() { return describeMap(this.state.request, this.player.tileset); }
  takePicture() { return thumbnail(this.board.picture); }
}
