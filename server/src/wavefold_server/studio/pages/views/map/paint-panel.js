/** Tools, and the tiles to paint with. */

import { button, section } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { buildPalette } from "../../parts/palette.js";

/** @type {[string, string, string, string, string][]} name, label, symbol, key, what it does */
const TOOLS = [
  ["brush", "Brush", "brush", "B", "Choose a tile below, then draw: it is put there, and cells around it are made to fit."],
  ["pin", "Pin", "pin", "P", "Click single cells: the tile that is there stays, whatever you paint and with another seed."],
  ["lock", "Lock", "lock", "L", "Draw over whole areas: they stay as they are, whatever you paint and with another seed."],
  ["erase", "Erase", "erase", "E", "Draw over pins, paint and locks: they need not stay any more."],
  ["select", "Select", "select", "A", "Drag over a part, or draw around it, then regrow or lock it."],
  ["pick", "Pick", "pipette", "I", "Click a tile on the map to paint with it."],
];

/** @type {import("./inspector.js").PanelBuilder} */
export function paintPanel({ player, hands }) {
  const tools = h("div", { class: "map-tools", role: "group", "aria-label": "Tools" }), hint = h("p", { class: "quiet small" });
  const light = (/** @type {string} */ name) => () => hands.light(name);
  const rest = () => hands.light(palette.element.querySelector(".swatch:focus-visible")?.title ?? "");
  const palette = buildPalette("Tiles to paint with", (name) => hands.choose("brush", hands.tileInHand === name ? "" : name),
    (name) => ({ onpointerenter: light(name), onpointerleave: rest, onfocus: light(name), onblur: light("") }));
  const shapes = h("div", { class: "group", role: "group", "aria-label": "Shape of the selection" });
  const regrow = button("Regrow the selection", () => hands.selection.regrow(), { symbol: "regrow", key: "R" });
  const selecting = h("div", { class: "map-selecting" }, shapes, regrow);
  const take = (/** @type {string} */ name) => {
    if (name === "lock") hands.lock();
    else if (name === "select") hands.select(false);
    else hands.choose(name);
  };
  return {
    element: section("Paint", tools, hint, selecting, palette.element),
    update() {
      const { tool, selection: { isFree } } = hands;
      fill(tools, ...TOOLS.map(([name, label, symbol, key, help]) => {
        const made = button(label, () => take(name), { symbol, key, isPressed: tool === name });
        made.title += `: ${help}`;
        return made;
      }));
      hint.textContent = TOOLS.find(([name]) => name === tool)?.[4] ?? "";
      selecting.hidden = tool !== "select";
      fill(shapes, button("Rectangle", () => hands.select(false), { symbol: "select", isPressed: !isFree }),
        button("Lasso", () => hands.select(true), { symbol: "lasso", isPressed: isFree }));
      palette.show(player.names.palette, player.atlas, hands.tile);
    },
  };
}
