/** The bar of the map view: tile set, seed, size, running, undo, and the ways out. */

import { nameTilesets } from "../../app/tilesets.js";
import { divider, menuButton, spring } from "../../parts/bar.js";
import { button, choice, numberField, relabel } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { listMapExports, listMapShares } from "./sharing.js";

/** @param {import("../map.js").MapView} view */
export function buildMapBar(view) {
  const { document, player, shell } = view;
  let run = /** @type {any} */ (null);

  return {
    /** Draw what depends on the document. */
    update() {
      const { request } = view.state, size = request.topology;
      fill(shell.bar,
        choice("Tiles", nameTilesets(view.tilesets), request.tileset, (id) => view.choose(id), true),
        numberField("Seed", request.seed, (seed) => view.apply({ do: "seed", seed }), { isInline: true }),
        button("Another seed", () => view.anotherSeed(), { symbol: "dice", isIconOnly: true, key: "S" }),
        button("Contact sheet", () => view.sheet.toggle(), { symbol: "grid", isIconOnly: true, key: "C" }), divider(),
        ...(size.radius !== undefined ? [numberField("Radius", size.radius, (radius) => view.apply({ do: "size", topology: { radius } }), { min: 1, max: 200, isInline: true })] : [
        numberField("Size", size.width, (width) => view.apply({ do: "size", topology: { width } }), { min: 2, max: 512, isInline: true }),
        numberField("×", size.height, (height) => view.apply({ do: "size", topology: { height } }), { min: 2, max: 512, isInline: true })]), divider(),
        h("span", { class: "group first" },
          button("Step back", () => view.stepBack(), { symbol: "back", isIconOnly: true, key: "," }),
          run = button("Run", () => view.toggleRun(), { symbol: "run", key: "Space" }),
          button("Step", () => view.step(), { symbol: "step", isIconOnly: true, key: "." })), divider(),
        button("Undo", () => document.undo(), { symbol: "undo", kind: "first", isIconOnly: true, key: "Ctrl+Z", isDisabled: !document.canUndo }),
        button("Redo", () => document.redo(), { symbol: "redo", kind: "first", isIconOnly: true, key: "Ctrl+Shift+Z", isDisabled: !document.canRedo }),
        spring(),
        button("Whole map", () => view.board.fit(), { symbol: "fit", isIconOnly: true, key: "0" }),
        menuButton("Share", "share", () => listMapShares(view)), menuButton("Export", "export", () => listMapExports(view, view.player.tileset?.topology)));
      this.showStatus();
    },

    /** Draw what depends on the session. */
    showStatus() {
      const [label, symbol] = player.isRunning ? ["Pause", "pause"] : view.isFinished ? ["Watch again", "regrow"] : ["Run", "run"];
      if (run) relabel(run, label, symbol);
    },
  };
}
