/** Hands on the map: what pressing and dragging does with each tool. A stroke is one step back. */

import { listenToPointer } from "../../board/pointer.js";
import { findPins } from "./reducers.js";

export class Hands {
  /** @param {import("../map.js").MapView} view */
  constructor(view) {
    this.view = view;
    this.tool = "brush";
    this.tile = ""; // name of a tile or of one of its patterns
    this.lit = ""; // the tile that is pointed at in the palette
    this.selection = /** @type {number[]} */ ([]);
    this.hovered = -1;
    this.stroke = /** @type {Set<number>} */ (new Set()); // cells that are being drawn
    this._corner = -1;
    this._sent = /** @type {Promise<any>[]} */ ([]);
    this._isFreeing = false; // cells from their locks
    this.close = listenToPointer(view.board, {
      hover: (cell) => this.hover(cell),
      press: (cell) => this._press(cell),
      stroke: (cell) => this._draw(cell),
      release: () => this._release(),
    });
  }

  /** Take another tool, and perhaps a tile for it. @param {string} tool @param {string} tile */
  choose(tool, tile = this.tile) {
    this.tool = tool;
    this.tile = tile;
    this.view.inspector.update();
    this.view.board.draw();
  }

  /** Light up the cells where a tile is possible; "": none. @param {string} tile */
  light(tile) {
    this.lit = tile;
    this.view.board.draw();
  }

  /** The patterns that a name stands for: of a tile, or one alone. @param {string} name @returns {number[]} */
  patternsOf(name) {
    const { palette, tileset } = this.view.player, index = tileset?.patterns.findIndex((/** @type {any} */ each) => each.name === name);
    return palette.find((each) => each.name === name)?.patterns ?? (index >= 0 ? [index] : []);
  }

  clearSelection() {
    this.selection = [];
    this.view.board.draw();
  }

  /** Point at a cell; -1: none. @param {number} cell */
  hover(cell) {
    const { board, inspector, player, shell } = this.view;
    this.hovered = cell;
    board.draw();
    inspector.hover(cell);
    if (cell < 0 || !player.tileset) return shell.hover("");
    const left = player.wave.left[cell];
    shell.hover(`${board.geometry?.coordinates(cell).join(", ")} · ${left === 1 ? player.nameOf(player.wave.pattern(cell)) : `${left} possible`}`);
  }

  /** Use the tool at the cell that is pointed at, without a mouse. */
  use() {
    if (this.hovered >= 0 && this._press(this.hovered)) this._release();
  }

  /** Move to a neighbour with the keyboard. @param {number} dx @param {number} dy */
  move(dx, dy) {
    const { board } = this.view, geometry = board.geometry;
    if (!geometry) return;
    const [width, height] = [geometry.outline[1][0] || 1, geometry.box.height / Math.max(1, Math.round(geometry.box.height / (board.atlas?.height ?? 1)))];
    const [x, y] = this.hovered < 0 ? [geometry.box.x + geometry.box.width / 2, geometry.box.y + geometry.box.height / 2] : geometry.corner(this.hovered);
    const found = geometry.cellAt(x + width * (0.5 + dx), y + height * (0.5 + dy));
    if (found >= 0) this.hover(found);
  }

  /** "Not like this": the selection becomes something else. */
  async regrow() {
    const { shell, state, player } = this.view;
    if (!this.selection.length) { this.choose("select"); return shell.say("Drag over the part that you do not like, then press R again.", "warn"); }
    if (!player.isFinished) return shell.say("Only a finished map can be regrown: press Space first.", "warn");
    const seed = state.commands.filter(({ command }) => command === "regrow").length + 1;
    const command = { command: "regrow", cells: this.selection, seed }, before = command.cells.map((cell) => player.wave.pattern(cell));
    if (!await this.view.guard(() => player.anticipate(command))) return;
    if (command.cells.some((cell, index) => player.wave.pattern(cell) !== before[index])) return this.view.apply({ do: "edit", commands: [command] });
    await this.view.guard(() => player.undoEdits(1));
    shell.say("Nothing else fits here: select a larger part, or erase what is pinned, painted or locked around it.", "warn");
  }

  /** Lock the selection, or take the tool that locks. */
  lock() {
    if (!this.selection.length) return this.choose("lock");
    this._lock(this.selection, true);
    this.clearSelection();
  }

  /** Put a tile at a cell: pinned as long as the map is not finished, then painted. @param {number} cell @param {string} tile */
  put(cell, tile) {
    this.stroke = new Set();
    this._sent = [];
    this._putTile(cell, tile);
    return this._release();
  }

  _press(/** @type {number} */ cell) {
    const { board, player, state } = this.view, found = player.findEntry(player.wave.pattern(cell));
    this.view.clearTrouble();
    if (this.tool === "pick") { if (found) this.choose("brush", found.name); return false; }
    if (!player.tileset) return false;
    if (this.tool === "brush" && !this.tile) { this.view.shell.say("Choose a tile to paint with first.", "warn"); return false; }
    this._corner = cell;
    this.stroke = new Set();
    this._sent = [];
    this._isFreeing = this.tool === "lock" && Boolean(state.locks?.some(([each]) => each === cell));
    board.draw();
    this._draw(cell);
    return true;
  }

  _draw(/** @type {number} */ cell) {
    const { board, player } = this.view;
    board.draw();
    if (this.tool === "select") { this.selection = this._between(this._corner, cell); return; }
    if (this.stroke.has(cell)) return;
    this.stroke.add(cell);
    const here = player.tileset.patterns[player.wave.pattern(cell)]?.name ?? this.tile;
    if (this.tool === "brush" || (this.tool === "pin" && here)) this._putTile(cell, this.tool === "pin" ? here : this.tile);
  }

  /** Pin or paint. While the last moment is shown, it is done at once. */
  _putTile(/** @type {number} */ cell, /** @type {string} */ tile) {
    const { view } = this, { player } = view, at = view.board.geometry?.coordinates(cell);
    const what = player.palette.find(({ name }) => name === tile)?.tile ?? tile;
    const command = player.isFinished ? { command: "paint", cells: [cell], at, tile: what } : { command: "pin", cell, at, tile: what };
    if (player.isAtEnd) this._sent.push(view.guard(() => player.anticipate(command).then(() => command), { cell, tile }));
    else if (player.wave.allows(cell, this.patternsOf(tile))) this._sent.push(Promise.resolve(command));
    else view.refuse(cell, tile);
  }

  async _release() {
    const cells = [...this.stroke], { view, tool } = this, { player } = view;
    this.stroke = new Set();
    if (tool === "lock" && cells.length) return this._lock(cells, !this._isFreeing);
    if (tool === "erase" && cells.length) return this._erase(cells);
    const isEnd = player.isAtEnd, before = player.decisions, done = (await Promise.all(this._sent)).filter(Boolean);
    const decisions = isEnd ? player.decisions : before; // a run may have gone on until the pin
    this._sent = [];
    if (!done.length) return;
    if (view.trouble) view.trouble.isPart = true; // the rest of the stroke was done
    if (done[0].command === "paint") return view.apply({ do: "edit", commands: done });
    if (isEnd) player.adopt();
    else player.forget();
    view.apply({ do: "pin", decisions, commands: done }, false);
  }

  _lock(/** @type {number[]} */ cells, /** @type {boolean} */ isLocking) {
    const { player, shell } = this.view, decided = cells.filter((cell) => player.wave.left[cell] === 1);
    if (!isLocking) return this.view.apply({ do: "lock", freed: cells });
    if (!decided.length) return shell.say("Only decided cells can be locked.", "warn");
    this.view.apply({ do: "lock", cells: decided.map((cell) => [cell, player.wave.pattern(cell)]) });
    shell.say(`${decided.length} ${decided.length === 1 ? "cell stays" : "cells stay"} with another seed.`);
  }

  async _erase(/** @type {number[]} */ cells) {
    const { view } = this, pinned = new Set(findPins(view.state.commands).map(({ cell }) => cell)), freed = cells.filter((cell) => pinned.has(cell));
    if (!freed.length && !view.state.locks?.some(([cell]) => cells.includes(cell))) return view.shell.say("Nothing is pinned, painted or locked here.");
    if (freed.length && !await view.guard(() => view.player.anticipate({ command: "unpin", cells: freed }))) return;
    view.player.adopt();
    view.apply({ do: "erase", cells });
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
