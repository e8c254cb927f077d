/** Hands on the map: what pressing and dragging does with each tool. */

import { listenToPointer } from "../../board/pointer.js";

export class Hands {
  /** @param {import("../map.js").MapView} view */
  constructor(view) {
    this.view = view;
    this.tool = "brush";
    this.tile = "";
    this.selection = /** @type {number[]} */ ([]);
    this.hovered = -1;
    this._corner = -1;
    this._strokes = /** @type {Promise<any>[]} */ ([]);
    this.close = listenToPointer(view.board, {
      hover: (cell) => this._hover(cell),
      press: (cell) => this._press(cell),
      stroke: (cell) => this._stroke(cell),
      release: () => this._release(),
    });
  }

  /** Take another tool, and perhaps a tile for it. @param {string} tool @param {string} tile */
  choose(tool, tile = this.tile) {
    this.tool = tool;
    this.tile = tile;
    this.view.inspector.update();
  }

  clearSelection() {
    this.selection = [];
    this.view.board.draw();
  }

  /** "Not like this": the selection becomes something else. */
  regrow() {
    const { shell, state, isFinished } = this.view;
    if (!this.selection.length) return shell.say("Select an area first: key A, then drag.", "warn");
    if (!isFinished) return shell.say("Only a finished map can be regrown.", "warn");
    const seed = state.commands.filter(({ command }) => command === "regrow").length + 1;
    this.view.apply({ do: "edit", commands: [{ command: "regrow", cells: this.selection, seed }] });
  }

  _hover(/** @type {number} */ cell) {
    const { board, inspector, player, shell } = this.view;
    this.hovered = cell;
    board.draw();
    inspector.hover(cell);
    if (cell < 0) return shell.hover("");
    const where = board.geometry?.coordinates(cell).join(", "), left = player.wave.left[cell];
    shell.hover(`${where} · ${left === 1 ? player.tileset.patterns[player.wave.pattern(cell)].name : `${left} possible`}`);
  }

  _press(/** @type {number} */ cell) {
    const { board, player } = this.view;
    if (this.tool === "pick") { this.choose("brush", player.tileset.patterns[player.wave.pattern(cell)]?.tile ?? this.tile); return false; }
    if (this.tool === "select") { this._corner = cell; this.selection = [cell]; board.draw(); return true; }
    if (!this.tile && this.tool === "brush") return false;
    this._strokes = [];
    this._stroke(cell);
    return true;
  }

  _stroke(/** @type {number} */ cell) {
    const { view } = this;
    if (this.tool === "select") { this.selection = this._between(this._corner, cell); view.board.draw(); return; }
    const at = view.board.geometry?.coordinates(cell);
    let command = view.isFinished ? { command: "paint", cells: [cell], at, tile: this.tile } : { command: "pin", cell, at, tile: this.tile };
    if (this.tool === "erase") command = /** @type {any} */ ({ command: "unpin", cells: [cell] });
    this._strokes.push(view.guard(() => view.player.anticipate(command).then(() => command)));
  }

  async _release() {
    const done = (await Promise.all(this._strokes)).filter(Boolean);
    this._strokes = [];
    if (done.length) this.view.apply({ do: done[0].command === "pin" ? "pin" : "edit", commands: done });
  }

  /** All cells in the rectangle between two. @param {number} one @param {number} other */
  _between(one, other) {
    const geometry = /** @type {any} */ (this.view.board.geometry), [a, b] = [one, other].map((each) => geometry.corner(each)), found = [];
    const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])], [top, bottom] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
    for (let cell = 0; cell < geometry.count; cell++) {
      const [x, y] = geometry.corner(cell);
      if (x >= left && x <= right && y >= top && y <= bottom) found.push(cell);
    }
    return found;
  }
}
