/** Marks above the map: pins, locks, the selection, what the brush would do, and where something does not fit. */

import { MOMENT } from "../../board/recording.js";
import { Pen } from "./pen.js";
import { findPins } from "./reducers.js";

/** @typedef {import("../map.js").MapView} MapView */

/** @param {MapView} view @param {CanvasRenderingContext2D} ink */
export function drawMarks(view, ink) {
  const { board, hands, player, state, trouble } = view, { hovered } = hands, pen = new Pen(board, ink);
  const style = getComputedStyle(board.canvas);
  const [accent, error] = ["--accent", "--error"].map((name) => style.getPropertyValue(name));
  if (player.look === "count" && !player.isFinished) pen.writeCounts(player.wave);
  if (hands.lit) pen.dim(player.wave, player.names.patternsOf(hands.lit));
  else if (hands.tileInHand && hovered >= 0) hatchExcluded(view, pen);
  // What was painted is only marked while somebody works on the map: the picture is what counts.
  for (const { cell, isPin } of findPins(state.commands ?? []))
    if (isPin || hovered >= 0) pen.frame(cell, accent, isPin ? [] : [4, 3]);
  for (const cell of view.lockedCells) pen.drawLock(cell, accent);
  if (hands.tool === "lock" || hands.tool === "erase") pen.fill(hands.stroke, `color-mix(in srgb, ${accent} 35%, transparent)`);
  if (hands.selection.cells.length) pen.fill(hands.selection.cells, `color-mix(in srgb, ${accent} 28%, transparent)`);
  const { current } = player.recording;
  if (current?.kind === MOMENT.CONTRADICTION) pen.cross(current.cell, error);
  else if (current && current.cell >= 0 && !player.isFinished) pen.outline(current.cell, accent, 2);
  if (trouble) pen.drawTrouble(trouble, player.names.patternsOf(trouble.tile)[0], error);
  if (hovered >= 0) drawCursor(view, pen);
}

/**
 * Hatch where the tile in hand does not fit; while the solver is at work, of decided cells only the one that is pointed at.
 * @param {MapView} view @param {Pen} pen
 */
function hatchExcluded({ hands, isFinished, player, possibilities }, pen) {
  const isShown = (/** @type {number} */ cell) => isFinished || cell === hands.hovered || player.wave.left[cell] !== 1;
  pen.hatch((cell) => isShown(cell) && possibilities.excludes(cell, hands.tileInHand));
}

/** The cell that is pointed at, with the tile in hand where it fits. @param {MapView} view @param {Pen} pen */
function drawCursor({ hands, player, possibilities, trouble }, pen) {
  const { hovered, lit, tileInHand: tile } = hands, patterns = player.names.patternsOf(tile);
  if (tile && !lit && !trouble && !possibilities.excludes(hovered, tile))
    pen.ghost(hovered, patterns.find((each) => player.wave.allows(hovered, [each])) ?? patterns[0], 0.75);
  pen.outline(hovered, "rgb(0 0 0 / .6)", 3);
  pen.outline(hovered, "#fff", 1.5);
}
