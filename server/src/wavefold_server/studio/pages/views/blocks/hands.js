/** Hands on blocks: a drag turns the map, a click builds; the keyboard has a cursor of its own. */

import { forCanvas } from "../../app/keyboard.js";
import { undoKeys } from "../../parts/bar.js";
import { blockReducers } from "./reducers.js";

const CLICK = 5; // pixels a hand may move in a click

export class BlockHands {
  /** @param {import("../blocks.js").BlocksView} view */
  constructor(view) {
    this.view = view;
    this.tool = "build";
    this.tile = ""; // "": whatever fits
    this.cell = -1; // where it would be built
    this._stop = new AbortController();
  }

  close() { this._stop.abort(); }

  /** @param {HTMLCanvasElement} canvas */
  listen(canvas) {
    const on = (/** @type {string} */ kind, /** @type {(event: any) => void} */ run) => canvas.addEventListener(kind, run, { signal: this._stop.signal });
    let down = [0, 0];
    on("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
    on("pointermove", (event) => { if (!event.buttons) this._hover(this._target(event)); });
    on("pointerleave", () => this._hover(-1));
    on("pointerup", (event) => {
      if (event.button || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > CLICK) return;
      this._hover(this._target(event));
      if (this.cell < 0 && this.view.blocks.hitAt(event.clientX, event.clientY)) this.view.shell.say("Nothing can be built there: the map ends.", "warn");
      this.build();
    });
  }

  /** @param {string} tool @param {string} [tile] */
  choose(tool, tile = this.tile) {
    this.tool = tool;
    this.tile = tile;
    this.view.panels.update();
  }

  /** Put the chosen tile where the cursor is, and let the rest fit. */
  async build() {
    const { view, cell, tool } = this, { blocks, session, shell } = view;
    if (cell < 0 || !view.isFinished) return;
    const names = session.tileset.tiles.filter((/** @type {any} */ { patterns }) => blocks.models.isEmpty[patterns[0]] === (tool === "remove"))
      .map((/** @type {any} */ { name }) => name);
    if (!names.length) return shell.say("This tile set has no empty tile, so nothing can be removed.", "warn");
    const tile = tool === "remove" || !this.tile ? names : this.tile;
    const command = { command: "paint", cells: [cell], at: blocks.coordinates(cell), tile };
    const change = { do: "edit", commands: [command] };
    if (await view.guard(() => session.paint(command, blockReducers.edit(view.state, change)))) view.apply(change);
    else blocks.point(cell, true);
    this._showCell();
  }

  /** @returns {import("../../app/keyboard.js").Shortcut[]} */
  shortcuts() {
    const { view } = this, { document } = view, tool = (/** @type {string} */ name) => () => this.choose(name);
    const move = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => () => this._move([x, y, z]);
    const layer = (/** @type {number} */ by) => () => view.panels.moveLayer(by), turn = (/** @type {number[]} */ ...by) => () => view.blocks?.turn(...by);
    return [
      { key: "Space", does: "run or pause; watch again when it is built", run: () => view.toggleRun() },
      { key: "S", does: "another seed", run: () => view.anotherSeed() },
      { key: "B", does: "build on the side that is clicked", run: tool("build") },
      { key: "P", does: "replace the block that is clicked", run: tool("replace") },
      { key: "E", does: "remove the block that is clicked", run: tool("remove") },
      { key: "[", does: "turn left", run: turn(-Math.PI / 12) }, { key: "]", does: "turn right", run: turn(Math.PI / 12) },
      { key: "{", does: "look from lower", run: turn(0, -0.1) }, { key: "}", does: "look from higher", run: turn(0, 0.1) },
      { key: "+ or =", does: "nearer", run: turn(0, 0, 1 / 1.25) }, { key: "-", does: "farther", run: turn(0, 0, 1.25) },
      { key: "0", does: "show the whole map", run: () => view.blocks?.fit() },
      { key: "<", does: "one layer less", run: layer(-1) }, { key: ">", does: "one layer more", run: layer(1) },
      ...forCanvas(() => view.canvas, [
        { key: "ArrowLeft", does: "cursor to the west", run: move(-1, 0, 0) }, { key: "ArrowRight", does: "cursor to the east", run: move(1, 0, 0) },
        { key: "ArrowUp", does: "cursor to the north", run: move(0, -1, 0) }, { key: "ArrowDown", does: "cursor to the south", run: move(0, 1, 0) },
        { key: "PageUp", does: "cursor up", run: move(0, 0, 1) }, { key: "PageDown", does: "cursor down", run: move(0, 0, -1) },
        { key: "Enter", does: "build at the cursor", run: () => this.build() },
      ]),
      ...undoKeys(document),
    ];
  }

  /** The cell that a click would change; -1: none. */
  _target(/** @type {PointerEvent} */ event) {
    const { blocks } = this.view, hit = blocks.hitAt(event.clientX, event.clientY);
    return !hit ? -1 : this.tool === "build" ? blocks.beside(hit.cell, hit.side) : hit.cell;
  }

  _move(/** @type {number[]} */ step) {
    const { blocks } = this.view;
    if (!blocks) return;
    const at = this.cell < 0 ? blocks.size.map((/** @type {number} */ each) => each >> 1) : blocks.coordinates(this.cell);
    const cell = blocks.cellAt(at.map((/** @type {number} */ each, /** @type {number} */ axis) => each + step[axis]));
    if (cell < 0) return;
    this._hover(cell);
    this.view.shell.announce(this._describeCell());
  }

  _hover(/** @type {number} */ cell) {
    if (cell === this.cell) return;
    this.cell = cell;
    this.view.blocks.point(cell);
    this._showCell();
  }

  _showCell() { this.view.shell.hover(this._describeCell()); }

  /** Where the cursor is, and what is there. */
  _describeCell() {
    const { blocks, session } = this.view, { cell } = this;
    return cell < 0 ? "" : `${blocks.coordinates(cell).join(", ")} · ${session.tileset.patterns[blocks.patterns[cell]]?.name ?? "undecided"}`;
  }
}
