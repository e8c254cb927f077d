/** The bar of the map view: tile set, seed, size, running, undo, and the ways out. */

import { nameTilesets } from "../../app/tilesets.js";
import { divider, menuButton, spring } from "../../parts/bar.js";
import { button, choice, numberField, relabel } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { LONGEST } from "./reducers.js";
import { listMapExports, listMapShares } from "./sharing.js";

const ICON = { kind: "first", isIconOnly: true };

/** @param {import("../map.js").MapView} view */
export function buildMapBar(view) {
  const { document, player, shell } = view;
  let run = /** @type {any} */ (null);
  const sizeField = (/** @type {string} */ label, /** @type {string} */ side, min = 2, max = LONGEST) => {
    const set = (/** @type {number} */ value) => view.apply({ do: "size", topology: { [side]: value } });
    return numberField(label, view.state.request.topology[side], set, { min, max, isInline: true });
  };

  return {
    /** Draw what depends on the document. */
    update() {
      const { request } = view.state, isDisk = request.topology.radius !== undefined;
      fill(shell.bar,
        choice("Tiles", nameTilesets(view.tilesets), request.tileset, (id) => view.choose(id), true),
        numberField("Seed", request.seed, (seed) => view.apply({ do: "seed", seed }), { isInline: true }),
        button("Another seed", () => view.anotherSeed(), { symbol: "dice", isIconOnly: true, key: "S" }),
        button("Contact sheet", () => view.sheet.toggle(), { symbol: "grid", isIconOnly: true, key: "C" }), divider(),
        ...(isDisk ? [sizeField("Radius", "radius", 1, 200)] : [sizeField("Size", "width"), sizeField("×", "height")]), divider(),
        h("span", { class: "group first" },
          button("Step back", () => view.stepBack(), { symbol: "back", isIconOnly: true, key: "," }),
          run = button("Run", () => view.toggleRun(), { symbol: "run", kind: "run", key: "Space" }),
          button("Step", () => view.step(), { symbol: "step", isIconOnly: true, key: "." })), divider(),
        button("Undo", () => document.undo(), { symbol: "undo", ...ICON, key: "Ctrl+Z", isDisabled: !document.canUndo }),
        button("Redo", () => document.redo(), { symbol: "redo", ...ICON, key: "Ctrl+Shift+Z", isDisabled: !document.canRedo }),
        spring(),
        button("Whole map", () => view.board.fit(), { symbol: "fit", isIconOnly: true, key: "0" }),
        menuButton("Share", "share", () => listMapShares(view)),
        menuButton("Export", "export", () => listMapExports(view, player.tileset?.topology, player.tileset?.atlas.size === 1)));
      this.showStatus();
    },

    /** Draw what depends on the session. */
    showStatus() {
      const [label, symbol] = player.isRunning ? ["Pause", "pause"] : view.isFinished ? ["Watch again", "replay"] : ["Run", "run"];
      if (run) relabel(run, label, symbol);
    },
  };
}
