/** Map: watch the solver, pin what matters, paint, and take the result along. */

import { get } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { findRecent, newId, saveRecent } from "../app/recent.js";
import { decodeDocument } from "../app/share.js";
import { Board } from "../board/board.js";
import { button } from "../parts/controls.js";
import { h } from "../parts/element.js";
import { buildBar } from "./map/bar.js";
import { Hands } from "./map/hands.js";
import { buildInspector } from "./map/inspector.js";
import { listShortcuts } from "./map/keys.js";
import { drawMarks } from "./map/marks.js";
import { Player } from "./map/player.js";
import { beginning, reducers } from "./map/reducers.js";

const FRESH = ["load", "seed", "size", "settings", "weights", "constraints"]; // commands after which a map is solved before your eyes

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const { tilesets } = await get("/tilesets"), flat = tilesets.filter((/** @type {any} */ each) => each.topology !== "cube");
  const view = new MapView(shell, flat);
  await view.begin(address);
  return () => view.close();
}

export class MapView {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets */
  constructor(shell, tilesets) {
    this.shell = shell;
    this.tilesets = tilesets;
    this.id = newId();
    const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "Map: arrow keys move, Enter pins the chosen tile" });
    shell.stage.append(canvas);
    this.board = new Board(canvas);
    this.player = new Player(this.board);
    this.document = new StudioDocument("map", {}, reducers);
    this.hands = new Hands(this);
    this.bar = buildBar(this);
    this.inspector = buildInspector(this);
    this.board.overlays.push((ink) => drawMarks(this, ink));
    this.player.addEventListener("status", () => this._showStatus());
    this.player.addEventListener("lost", () => shell.say("The connection to the server was lost; trying again …", "warn"));
    this.document.addEventListener("change", (event) => this._follow(/** @type {CustomEvent} */ (event).detail));
    this._redraw = () => this.board.draw();
    addEventListener("theme", this._redraw);
    setShortcuts(listShortcuts(this));
  }

  /** Open what the address names: a shared document, a recent one, or a tile set. @param {URLSearchParams} address */
  async begin(address) {
    const shared = address.get("open"), recent = findRecent(address.get("document") ?? "");
    if (shared) this.document.load(await decodeDocument(shared));
    else if (recent) { this.id = recent.id; this.document.load(recent.document); }
    else {
      const asked = address.get("tileset") ?? "terrain", tileset = this.tilesets.find(({ id }) => id === asked) ?? this.tilesets[0];
      this.document.beginning = beginning(tileset, Number(address.get("seed") ?? 7));
      this._follow({ do: "load" });
    }
  }

  get state() {
    return /** @type {import("./map/player.js").MapState} */ (this.document.state);
  }

  get isFinished() {
    return this.player.status.status === "solved";
  }

  close() {
    this.hands.close();
    this.player.close();
    this.board.close();
    removeEventListener("theme", this._redraw);
  }

  /** @param {any} command of the document */
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
    if (this.isFinished) return this.anotherSeed();
    return this.guard(() => this.player.run());
  }

  step() { return this.guard(() => this.player.step()); }
  stepBack() { return this.guard(() => this.player.back()); }

  /** Run something, and show what goes wrong in words. @param {() => Promise<any>} work */
  async guard(work) {
    try {
      return await work();
    } catch (error) {
      const problem = /** @type {any} */ (error);
      if (problem.name === "Superseded" || problem.name === "Offline") return;
      if (problem.name === "Contradiction") return this._showContradiction(problem);
      this.shell.showCard("error", problem.document?.title ?? "That did not work", `${problem.message} ${problem.advice ?? ""}`);
    }
  }

  /** The document changed: bring the session there, and show it everywhere. */
  async _follow(/** @type {any} */ command) {
    await this.guard(async () => {
      await this.player.show(this.state);
      if (FRESH.includes(command.do) && !this.state.commands.length) await this.player.run();
      else if (!this.isFinished) await this.player.run("max", "boards");
    });
    this.bar.update();
    this.inspector.update();
    this._save();
  }

  _showContradiction(/** @type {any} */ problem) {
    const undo = button("Undo", () => { this.shell.closeCard(); this.document.undo(); }, { kind: "main", symbol: "undo" });
    this.shell.showCard("error", "This cannot be", problem.message, [undo]);
  }

  _showStatus() {
    const { status, isRunning } = this.player;
    const what = { solved: status.refined ? "Solved and refined" : "Solved", open: isRunning ? "Solving" : "Paused",
      contradiction: "Contradiction: the next step goes back", impossible: "Impossible" }[/** @type {string} */ (status.status)];
    this.shell.say(`${what} · ${status.decided} of ${status.cells} cells · ${status.decisions} decisions`, status.status === "impossible" ? "error" : "");
    this.bar.showStatus();
    this.inspector.showStatus();
  }

  _save() {
    const { request } = this.state, name = this.player.tileset?.name ?? request.tileset;
    saveRecent({ id: this.id, view: "map", title: `${name}, seed ${request.seed}`, when: Date.now(), document: this.document.toJSON() });
  }
}
