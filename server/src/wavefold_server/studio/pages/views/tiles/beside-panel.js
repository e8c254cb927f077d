/** Who may stand beside a tile: all pairs as pictures, to be allowed and forbidden. */

import { button, section } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { note, pictureButton } from "./fields.js";
import { drawPair, listNeighbours } from "./pairs.js";
import { sidesOf } from "./set.js";

const MOST = 60; // pictures of neighbours

/** "northeast" is "NE". @param {string} side */
const shorten = (side) => side.replace(/^(.).{4}(.?).*|^(.).*/, "$1$2$3").toUpperCase();

/** @param {import("../tiles.js").TilesView} view */
export function showBeside(view) {
  const { rules, set, selected, side } = view, sides = sidesOf(set);
  const here = rules?.patterns.findIndex((/** @type {any} */ each) => each.tile === selected) ?? -1;
  if (here < 0) return [];
  const may = listNeighbours(rules, here, side), not = [...rules.patterns.keys()].filter((at) => !may.includes(at));
  const list = (/** @type {number[]} */ found, /** @type {string} */ does) => {
    const pairs = found.slice(0, MOST).map((there) => pictureButton(
      `${set.tiles[selected].name} with ${rules.patterns[there].name} to the ${sides[side]}: ${does}`,
      () => view.setPair(here, there, does === "allow"), drawPair(view, here, there)));
    return h("div", { class: "pairs" }, ...pairs, found.length > MOST ? note(`and ${found.length - MOST} more`) : "");
  };
  const none = note("Nothing fits this side: give another tile the same socket, or allow a pair below.");
  const choices = sides.map((name, at) =>
    button(sides.length === 4 ? name : shorten(name), () => view.choose({ side: at }), { isPressed: at === side }));
  const group = h("div", { class: "group", role: "group", "aria-label": "Side" }, ...choices);
  return [section("Neighbours: click a pair to forbid or allow it", group),
    section(`May stand there: ${may.length}`, may.length ? list(may, "forbid") : none),
    section(`May not: ${not.length}`, list(not, "allow"))];
}
