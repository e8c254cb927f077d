/** Marks above the map: pins, the selection, the cell under the cursor. */

/** @param {import("../map.js").MapView} view @param {CanvasRenderingContext2D} ink */
export function drawMarks({ board, hands, state }, ink) {
  const accent = getComputedStyle(board.canvas).getPropertyValue("--accent");
  const outline = (/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number} */ width) => {
    ink.strokeStyle = colour;
    ink.lineWidth = width * devicePixelRatio;
    ink.beginPath();
    board.trace(cell);
    ink.stroke();
  };
  for (const { command, cell, cells } of state.commands ?? []) {
    if (command === "pin") outline(cell, accent, 2);
    if (command === "paint") for (const each of cells) outline(each, accent, 2);
  }
  if (hands.selection.length > 1) {
    ink.beginPath();
    for (const cell of hands.selection) board.trace(cell);
    ink.fillStyle = `color-mix(in srgb, ${accent} 28%, transparent)`;
    ink.fill();
  }
  if (hands.hovered >= 0) { outline(hands.hovered, "rgb(0 0 0 / .6)", 3); outline(hands.hovered, "#fff", 1.5); }
}
