/** What the check has found: likely mistakes, how trial maps went, tiles that are never placed, and tiles that would help. */

import { count } from "../../app/names.js";
import { button, section } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { note, pictureButton } from "./fields.js";
import { listSockets } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

/** @type {Record<string, string>} */
const WORLDS = { periodic: "Endless worlds are possible.", impossible: "No map is possible: some area cannot be filled.",
  undecided: "Whether endless worlds are possible is not known." };

/** @param {TilesView} view */
export function showCheck(view) {
  const { check: { report }, rules } = view;
  const mistakes = (rules?.findings ?? []).map((/** @type {string} */ text) =>
    section("This looks like a mistake", h("p", { class: "finding" }, text)));
  const waiting = [h("div", { class: "skeleton thin" }), note("Solving trial maps in the background …")];
  if (!report) return [...mistakes, section("Check", ...waiting)];
  if (report.problem) return [...mistakes, section("Check", note(report.problem))];
  const { verdict, certificate } = report, world = WORLDS[certificate.verdict] ?? "";
  return [...mistakes, section("Trial maps", h("p", {}, `${verdict[0].toUpperCase()}${verdict.slice(1)}. ${world}`)), listGone(view),
    section("Tiles that would help", ...listHelpful(view))];
}

/** Tiles that are never placed. @param {TilesView} view */
function listGone(view) {
  const { check: { report }, set, art } = view;
  const names = new Set(report.never_appear.flatMap((/** @type {any} */ each) => (each.whole_tile ? [each.tile] : [])));
  const gone = set.tiles.flatMap(({ name }, index) => (!names.has(name) ? []
    : [pictureButton(`Select ${name}`, () => view.choose({ selected: index, tab: "beside" }), art.thumbnail(set, index))]));
  return gone.length ? section("Never placed inside a map: nothing fits around them", h("div", { class: "strip" }, ...gone)) : "";
}

/** Tiles to add, or why there are none. @param {TilesView} view */
function listHelpful(view) {
  const { check: { report }, set, art, rules, atlas } = view;
  if (!listSockets(set).length) return [note("None can be suggested: tiles have no sockets, only pairs say what fits.")];
  if (!report.suggestions.length) return [note("None is missing: for every corner that can come up there is a tile.")];
  return report.suggestions.map((/** @type {any} */ { sockets, rises, failing_before: before, failing_after: after }) => {
    const drawn = art.compose(set, rules, atlas, sockets), more = rises.some(Boolean) ? { rises } : {};
    return h("div", { class: "row" }, art.thumbnail({ ...set, tiles: [{ name: "", drawn }] }, 0),
      h("span", { class: "grow small" }, [...new Set(sockets)].join(", "), note(`fills ${before - after} of ${count(before, "gap")}`)),
      button("Add", () => view.addTile(sockets, "turned", more), { symbol: "add" }));
  });
}
