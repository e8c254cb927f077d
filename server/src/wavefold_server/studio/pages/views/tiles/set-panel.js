/** The whole set: weights, names of sockets, and the size of the sample map. */

import { section, slider } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { chip } from "./editor.js";
import { nameField, note, weightSlider } from "./fields.js";
import { baseOf, listSockets } from "./set.js";

const MOST = 100; // tiles with a slider

/** @param {import("../tiles.js").TilesView} view */
export function showSet(view) {
  const { document, set, art } = view, left = set.tiles.length - MOST;
  const weights = set.tiles.slice(0, MOST).map(({ name }, index) =>
    h("div", { class: "weight" }, art.thumbnail(set, index), weightSlider(view, index, name)));
  const sockets = listSockets(set).map((name) => h("div", { class: "row" }, chip(view, name),
    nameField(`Name of socket ${name}`, name, (to) => document.apply({ do: "socket", from: name, to: baseOf(to) }))));
  const resize = (/** @type {number} */ value, /** @type {boolean} */ isFinal) => {
    document.apply({ do: "set", key: "size", value, merge: "size" });
    if (isFinal) document.seal();
  };
  const show = (/** @type {number} */ each) => `${each} × ${each}`, range = { min: 8, max: 96, step: 4, value: set.settings.size, show };
  const rest = left > 0 ? note(`${left} more: select a tile to weigh it.`) : "";
  if (!sockets.length) sockets.push(note("No tile has any: pairs say what fits."));
  return [section("Weights: how often each tile is placed", ...weights, rest),
    section("Sockets: sides with the same one fit", ...sockets),
    section("Sample", slider("Map", range, resize))];
}
