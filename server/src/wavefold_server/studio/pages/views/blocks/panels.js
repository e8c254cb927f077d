/** The inspector of the blocks view: tools and tiles to build with, and what is cut away to look inside. */

import { button, section, slider, toggle } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { buildPalette } from "../../parts/palette.js";
import { findCut } from "./reducers.js";

const TOOLS = [["build", "Build", "add"], ["replace", "Replace", "swap"], ["remove", "Remove", "erase"]];

/** @param {import("../blocks.js").BlocksView} view */
export function buildBlockPanels(view) {
  const tools = h("div", { class: "group", role: "group", "aria-label": "Tools" });
  const palette = buildPalette("Tiles to build with", (name) => view.hands.choose(view.hands.tool === "remove" ? "build" : view.hands.tool, name));
  const any = h("button", { type: "button", class: "swatch any", title: "Whatever fits", "aria-label": "Whatever fits", "data-tile": "", onclick: () => view.hands.choose(view.hands.tool, "") }, "any");
  const note = h("p", { class: "quiet small" }), inside = h("div", { class: "cuts" });
  let shown = /** @type {any} */ (null), tiles = /** @type {any[]} */ ([]);

  function showTiles() {
    const { hands, session } = view;
    if (session.tileset !== shown) {
      shown = session.tileset;
      tiles = session.tileset.tiles.filter((/** @type {any} */ { patterns }) => !view.blocks.models.isEmpty[patterns[0]]);
    }
    palette.show(tiles, session.atlas, hands.tile, [any]);
  }

  /** @param {Record<string, any>} cut */
  const setCut = (cut) => view.apply({ do: "cut", cut, merge: `cut ${Object.keys(cut)}` });

  function showCuts() {
    const { width, height, depth } = view.state.request.topology, { top, east, south } = findCut(view.state), { isSingle } = view.state.cut;
    const cut = (/** @type {string} */ label, /** @type {string} */ key, /** @type {number} */ value, /** @type {number} */ max) =>
      slider(label, { min: 1, max, value, show: (each) => (each === max ? "all" : `${each} of ${max}`) },
        (each, isFinal) => { setCut({ [key]: each }); if (isFinal) view.document.seal(); });
    fill(inside, cut("Layers", "top", top, depth), toggle("Only the highest of them", Boolean(isSingle), (each) => setCut({ isSingle: each })),
      cut("West to east", "east", east, width), cut("North to south", "south", south, height),
      button("Show everything", () => setCut({ top: undefined, east: undefined, south: undefined, isSingle: false }), { isDisabled: top === depth && east === width && south === height && !isSingle }));
  }

  return {
    /** Draw what depends on the document. */
    update() {
      const { hands } = view;
      if (!view.blocks) return;
      if (!tools.isConnected) fill(view.shell.inspector, section("Build", tools, note, palette.element), section("Look inside", inside));
      fill(tools, ...TOOLS.map(([name, label, symbol]) => button(label, () => hands.choose(name), { symbol, isPressed: hands.tool === name })));
      note.textContent = { build: "Click a side of a block: a block appears there, and the rest fits itself to it.", replace: "Click a block: it becomes the chosen tile.",
        remove: "Click a block: it goes away." }[hands.tool] ?? "";
      showTiles();
      if (!inside.contains(document.activeElement)) showCuts(); // a slider in a hand stays
    },

    /** @param {number} by */
    moveLayer(by) {
      const { depth } = view.state.request.topology, { top } = findCut(view.state);
      setCut({ top: Math.min(depth, Math.max(1, top + by)) });
    },
  };
}
