/** Hands on the map: what pressing and dragging does with each tool. */

import { count } from "../../app/names.js";
import { listenToPointer } from "../../board/pointer.js";
import { TileBrush } from "./brush.js";
import { findPins } from "./reducers.js";
import { Selection } from "./selection.js";

export class MapHands {
  /** @param {import("../map.js").MapView} view */
  constructor(view) {
    this.view = view;
    this.tool = "brush";
    this.tile = ""; // name of a tile or of one of its patterns
    this.lit = ""; // the tile that is pointed at in the palette
    this.brush = new TileBrush(view);
    this.selection = new Selection(view);
    this.hovered = -1;
    this._isByKeys = false; // the cursor is where arrow keys have moved it
    this.stroke = /** @type {Set<number>} */ (new Set()); // cells that are being drawn
    this._toolInUse = this.tool; // since the hand came down: another may be chosen meanwhile
    this._isFreeing = false; // cells from their locks
    this.close = listenToPointer(view.board, {
      hover: (cell) => this.hover(cell),
      press: (cell) => this._press(cell),
      stroke: (cell) => this._draw(cell),
      release: () => this._release(),
    });
  }

  /** The tile that a click would put; "": none. */
  get tileInHand() { return this.tool === "brush" ? this.tile : ""; }

  /** Take another tool, and perhaps a tile for it. @param {string} tool @param {string} tile */
  choose(tool, tile = this.tile) {
    const isNew = tool === "brush" && this.tool !== tool && tile && tile !== this.tile;
    if (isNew) this.view.shell.say(`The brush paints ${tile} now.`);
    this.tool = tool;
    this.tile = tile;
    this.view.inspector.update();
    this.hover(this.hovered);
  }

  /** Light up the cells where a tile is possible; "": none. @param {string} tile */
  light(tile) {
    this.lit = tile;
    this.view.board.draw();
  }

  /** The cursor is at another cell; -1: at none. @param {number} cell @param {boolean} isByKeys has been moved by keys */
  hover(cell, isByKeys = this._isByKeys && cell === this.hovered) {
    this.hovered = cell;
    this._isByKeys = isByKeys;
    this.view.possibilities.look(cell, this.tileInHand);
    this.view.board.draw();
    this.view.inspector.hover(cell);
    this.showHover();
  }

  /** Say what is under the cursor. */
  showHover() {
    const { board, player, possibilities, shell } = this.view, { hovered: cell, tileInHand: tile } = this;
    const say = (/** @type {string} */ text) => (this._isByKeys ? shell.announce(text) : shell.hover(text));
    if (cell < 0 || !player.tileset) { board.canvas.style.cursor = ""; return say(""); }
    const left = player.wave.left[cell], what = left === 1 ? player.names.nameOf(player.wave.pattern(cell)) : `${left} possible`;
    const isExcluded = Boolean(tile) && possibilities.excludes(cell, tile);
    board.canvas.style.cursor = isExcluded ? "not-allowed" : "";
    say(`${this.view.describeCell(cell)} · ${what}${isExcluded ? ` · ${tile} does not fit here` : ""}`);
  }

  /** Use the tool at the cell that is pointed at, without a mouse. */
  use() {
    if (this.hovered < 0) return this.view.shell.say("Move to a cell with the arrow keys first.", "warn");
    if (this._press(this.hovered)) this._release();
  }

  /** Move to a neighbour with the keyboard. @param {number} dx @param {number} dy */
  move(dx, dy) {
    const { board: { atlas, geometry } } = this.view;
    if (!geometry) return;
    const { box, corner, outline } = geometry, rows = Math.max(1, Math.round(box.height / (atlas?.height ?? 1)));
    const [width, height] = [outline[1][0] || 1, box.height / rows];
    const [x, y] = this.hovered < 0 ? [box.x + box.width / 2, box.y + box.height / 2] : corner(this.hovered);
    const found = geometry.cellAt(x + width * (0.5 + dx), y + height * (0.5 + dy));
    if (found >= 0) this.hover(found, true);
  }

  /** Move with the keyboard, and select all between where one was and is. @param {number} dx @param {number} dy */
  stretch(dx, dy) {
    const { selection } = this;
    if (this.tool !== "select") this.choose("select");
    if (!selection.cells.length && this.hovered >= 0) {
      selection.begin();
      selection.extend(this.hovered);
    }
    this.move(dx, dy);
    if (this.hovered >= 0) selection.extend(this.hovered);
    this.view.board.draw();
  }

  /** Take the tool that selects: a rectangle, or, if that is in hand, a free shape. @param {boolean} isFree */
  select(isFree = this.tool === "select" && !this.selection.isFree) {
    this.selection.isFree = isFree;
    this.choose("select");
  }

  /** Lock the selection, or take the tool that locks. */
  lock() {
    if (!this.selection.cells.length) return this.choose("lock");
    this._lock(this.selection.cells, true);
    this.selection.clear();
  }

  /** Put a tile at a cell, as a stroke of its own. @param {number} cell @param {string} tile */
  put(cell, tile) {
    this.brush.begin();
    this.brush.put(cell, tile);
    return this.brush.finish();
  }

  _press(/** @type {number} */ cell) {
    const { player, shell } = this.view, found = player.names.findEntry(player.wave.pattern(cell));
    this.view.clearTrouble();
    if (this.tool === "pick") { if (found) this.choose("brush", found.name); return false; }
    if (!player.tileset) return false;
    if (this.tool === "brush" && !this.tile) { shell.say("Choose a tile to paint with first.", "warn"); return false; }
    this.stroke = new Set();
    this._toolInUse = this.tool;
    this.brush.begin();
    this.selection.begin();
    this._isFreeing = this.tool === "lock" && this.view.isLocked(cell);
    this._draw(cell);
    return true;
  }

  _draw(/** @type {number} */ cell) {
    const { _toolInUse: tool, view: { board, player } } = this;
    board.draw();
    if (tool === "select") return this.selection.extend(cell);
    if (this.stroke.has(cell)) return;
    this.stroke.add(cell);
    if (tool === "brush") this.brush.put(cell, this.tile);
    if (tool !== "pin") return;
    const here = player.tileset.patterns[player.wave.pattern(cell)]?.name;
    if (here ?? this.tile) this.brush.put(cell, here ?? this.tile);
    else this.view.shell.say("This cell is not decided: choose a tile to pin there.", "warn");
  }

  _release() {
    const { _toolInUse: tool, stroke } = this, cells = [...stroke];
    this.stroke = new Set();
    if (tool === "lock") this._lock(cells, !this._isFreeing);
    else if (tool === "erase") this._erase(cells);
    else this.brush.finish();
  }

  _lock(/** @type {number[]} */ cells, /** @type {boolean} */ isLocking) {
    const { player, shell } = this.view, decided = cells.filter((cell) => player.wave.left[cell] === 1);
    if (!isLocking) return this.view.apply({ do: "lock", freed: cells });
    if (!decided.length) return shell.say("Only decided cells can be locked.", "warn");
    this.view.apply({ do: "lock", cells: decided.map((cell) => [cell, player.wave.pattern(cell)]) });
    shell.say(`${count(decided.length, "cell stays", "cells stay")} with another seed.`);
  }

  async _erase(/** @type {number[]} */ cells) {
    const { player, shell, state: { commands, request } } = this.view;
    const first = (request.locks ?? []).map((/** @type {number[]} */ [cell]) => cell); // what the session began with
    const held = new Set([...findPins(commands).map(({ cell }) => cell), ...first]);
    const freed = cells.filter((cell) => held.has(cell));
    if (!freed.length && !cells.some((cell) => this.view.isLocked(cell)))
      return shell.say("Nothing is pinned, painted or locked here.");
    if (freed.length && !await this.view.guard(() => player.anticipate({ command: "unpin", cells: freed }))) return;
    player.adopt();
    this.view.apply({ do: "erase", cells });
  }
}
