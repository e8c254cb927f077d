/** Marks above the map: pins, locks, the selection, what the brush would do, and where something does not fit. */

import { MOMENT } from "../../board/recording.js";
import { findPins } from "./reducers.js";

/** @typedef {import("../map.js").MapView} MapView */

const SMALLEST_TEXT = 20; // device pixels of a cell in which a number can be read

/** @param {MapView} view @param {CanvasRenderingContext2D} ink */
export function drawMarks(view, ink) {
  const { board, hands, player, state, trouble } = view, style = getComputedStyle(board.canvas), accent = style.getPropertyValue("--accent"), error = style.getPropertyValue("--error");
  const pen = new Pen(board, ink), tile = hands.lit || (hands.tool === "brush" ? hands.tile : ""), patterns = tile ? hands.patternsOf(tile) : [];
  if (player.look === "count" && !player.isFinished) pen.writeCounts(player.wave);
  if (hands.lit) pen.dim(player.wave, patterns);
  else if (patterns.length && hands.hovered >= 0) pen.hatch(player.isFinished ? player.root : player.wave, patterns, player.isFinished);
  // What was painted is only marked while somebody works on the map: the picture is what counts.
  for (const { cell, isPin } of findPins(state.commands ?? [])) if (isPin || hands.hovered >= 0) pen.frame(cell, accent, isPin ? [] : [4, 3]);
  for (const [cell] of state.locks ?? []) pen.drawLock(cell, accent);
  if (hands.tool === "lock" || hands.tool === "erase") for (const cell of hands.stroke) pen.fill([cell], `color-mix(in srgb, ${accent} 35%, transparent)`);
  if (hands.selection.length) pen.fill(hands.selection, `color-mix(in srgb, ${accent} 28%, transparent)`);
  const { current } = player.recording;
  if (current?.kind === MOMENT.CONTRADICTION) pen.cross(current.cell, error);
  else if (current && current.cell >= 0 && !player.isFinished) pen.outline(current.cell, accent, 2);
  if (trouble) pen.drawTrouble(trouble, hands.patternsOf(trouble.tile)[0], error);
  if (hands.hovered >= 0) {
    if (tile && !hands.lit && !trouble) pen.ghost(hands.hovered, patterns.find((each) => player.wave.allows(hands.hovered, [each])) ?? patterns[0], 0.75);
    pen.outline(hands.hovered, "rgb(0 0 0 / .6)", 3);
    pen.outline(hands.hovered, "#fff", 1.5);
  }
}

class Pen {
  /** @param {import("../../board/board.js").Board} board @param {CanvasRenderingContext2D} ink */
  constructor(board, ink) {
    this.board = board;
    this.ink = ink;
    this.geometry = /** @type {import("../../board/geometry.js").Geometry} */ (board.geometry);
  }

  outline(/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number} */ width, /** @type {number[]} */ dashes = []) {
    const { ink } = this;
    ink.strokeStyle = colour;
    ink.lineWidth = width * devicePixelRatio;
    ink.setLineDash(dashes.map((each) => each * devicePixelRatio));
    ink.beginPath();
    this.board.trace(cell);
    ink.stroke();
    ink.setLineDash([]);
  }

  /** An outline that can be seen on any map. */
  frame(/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number[]} */ dashes = []) {
    this.outline(cell, "rgb(255 255 255 / .8)", 3.5);
    this.outline(cell, colour, 2, dashes);
  }

  fill(/** @type {Iterable<number>} */ cells, /** @type {string|CanvasPattern} */ style) {
    this.ink.beginPath();
    for (const cell of cells) this.board.trace(cell);
    this.ink.fillStyle = style;
    this.ink.fill();
  }

  /** A cell's picture on the screen: left, top, width, height. */
  box(/** @type {number} */ cell) {
    const [x, y] = this.geometry.corner(cell), { camera, atlas } = this.board, { width = 1, height = 1 } = atlas ?? {};
    return [...camera.toScreen(x, y), width * camera.scale, height * camera.scale];
  }

  ghost(/** @type {number} */ cell, /** @type {number|undefined} */ pattern, /** @type {number} */ alpha) {
    if (pattern === undefined) return;
    const [left, top, width, height] = this.box(cell);
    this.ink.globalAlpha = alpha;
    this.ink.imageSmoothingEnabled = false;
    this.board.atlas?.draw(this.ink, pattern, left, top, width, height);
    this.ink.globalAlpha = 1;
  }

  /** Darken the cells that cannot be any of these patterns. */
  dim(/** @type {import("../../board/wave.js").Wave} */ wave, /** @type {number[]} */ patterns) {
    this.fill(this._visible((cell) => !wave.allows(cell, patterns)), "rgb(12 14 16 / .62)");
  }

  /** Hatch the undecided cells, or all, that cannot be any of these patterns. */
  hatch(/** @type {import("../../board/wave.js").Wave|null} */ wave, /** @type {number[]} */ patterns, /** @type {boolean} */ all) {
    if (!wave) return;
    const size = 8 * devicePixelRatio, stripes = new OffscreenCanvas(size, size), line = /** @type {OffscreenCanvasRenderingContext2D} */ (stripes.getContext("2d"));
    line.strokeStyle = "rgb(0 0 0 / .45)";
    line.lineWidth = 1.2 * devicePixelRatio;
    for (const shift of [-size, 0, size]) { line.beginPath(); line.moveTo(shift, size); line.lineTo(shift + size, 0); line.stroke(); }
    const style = this.ink.createPattern(stripes, "repeat");
    if (style) this.fill(this._visible((cell) => (all || wave.left[cell] !== 1) && !wave.allows(cell, patterns)), style);
  }

  /** How many patterns are left, where there is room to read it. */
  writeCounts(/** @type {import("../../board/wave.js").Wave} */ wave) {
    const { ink } = this, size = this.box(0)[2];
    if (size < SMALLEST_TEXT) return;
    ink.font = `${Math.min(14 * devicePixelRatio, size / 2.2)}px sans-serif`;
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    for (const cell of this._visible((each) => wave.left[each] !== 1)) {
      const [left, top, width, height] = this.box(cell);
      ink.fillStyle = wave.countShare(cell) > 0.55 ? "#14171a" : "#fff";
      ink.fillText(String(wave.left[cell]), left + width / 2, top + height / 2);
    }
  }

  /** A small padlock in a corner, and a frame. */
  drawLock(/** @type {number} */ cell, /** @type {string} */ colour) {
    const { ink } = this, [left, top, width] = this.box(cell), size = Math.max(5, width / 3), x = left + width - size - 1, y = top + 1;
    this.outline(cell, colour, 1);
    ink.fillStyle = "rgb(255 255 255 / .85)";
    ink.fillRect(x - 1, y - 1, size + 2, size + 2);
    ink.fillStyle = colour;
    ink.fillRect(x, y + size * 0.4, size, size * 0.6);
    ink.lineWidth = Math.max(1, size / 7);
    ink.beginPath();
    ink.arc(x + size / 2, y + size * 0.42, size * 0.28, Math.PI, 0);
    ink.stroke();
  }

  cross(/** @type {number} */ cell, /** @type {string} */ colour) {
    const [left, top, width, height] = this.box(cell), { ink } = this;
    this.fill([cell], "rgb(255 255 255 / .7)");
    this.outline(cell, colour, 3);
    ink.beginPath();
    ink.moveTo(left + width * 0.25, top + height * 0.25); ink.lineTo(left + width * 0.75, top + height * 0.75);
    ink.moveTo(left + width * 0.75, top + height * 0.25); ink.lineTo(left + width * 0.25, top + height * 0.75);
    ink.stroke();
  }

  /** What was wanted as a red ghost, and the pins in its way. */
  drawTrouble(/** @type {import("./trouble.js").Trouble} */ { cell, clashes }, /** @type {number|undefined} */ pattern, /** @type {string} */ error) {
    for (const each of clashes) this.outline(each, error, 3, [6, 3]);
    if (cell < 0) return;
    this.ghost(cell, pattern, 0.6);
    this.fill([cell], `color-mix(in srgb, ${error} 45%, transparent)`);
    this.outline(cell, error, 3);
  }

  /** Cells on the screen for which something holds. */
  *_visible(/** @type {(cell: number) => boolean} */ holds) {
    const { camera, canvas } = this.board, [right, bottom] = camera.toMap(canvas.width, canvas.height), { width = 1, height = 1 } = this.board.atlas ?? {};
    for (let cell = 0; cell < this.geometry.count; cell++) {
      const [x, y] = this.geometry.corner(cell);
      if (x < right && y < bottom && x + width > camera.x && y + height > camera.y && holds(cell)) yield cell;
    }
  }
}
