/** One tile: its name, how often it is placed, and the copies of it that may be. */

import { button, section } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { nameField, weightSlider } from "./fields.js";
import { patternsOf } from "./pairs.js";
import { newName, sidesOf } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

/** @param {TilesView} view */
export function showTile(view) {
  const { document, set, selected } = view, tile = set.tiles[selected], names = set.tiles.map(({ name }) => name);
  const rename = (/** @type {string|null} */ name) =>
    document.apply({ do: "rename", index: selected, name: name && newName(names.toSpliced(selected, 1), name) });
  const duplicate = () => {
    document.apply({ do: "add", at: selected + 1, tiles: [{ ...tile, name: newName(names, tile.name) }] });
    view.choose({ selected: selected + 1 });
  };
  const buttons = [button("Duplicate", duplicate, { symbol: "copy" }), button("Delete", () => rename(null), { symbol: "trash" })];
  const row = h("div", { class: "row" }, ...buttons);
  return [section("Tile", nameField("Name", tile.name, rename), weightSlider(view, selected), row),
    section("Symmetry: the copies that may be placed", ...listSymmetries(view))];
}

/** Symmetry as pictures: all copies of the tile that each choice gives. @param {TilesView} view */
function listSymmetries(view) {
  const { set, selected, art, rules } = view, count = sidesOf(set).length, { at } = set.tiles[selected];
  const turns = sidesOf(set).map((_, turn) => String((turn * 360) / count)), half = turns.slice(0, count / 2);
  /** @type {[string, any, string[]][]} */
  const choices = [["As drawn", "fixed", ["0"]], ["Mirrored", ["0", "m"], ["0", "m"]],
    [`Turned, ${half.length} ways`, half, half], [`Turned, ${count} ways`, "turned", turns],
    [`Turned and mirrored, ${2 * count} ways`, "F", [...turns, "m", ...turns.slice(1).map((turn) => `m${turn}`)]]];
  const now = String([...new Set(patternsOf(rules, selected).map(({ orientation }) => orientation))].sort());
  const only = { at: Array.isArray(at?.[0]) ? at[0] : at, flat_at: undefined, weights: undefined }; // pictures and weights of copies end
  return choices.map(([label, symmetry, shown]) => h("button", { type: "button", class: "choice",
    "aria-pressed": String(String([...shown].sort()) === now), onclick: () => view.changeTile({ symmetry, ...only }) },
  label, h("span", { class: "copies" }, ...shown.map((orientation) => art.thumbnail(set, selected, orientation)))));
}
