/** Tools, and the tiles to paint with. */

import { button, section } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { buildPalette } from "../../parts/palette.js";

/** @type {[string, string, string, string, string][]} name, label, symbol, key, what it does */
const TOOLS = [
  ["brush", "Brush", "brush", "B", "Choose a tile below, then draw: the rest is made to fit."],
  ["pin", "Pin", "pin", "P", "Click what you like: it stays with another seed."],
  ["lock", "Lock", "lock", "L", "Draw over cells that stay as they are with another seed."],
  ["erase", "Erase", "erase", "E", "Draw over pins, paint and locks to forget them."],
  ["select", "Select", "select", "A", "Drag over a part, then regrow or lock it."],
  ["pick", "Pick", "pipette", "I", "Click a tile on the map to paint with it."],
];

/** @type {import("./inspector.js").PanelBuilder} */
export function paintPanel({ player, hands }) {
  const tools = h("div", { class: "map-tools", role: "group", "aria-label": "Tools" }), hint = h("p", { class: "quiet small" });
  const light = (/** @type {string} */ name) => () => hands.light(name), rest = () => hands.light(palette.element.querySelector(".swatch:focus-visible")?.title ?? "");
  const palette = buildPalette("Tiles to paint with", (name) => hands.choose("brush", hands.tile === name ? "" : name),
    (name) => ({ onpointerenter: light(name), onpointerleave: rest, onfocus: light(name), onblur: light("") }));
  const regrow = button("Regrow the selection", () => hands.regrow(), { symbol: "regrow", key: "R" });
  return {
    element: section("Paint", tools, hint, palette.element, regrow),
    update() {
      fill(tools, ...TOOLS.map(([name, label, symbol, key]) => button(label, () => (name === "lock" ? hands.lock() : hands.choose(name)), { symbol, key, isPressed: hands.tool === name })));
      hint.textContent = TOOLS.find(([name]) => name === hands.tool)?.[4] ?? "";
      regrow.hidden = hands.tool !== "select";
      palette.show(player.palette, player.atlas, hands.tile);
    },
  };
}
