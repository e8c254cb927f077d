/** The keys of the map view. */

/** @param {import("../map.js").MapView} view @returns {import("../../app/keyboard.js").Shortcut[]} */
export function listShortcuts(view) {
  const { board, document, hands } = view, tool = (/** @type {string} */ name) => () => hands.choose(name);
  const zoom = (/** @type {number} */ direction) => () => {
    board.camera.step(direction, board.canvas.width / 2, board.canvas.height / 2);
    board.draw();
  };
  return [
    { key: "Space", does: "run or pause; another map when it is finished", run: () => view.toggleRun() },
    { key: ".", does: "one step", run: () => view.step() },
    { key: ",", does: "one step back", run: () => view.stepBack() },
    { key: "S", does: "another seed", run: () => view.anotherSeed() },
    { key: "B", does: "brush: put the chosen tile, and let the rest fit", run: tool("brush") },
    { key: "E", does: "erase pins", run: tool("erase") },
    { key: "I", does: "pick the tile under the cursor", run: tool("pick") },
    { key: "A", does: "select an area", run: tool("select") },
    { key: "R", does: "regrow the selection: not like this", run: () => hands.regrow() },
    { key: "Escape", does: "select nothing", run: () => hands.clearSelection() },
    { key: "Ctrl+Z", does: "undo", run: () => document.undo() },
    { key: "Ctrl+Shift+Z or Ctrl+Y", does: "redo", run: () => document.redo() },
    { key: "0", does: "show the whole map", run: () => board.fit() },
    { key: "+ or =", does: "zoom in", run: zoom(1) },
    { key: "-", does: "zoom out", run: zoom(-1) },
  ];
}
