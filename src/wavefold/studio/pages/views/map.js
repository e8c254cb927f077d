/** Map: watch the solver, pin what matters, paint, and take the result along. */

import { get } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { findRecent, newId, saveRecent } from "../app/recent.js";
import { decodeDocument } from "../app/share.js";
import { Board } from "../board/board.js";
import { h } from "../parts/element.js";
import { buildBar } from "./map/bar.js";
import { ContactSheet } from "./map/contact-sheet.js";
import { Hands } from "./map/hands.js";
import { buildInspector } from "./map/inspector.js";
import { listShortcuts } from "./map/keys.js";
import { drawMarks } from "./map/marks.js";
import { Player } from "./map/player.js";
import { beginning, reducers } from "./map/reducers.js";
import { buildTimeline } from "./map/timeline.js";
import { showTrouble } from "./map/trouble.js";
import { describeMoment, describeStatus } from "./map/words.js";

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const link = address.get("open"), shared = link && await decodeDocument(link); // its tile set is in the list from now on
  const { tilesets } = await get("/tilesets"), flat = tilesets.filter((/** @type {any} */ each) => each.topology !== "cube");
  const view = new MapView(shell, flat);
  await view.begin(address, shared);
  return () => view.close();
}

export class MapView {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets */
  constructor(shell, tilesets) {
    this.shell = shell;
    this.tilesets = tilesets;
    this.id = newId();
    this.trouble = /** @type {import("./map/trouble.js").Trouble|null} */ (null);
    this._runs = true;
    const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "Map: arrow keys move, Enter uses the tool" });
    shell.stage.append(canvas);
    this.board = new Board(canvas);
    this.player = new Player(this.board);
    this.document = new StudioDocument("map", {}, reducers);
    this.hands = new Hands(this);
    this.sheet = new ContactSheet(this);
    this.bar = buildBar(this);
    this.inspector = buildInspector(this);
    this.timeline = buildTimeline(this);
    this.board.overlays.push((ink) => drawMarks(this, ink));
    this.player.addEventListener("status", () => this._showStatus());
    this.player.addEventListener("moment", () => this._showMoment());
    this.player.addEventListener("lost", () => shell.showCard("warn", "The connection was lost", "Trying again … Nothing is lost: the map is rebuilt from its log."));
    this.player.addEventListener("again", () => { this.clearTrouble(); this.player.forget(); this._follow(); });
    this.document.addEventListener("change", () => this._follow());
    this._redraw = () => this.board.draw();
    addEventListener("theme", this._redraw);
    setShortcuts(listShortcuts(this));
  }

  /** Open a shared document, or what the address names: a recent one, or a tile set. @param {URLSearchParams} address @param {any} shared */
  async begin(address, shared) {
    const recent = findRecent(address.get("document") ?? "");
    if (shared) this.document.load(shared);
    else if (recent) { this.id = recent.id; this.document.load(recent.document); }
    else {
      const asked = address.get("tileset") ?? "terrain", tileset = this.tilesets.find(({ id }) => id === asked) ?? this.tilesets[0];
      this.document.beginning = beginning(tileset, Number(address.get("seed") ?? 7));
      this._follow();
    }
  }

  get state() {
    return /** @type {import("./map/player.js").MapState} */ (this.document.state);
  }

  get isFinished() {
    return this.player.isFinished;
  }

  close() {
    this.hands.close();
    this.sheet.close();
    this.timeline.close();
    this.player.close();
    this.board.close();
    removeEventListener("theme", this._redraw);
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
    if (this.isFinished) return this.anotherSeed();
    await this.guard(() => this.player.run());
    this._showImpossible();
  }

  step() { return this.guard(() => this.player.step()); }
  stepBack() { return this.guard(() => this.player.back()); }

  /** Run something, and show what goes wrong in words. @param {() => Promise<any>} work @param {{cell: number, tile: string}} [wanted] what was to be put where */
  async guard(work, wanted) {
    try {
      return await work();
    } catch (error) {
      const problem = /** @type {any} */ (error);
      if (problem.name !== "Superseded" && problem.name !== "Offline") showTrouble(this, problem, wanted);
    }
  }

  /** A tile does not fit at the moment that is shown. @param {number} cell @param {string} tile */
  refuse(cell, tile) {
    const where = this.board.geometry?.coordinates(cell).join(", ");
    showTrouble(this, { name: "Contradiction", message: `${tile} is not possible at ${where}: what is decided around it leaves ${this.player.wave.left[cell]} other possibilities.` }, { cell, tile });
  }

  clearTrouble() {
    this.trouble = null;
    this.shell.closeCard();
  }

  /** The document changed: bring the session there, and show it everywhere. */
  async _follow() {
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
    this._save();
  }

  /** Say why, if it was proved that there is no map. */
  _showImpossible() {
    if (this.player.status.explanation) showTrouble(this, { name: "Impossible", document: this.player.status });
  }

  _showStatus() {
    const { status, isRunning } = this.player;
    this.board.canvas.dataset.status = isRunning ? "running" : status.status;
    this.shell.say(describeStatus(this), status.status === "impossible" ? "error" : "");
    this.bar.showStatus();
    this.timeline.update();
    this.inspector.showStatus();
  }

  /** Another moment is shown. */
  _showMoment() {
    if (!this.player.isRunning && !this.player.isAtEnd) this.shell.say(describeMoment(this, this.player.recording.current));
    this.timeline.update();
    this.bar.showStatus();
    this.inspector.hover(this.hands.hovered);
  }

  _save() {
    const { request } = this.state, name = this.player.tileset?.name ?? request.tileset;
    saveRecent({ id: this.id, view: "map", title: `${name}, seed ${request.seed}`, when: Date.now(), document: this.document.toJSON() });
  }
}
