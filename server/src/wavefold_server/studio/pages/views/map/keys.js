/** The keys of the map view. */

import { forCanvas } from "../../app/keyboard.js";

/** @param {import("../map.js").MapView} view @returns {import("../../app/keyboard.js").Shortcut[]} */
export function listMapKeys(view) {
  const { board, document, hands, sheet } = view, tool = (/** @type {string} */ name) => () => hands.choose(name);
  const zoom = (/** @type {number} */ direction) => () => {
    board.camera.step(direction, board.canvas.width / 2, board.canvas.height / 2);
    board.draw();
  };
  const arrow = (/** @type {string} */ key, /** @type {number} */ dx, /** @type {number} */ dy) => [
    { key, does: "", run: () => hands.move(dx, dy) }, { key: `Shift+${key}`, does: "", run: () => hands.stretch(dx, dy) },
  ];
  const close = () => {
    if (sheet.isOpen) return sheet.close();
    view.clearTrouble();
    hands.selection.clear();
  };
  return [
    { key: "Space", does: "run or pause; watch again when it is finished", run: () => view.toggleRun() },
    { key: ".", does: "one step", run: () => view.step() },
    { key: ",", does: "one step back", run: () => view.stepBack() },
    { key: "S", does: "another seed", run: () => view.anotherSeed() },
    { key: "B", does: "brush: put the chosen tile, and let the rest fit", run: tool("brush") },
    { key: "P", does: "pin: what is there stays with another seed", run: tool("pin") },
    { key: "L", does: "lock the selection, or cells that you draw over", run: () => hands.lock() },
    { key: "E", does: "erase pins, paint and locks", run: tool("erase") },
    { key: "I", does: "pick the tile under the cursor", run: tool("pick") },
    { key: "A", does: "select an area; once more: draw around it", run: () => hands.select() },
    { key: "R", does: "regrow the selection: not like this", run: () => hands.selection.regrow() },
    { key: "C", does: "contact sheet: sixteen seeds side by side", run: () => sheet.toggle() },
    { key: [..."123456789"].join(" or "), does: "take one of the contact sheet", run: ({ key }) => sheet.take(Number(key) - 1) },
    { key: "Escape", does: "close the sheet or card; select nothing", run: close },
    ...forCanvas(() => board.canvas, [
      ...arrow("ArrowLeft", -1, 0), ...arrow("ArrowRight", 1, 0), ...arrow("ArrowUp", 0, -1), ...arrow("ArrowDown", 0, 1),
      { key: "Enter", does: "use the tool at the cell that the arrow keys point at; with Shift, they select", run: () => hands.use() },
    ]),
    { key: "Ctrl+Z", does: "undo", run: () => document.undo() },
    { key: "Ctrl+Shift+Z or Ctrl+Y", does: "redo", run: () => document.redo() },
    { key: "0", does: "show the whole map", run: () => board.fit() },
    { key: "+ or =", does: "zoom in", run: zoom(1) },
    { key: "-", does: "zoom out", run: zoom(-1) },
  ];
}
