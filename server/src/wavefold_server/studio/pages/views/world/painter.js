/** Changes of a world: strokes with a tile, restoring what was generated, undo and redo. The log is on the server. */

import { get, post } from "../../app/api.js";
import { planeCellAt, planeOutline } from "../../board/plane.js";
import { button } from "../../parts/controls.js";

const FARTHEST = 64; // cells that may change around an edit that needs room
const MOST_CHANGES = 100; // that are read to count them

export class Painter {
  /** @param {import("../world.js").WorldView} view */
  constructor(view) {
    this.view = view;
    this.tool = "move"; // brush, erase, pick or move
    this.tile = "";
    /** @type {Map<string, [number, number]>} cells of the stroke, until the server has made it */
    this.pending = new Map();
    this.failed = /** @type {[number, number][]} */ ([]);
    this.hovered = /** @type {[number, number]|null} */ (null);
    this.done = this.undone = 0; // edits that the server can undo, and do again; Infinity: at least one, perhaps
    /** @type {Map<string, Promise<number[][]|null>>} patterns of chunks under the cursor */
    this._chunks = new Map();
    view.layer.overlays.push((ink) => this._draw(ink));
  }

  /** @param {string} tool @param {string} tile */
  choose(tool, tile = this.tile) {
    Object.assign(this, { tool: tool === "brush" && !tile ? "move" : tool, tile });
    this.view.layer.canvas.dataset.tool = this.tool;
    this.view.inspector?.update();
  }

  /** @returns {import("../../board/plane-pointer.js").PlaneHands} */
  get hands() {
    return {
      hover: (/** @type {number} */ x, /** @type {number} */ y) => this._hover(this._cellAt(x, y)),
      press: (/** @type {number} */ x, /** @type {number} */ y) => this._press(this._cellAt(x, y)),
      stroke: (/** @type {number} */ x, /** @type {number} */ y) => this._add(this._cellAt(x, y)),
      release: () => this._commit(),
      leave: () => { this.hovered = null; this.view.shell.hover(""); this.view.layer.draw(); },
    };
  }

  /** The chunks under the cursor are others now. */
  forget() {
    this._chunks.clear();
    const cell = this.hovered;
    this.hovered = null;
    if (cell) this._hover(cell);
  }

  /** Find out how many edits there are to undo, and to do again. */
  async countEdits() {
    const { world: { id }, revision, signal } = this.view, path = `/worlds/${id}/changes?since=0&limit=${MOST_CHANGES}`;
    this.done = this.undone = revision ? Infinity : 0;
    if (!revision || revision > MOST_CHANGES) return;
    const { changes } = await get(path, signal).catch(() => ({ changes: [] })); // the oldest may be forgotten
    if (changes.at(-1)?.revision !== this.view.revision || id !== this.view.world.id) return; // it is another one by now
    this.done = this.undone = 0;
    for (const { kind } of changes) this.count(kind);
    this.view.bar?.update();
  }

  /** Count a change. @param {string} kind of it */
  count(kind) {
    const step = { undo: -1, redo: 1 }[kind];
    this.undone = step ? Math.max(0, this.undone - step) : 0;
    this.done = Math.max(0, this.done + (step ?? 1));
  }

  async step(/** @type {"undo"|"redo"} */ way) {
    const { document, world, shell } = this.view, next = document.commands[document.applied + (way === "undo" ? -1 : 0)];
    if (next && next.do !== "edit") return document[way]();
    await this._change(() => post(`/worlds/${world.id}/${way}`, {}), (error) => {
      if (!error.status || error.status >= 500) return this.view.showProblem(error);
      if (way === "undo") this.done = 0;
      else this.undone = 0;
      this.view.bar?.update();
      shell.say(way === "undo" ? "There is nothing to undo." : "There is nothing to redo.");
    });
  }

  _cellAt(/** @type {number} */ x, /** @type {number} */ y) { return planeCellAt(this.view.world.topology, x, y); }

  async _hover(/** @type {[number, number]} */ cell) {
    if (this.hovered?.join() === cell.join()) return;
    this.hovered = cell;
    this.view.layer.draw();
    this.view.shell.hover(cell.join(", "));
    const name = this.view.layer.zoom > 0 && (await this._nameAt(cell));
    if (name && this.hovered?.join() === cell.join()) this.view.shell.hover(`${cell.join(", ")} · ${name}`);
  }

  /** The name of what is at a cell; its chunk is loaded once. @param {[number, number]} cell */
  async _nameAt([x, y]) {
    const { world, revision, tileset } = this.view, side = world.chunk, key = `${Math.floor(x / side)}/${Math.floor(y / side)}`;
    if (!this._chunks.has(key)) {
      if (this._chunks.size > 60) this._chunks.clear();
      const asked = get(`/worlds/${world.id}/chunks/${key}.json?revision=${revision}`);
      this._chunks.set(key, asked.then(({ patterns }) => patterns, () => null));
    }
    const rows = await this._chunks.get(key), at = (/** @type {number} */ each) => ((each % side) + side) % side;
    return rows && tileset ? tileset.patterns[rows[at(y)][at(x)]].tile : "";
  }

  _press(/** @type {[number, number]} */ cell) {
    if (this.tool === "pick") this._pick(cell);
    if (this.tool !== "brush" && this.tool !== "erase") return false;
    this.failed = [];
    this._add(cell);
    return true;
  }

  async _pick(/** @type {[number, number]} */ cell) {
    const name = await this._nameAt(cell);
    if (!name) return;
    this.choose("brush", name);
    this.view.shell.say(`Now you paint with “${name}”.`);
  }

  _add(/** @type {[number, number]} */ cell) {
    this.pending.set(cell.join(), cell);
    this.view.layer.draw();
  }

  _commit() {
    const cells = [...this.pending.values()], tile = this.tool === "erase" ? null : this.tile;
    if (cells.length) this._edit(cells.map((cell) => [...cell, tile]), 16);
  }

  /** @param {any[][]} rows [x, y, tile] @param {number} reach cells around them that may change */
  async _edit(rows, reach) {
    const path = `/worlds/${this.view.world.id}/edits`;
    await this._change(() => post(path, { cells: rows, reach }), (error) => this._explain(error, rows, reach));
    for (const [x, y] of rows) this.pending.delete(`${x},${y}`);
    this.view.layer.draw();
  }

  /** Ask the server for a change; what it answers is what its feed tells, too. */
  async _change(/** @type {() => Promise<any>} */ ask, /** @type {(error: any) => void} */ fail) {
    this.view.shell.closeCard();
    this.failed = [];
    try { this.view.takeChange(await ask()); } catch (error) { fail(error); }
  }

  /** Why an edit cannot be, and what to do. @param {any} error @param {any[][]} rows @param {number} reach */
  _explain(error, rows, reach) {
    const { shell, layer, tileset } = this.view;
    if (error.name !== "Contradiction" && error.name !== "WorldError") return this.view.showProblem(error);
    this.failed = rows.map(([x, y]) => /** @type {[number, number]} */ ([x, y]));
    // What was painted before and is in the way may become anything.
    const free = tileset.tiles.map((/** @type {any} */ each) => each.name), asked = new Set(rows.map(([x, y]) => `${x},${y}`));
    const older = [...error.message.matchAll(/\((-?\d+), (-?\d+)\), which was wanted/g)]
      .filter(([, x, y]) => !asked.has(`${x},${y}`)).map(([, x, y]) => [Number(x), Number(y), free]);
    const dismiss = () => { this.failed = []; shell.closeCard(); layer.draw(); }, canHelp = older.length || reach < FARTHEST;
    const room = button("Make room", () => { dismiss(); this._edit([...rows, ...older], FARTHEST); }, { kind: "main" });
    const help = !canHelp ? "Choose another tile, or fewer cells."
      : older.length ? "“Make room” gives up what was painted in the way."
      : `“Make room” lets cells up to ${FARTHEST} steps away change.`;
    shell.showCard("error", "This tile does not fit here", `${error.message}\nNothing was changed. ${help}`,
      [...(canHelp ? [room] : []), button("Never mind", dismiss)]);
  }

  _draw(/** @type {CanvasRenderingContext2D} */ ink) {
    const { layer, world } = this.view, { camera, canvas } = layer, colours = getComputedStyle(canvas);
    const trace = (/** @type {[number, number]} */ cell) => {
      planeOutline(world.topology, ...cell).forEach(([x, y], index) => {
        const at = camera.toScreen(x, y);
        if (index) ink.lineTo(...at);
        else ink.moveTo(...at);
      });
      ink.closePath();
    };
    /** @type {[Iterable<[number, number]>, string][]} */
    const marks = [[this.pending.values(), "--accent"], [this.failed, "--error"]];
    for (const [cells, name] of marks) {
      ink.beginPath();
      for (const cell of cells) trace(cell);
      ink.fillStyle = `color-mix(in srgb, ${colours.getPropertyValue(name)} 50%, transparent)`;
      ink.fill();
      ink.lineWidth = 2 * devicePixelRatio; ink.strokeStyle = colours.getPropertyValue(name); ink.stroke();
    }
    if (!this.hovered || camera.scale < 6) return;
    ink.beginPath();
    trace(this.hovered);
    ink.lineWidth = 3 * devicePixelRatio; ink.strokeStyle = "rgb(0 0 0 / .55)"; ink.stroke();
    ink.lineWidth = 1.5 * devicePixelRatio; ink.strokeStyle = "#fff"; ink.stroke();
  }
}
