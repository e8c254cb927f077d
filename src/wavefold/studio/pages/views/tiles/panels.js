/** The inspector of the tiles view: the tile, the whole set, who may stand beside whom, and the check. */

import { button, section, slider } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { chip } from "./editor.js";
import { baseOf, listSockets, newName, sidesOf } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

const MOST = 60; // pictures of neighbours
const WORLDS = { periodic: "Endless worlds are possible.", impossible: "No map is possible: some area cannot be filled.", undecided: "Whether endless worlds are possible is not known." };
const note = (/** @type {string} */ text) => h("p", { class: "quiet small" }, text);
const show = (/** @type {number} */ at) => String(Number((10 ** (at / 20)).toPrecision(2)));

/** A picture to click. @param {string} label @param {() => void} onclick @param {Node} picture */
const pictureButton = (label, onclick, picture) => h("button", { type: "button", class: "swatch", title: label, "aria-label": label, onclick }, picture);

/** A name to type. @param {string} label @param {string} value @param {(value: string) => void} onchange */
const nameField = (label, value, onchange) => h("input", { type: "text", value, maxlength: 60, "aria-label": label,
  onchange: (/** @type {any} */ { target }) => { const name = target.value.replaceAll("@", " ").trim(); if (name) onchange(name); else target.value = value; } });

/** @param {TilesView} view */
export function buildPanels(view) {
  const { document, shell } = view;
  const weigh = (/** @type {number} */ index, label = "How often") =>
    slider(label, { min: -50, max: 60, step: 0.5, value: 20 * Math.log10(view.set.tiles[index].weight ?? 1), show, help: "Weight: compared with the other tiles" }, (at, isFinal) => {
      view.changeTile({ weight: Number(show(at)), weights: undefined }, index, `weight ${index}`);
      if (isFinal) document.seal();
    });

  /** Symmetry as pictures: all copies of the tile that each choice gives. */
  function listSymmetries() {
    const { set, selected, art } = view, count = sidesOf(set).length, turns = sidesOf(set).map((_, turn) => String((turn * 360) / count)), half = turns.slice(0, count / 2);
    /** @type {[string, any, string[]][]} */
    const choices = [["As drawn", "fixed", ["0"]], ["Mirrored", ["0", "m"], ["0", "m"]], [`Turned, ${half.length} ways`, half, half], [`Turned, ${count} ways`, "turned", turns], [`Turned and mirrored, ${2 * count} ways`, "F", [...turns, "m", ...turns.slice(1).map((turn) => `m${turn}`)]]];
    const now = String([...new Set(view.patternsOf(selected).map(({ orientation }) => orientation))].sort()), { at } = set.tiles[selected];
    return choices.map(([label, symmetry, shown]) => h("button", { type: "button", class: "choice", "aria-pressed": String(String([...shown].sort()) === now),
      onclick: () => view.changeTile({ symmetry, at: Array.isArray(at?.[0]) ? at[0] : at, flat_at: undefined, weights: undefined }) },
    label, h("span", { class: "copies" }, ...shown.map((orientation) => art.thumbnail(set, selected, orientation)))));
  }

  const tabs = {
    tile() {
      const { set, selected } = view, tile = set.tiles[selected], names = set.tiles.map(({ name }) => name);
      const rename = (/** @type {string|null} */ name) => document.apply({ do: "rename", index: selected, name: name && newName(names.toSpliced(selected, 1), name) });
      return [section("Tile", nameField("Name", tile.name, rename), weigh(selected), h("div", { class: "row" },
        button("Duplicate", () => { document.apply({ do: "add", at: selected + 1, tiles: [{ ...tile, name: newName(names, tile.name) }] }); view.choose({ selected: selected + 1 }); }, { symbol: "add" }),
        button("Delete", () => rename(null), { symbol: "close" }))), section("Symmetry: the copies that may be placed", ...listSymmetries())];
    },

    set() {
      const { set, art } = view;
      return [section("Weights: how often each tile is placed", ...set.tiles.slice(0, 100).map((tile, index) => h("div", { class: "weight" }, art.thumbnail(set, index), weigh(index, tile.name)))),
        section("Sockets: sides with the same one fit", ...listSockets(set).map((name) => h("div", { class: "row" }, chip(view, name), nameField(`Name of socket ${name}`, name, (to) => document.apply({ do: "socket", from: name, to: baseOf(to) }))))),
        section("Sample", slider("Map", { min: 8, max: 96, step: 4, value: set.settings.size, show: (each) => `${each} × ${each}` }, (value, isFinal) => { document.apply({ do: "set", key: "size", value, merge: "size" }); if (isFinal) document.seal(); }))];
    },

    beside() {
      const { rules, set, selected, side } = view, sides = sidesOf(set), here = rules?.patterns.findIndex((/** @type {any} */ each) => each.tile === selected) ?? -1;
      if (here < 0) return [];
      const may = view.neighbours(here, side), not = [...rules.patterns.keys()].filter((at) => !may.includes(at));
      const strip = (/** @type {number[]} */ found, /** @type {string} */ does) => h("div", { class: "pairs" }, ...found.slice(0, MOST).map((there) =>
        pictureButton(`${set.tiles[selected].name} with ${rules.patterns[there].name} to the ${sides[side]}: ${does}`, () => view.setPair(here, there, does === "allow"), view.drawPair(here, there))), found.length > MOST ? note(`and ${found.length - MOST} more`) : "");
      return [section("Neighbours: click a pair to forbid or allow it", h("div", { class: "group", role: "group", "aria-label": "Side" }, ...sides.map((name, at) =>
        button(sides.length === 4 ? name : name.replace(/^(.).{4}(.?).*|^(.).*/, "$1$2$3").toUpperCase(), () => view.choose({ side: at }), { isPressed: at === side })))),
      section(`May stand there: ${may.length}`, may.length ? strip(may, "forbid") : note("Nothing fits this side: give another tile the same socket, or allow a pair below.")), section(`May not: ${not.length}`, strip(not, "allow"))];
    },

    check() {
      const { report, rules, set, art } = view, made = (rules?.findings ?? []).map((/** @type {string} */ text) => section("This looks like a mistake", h("p", { class: "finding" }, text)));
      if (!report) return [...made, section("Check", h("div", { class: "skeleton line" }), note("Solving trial maps in the background …"))];
      if (report.problem) return [...made, section("Check", note(report.problem))];
      const gone = set.tiles.flatMap((tile, index) => (report.never_appear.some((/** @type {any} */ each) => each.tile === tile.name && each.whole_tile) ? [index] : []));
      const helpful = report.suggestions.map((/** @type {any} */ { sockets, rises, failing_before: before, failing_after: after }) => {
        const drawn = art.compose(set, rules, view.atlas, sockets);
        return h("div", { class: "row" }, art.thumbnail({ ...set, tiles: [{ name: "", drawn }] }, 0), h("span", { class: "grow small" }, [...new Set(sockets)].join(", "), note(`fills ${before - after} of ${before} gaps`)),
          button("Add", () => view.addTile(sockets, "turned", rises.some(Boolean) ? { rises } : {}), { symbol: "add" }));
      });
      return [...made, section("Trial maps", h("p", {}, `${report.verdict[0].toUpperCase()}${report.verdict.slice(1)}. ${WORLDS[/** @type {"periodic"} */ (report.certificate.verdict)] ?? ""}`)),
        gone.length ? section("Never placed inside a map: nothing fits around them", h("div", { class: "strip" }, ...gone.map((index) => pictureButton(`Select ${set.tiles[index].name}`, () => view.choose({ selected: index, tab: "beside" }), art.thumbnail(set, index))))) : "",
        section("Tiles that would help", ...(helpful.length ? helpful : [note("None: no corner is left that nothing fits, or tiles have no sockets.")]))];
    },
  };

  return {
    update() {
      const { set, tab, rules, report } = view, worries = (rules?.findings.length ?? 0) + (report?.suggestions?.length ?? 0), at = shell.inspector.scrollTop;
      fill(shell.inspector, h("div", { class: "tabs group", role: "group", "aria-label": "Panels" }, ...Object.entries({ tile: "Tile", set: "Set", beside: "Neighbours", check: `Check ${worries || ""}` }).map(([name, label]) =>
        button(label, () => view.choose({ tab: name }), { isPressed: tab === name }))), ...(set.tiles.length ? tabs[/** @type {"tile"} */ (tab)]() : []));
      shell.inspector.scrollTop = at;
    },
  };
}
