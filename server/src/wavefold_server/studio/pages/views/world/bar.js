/** The bar and the keys of the world view. */

import { forCanvas } from "../../app/keyboard.js";
import { nameTilesets } from "../../app/tilesets.js";
import { divider, menuButton, spring } from "../../parts/bar.js";
import { button, choice, numberField } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { listWorldExports, listWorldShares } from "./sharing.js";

/** @typedef {import("../world.js").WorldView} WorldView */

/** @param {WorldView} view */
export function buildWorldBar(view) {
  const { shell, painter, world, document } = view, isDisabled = !shell.canWrite;
  const undo = button("Undo", () => painter.step("undo"), { symbol: "undo", isIconOnly: true, key: "Ctrl+Z" });
  const redo = button("Redo", () => painter.step("redo"), { symbol: "redo", isIconOnly: true, key: "Ctrl+Shift+Z" });
  fill(shell.bar,
    choice("World of", nameTilesets(view.tilesets), world.tileset, (id) => view.go(id, world.seed), true),
    numberField("Seed", world.seed, (seed) => view.go(world.tileset, seed), { isInline: true }),
    button("Another world", () => view.go(world.tileset, world.seed + 1),
      { symbol: "dice", isIconOnly: true, key: "S", isDisabled }),
    divider(), undo, redo, isDisabled ? h("span", { class: "read-only" }, "Read-only") : "", spring(), jumpField(view),
    button("Home: back to the origin", () => view.visit(0, 0, 16), { symbol: "origin", isIconOnly: true, key: "0" }),
    menuButton("Share", "share", () => listWorldShares(view)), menuButton("Export", "export", () => listWorldExports(view)));
  const bar = {
    /** Whether there is anything to undo: in this document, or in the log of the world. */
    update() {
      undo.disabled = isDisabled || !(document.canUndo || painter.done);
      redo.disabled = isDisabled || !(document.canRedo || painter.undone);
    },
  };
  bar.update();
  return bar;
}

/** Coordinates to type, as "120, -40". @param {WorldView} view */
function jumpField(view) {
  const input = h("input", { type: "text", class: "coordinates", placeholder: "Go to x, y", "aria-label": "Go to the cell x, y",
    title: "Type a cell, as 120, -40, and press Enter (G)" });
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") view.layer.canvas.focus();
    if (event.key !== "Enter") return;
    const numbers = input.value.match(/-?\d+/g)?.map(Number) ?? [];
    if (numbers.length !== 2 || Math.max(...numbers.map(Math.abs)) > 2 ** 40) {
      return view.shell.say("Write a cell as two whole numbers: 120, -40. The world ends at 2⁴⁰.", "warn");
    }
    view.visit(numbers[0], numbers[1]);
    view.layer.canvas.focus();
  });
  return input;
}

/** @param {WorldView} view @returns {import("../../app/keyboard.js").Shortcut[]} */
export function listWorldShortcuts(view) {
  const { layer, painter, shell, world } = view;
  const tool = (/** @type {string} */ name) => () => shell.canWrite && painter.choose(name);
  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => () => {
    layer.camera.pan(dx * devicePixelRatio, dy * devicePixelRatio);
    layer.draw();
    shell.announce(`In the middle: ${view.middle.join(", ")}`);
  };
  const goHome = () => view.visit(0, 0, 16);
  return [
    ...forCanvas(() => layer.canvas, [
      { key: "ArrowLeft", does: "move left", run: pan(120, 0) }, { key: "ArrowRight", does: "move right", run: pan(-120, 0) },
      { key: "ArrowUp", does: "move up", run: pan(0, 120) }, { key: "ArrowDown", does: "move down", run: pan(0, -120) },
      { key: "Home", does: "", run: goHome },
    ]),
    { key: "+ or =", does: "zoom in", run: () => layer.zoomBy(2) }, { key: "-", does: "zoom out", run: () => layer.zoomBy(0.5) },
    { key: "0", does: "back to the origin", run: goHome },
    { key: "G", does: "go to coordinates",
      run: () => /** @type {HTMLElement} */ (shell.bar.querySelector(".coordinates")).focus() },
    { key: "M", does: "remember this place", run: () => view.inspector?.remember() },
    { key: "B", does: "brush: paint the chosen tile", run: tool("brush") },
    { key: "E", does: "restore what was generated", run: tool("erase") },
    { key: "I", does: "pick the tile under the cursor", run: tool("pick") },
    { key: "Escape", does: "move around, paint nothing", run: () => painter.choose("move", "") },
    { key: "S", does: "another world", run: () => shell.canWrite && view.go(world.tileset, world.seed + 1) },
    { key: "Ctrl+Z", does: "undo", run: () => painter.step("undo") },
    { key: "Ctrl+Shift+Z or Ctrl+Y", does: "redo", run: () => painter.step("redo") },
  ];
}
