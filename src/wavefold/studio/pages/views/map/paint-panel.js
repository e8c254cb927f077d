/** Tools, and the tiles to paint with. */

import { button, section } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { swatch } from "./swatch.js";

const TOOLS = [["brush", "Brush"], ["select", "Select"], ["erase", "Erase"], ["pick", "Pick", "pipette"]]; // name, label, symbol

/** @type {import("./inspector.js").PanelBuilder} */
export function paintPanel({ player, hands }) {
  const tools = h("div", { class: "group", role: "group", "aria-label": "Tools" });
  const palette = h("div", { class: "swatches", role: "group", "aria-label": "Tiles to pin" });
  let shown = "";
  return {
    element: section("Paint", tools, palette, button("Regrow the selection", () => hands.regrow(), { symbol: "regrow", key: "R" })),
    update() {
      fill(tools, ...TOOLS.map(([name, label, symbol]) => button(label, () => hands.choose(name), { symbol: symbol ?? name, isPressed: hands.tool === name })));
      const key = `${player.tileset.id} ${hands.tile}`;
      if (key === shown) return;
      shown = key;
      fill(palette, ...player.tileset.tiles.map((/** @type {any} */ { name, patterns }) => swatch(player.atlas, patterns[0], name, {
        "aria-pressed": String(hands.tile === name), onclick: () => hands.choose("brush", hands.tile === name ? "" : name) })));
    },
  };
}
