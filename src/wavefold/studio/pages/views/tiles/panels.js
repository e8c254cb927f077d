/** The inspector of the tiles view: the tile, the whole set, who may stand beside whom, and the check. */

import { button, choice, section, slider } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { chip } from "./editor.js";
import { baseOf, listSockets, newName, sidesOf } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

const MOST = 60; // pictures of neighbours
const note = (/** @type {string} */ text) => h("p", { class: "quiet small" }, text);

/** A name to type. @param {string} label @param {string} value @param {(value: string) => void} onchange */
const nameField = (label, value, onchange) => h("input", { type: "text", value, maxlength: 60, "aria-label": label,
  onchange: (/** @type {any} */ event) => (event.target.value.trim() && !event.target.value.includes("@") ? onchange(event.target.value.trim()) : (event.target.value = value)) });

/** @param {TilesView} view */
export function buildPanels(view) {
  const { document, shell } = view;
  const weigh = (/** @type {number} */ index, label = "How often") => {
    const { weight = 1 } = view.set.tiles[index], show = (/** @type {number} */ at) => String(Number((10 ** (at / 20)).toPrecision(2)));
    return slider(label, { min: -50, max: 60, step: 0.5, value: 20 * Math.log10(weight), show, help: "Weight: compared with the other tiles" }, (at, isFinal) => {
      view.changeTile({ weight: Number(show(at)), weights: undefined }, index, `weight ${index}`);
      if (isFinal) document.seal();
    });
  };

  /** Symmetry as pictures: all copies of the tile that each choice gives. */
  function listSymmetries() {
    const { set, selected, art } = view, count = sidesOf(set.tables).length, turns = Array.from({ length: count }, (_, turn) => String((turn * 360) / count));
    /** @type {[string, any, string[]][]} */
    const choices = [["As drawn", "fixed", ["0"]], ["Mirrored", ["0", "m"], ["0", "m"]], ["Half of the turns", turns.slice(0, count / 2), turns.slice(0, count / 2)], ["All turns", "turned", turns],
      ["Turned and mirrored", "F", [...turns, ...turns.map((turn) => `m${turn === "0" ? "" : turn}`)]]];
    const now = String([...new Set(view.patternsOf(selected).map(({ orientation }) => orientation))].sort());
    return h("div", { class: "choices", role: "group", "aria-label": "Symmetry" }, ...choices.map(([label, symmetry, shown]) => h("button", { type: "button", class: "choice", "aria-pressed": String(String([...shown].sort()) === now),
      onclick: () => { const { at, drawn } = set.tiles[selected]; view.changeTile({ symmetry, at: Array.isArray(at?.[0]) ? at[0] : at, drawn: drawn && { 0: drawn[0] ?? art.sample(set, selected) }, weights: undefined }); } },
    h("span", {}, label), h("span", { class: "copies" }, ...shown.map((orientation) => art.thumbnail(set, selected, orientation))))));
  }

  const tabs = {
    tile() {
      const { set, selected } = view, tile = set.tiles[selected], names = set.tiles.map(({ name }) => name);
      return [section("Tile", h("label", { class: "field" }, h("span", {}, "Name"), nameField("Name", tile.name, (name) => document.apply({ do: "rename", index: selected, name: newName(names.toSpliced(selected, 1), name) }))), weigh(selected),
          h("div", { class: "row" }, button("Duplicate", () => { document.apply({ do: "add", at: selected + 1, tiles: [{ ...tile, name: newName(names, tile.name) }] }); view.choose({ selected: selected + 1 }); }, { symbol: "add" }),
            button("Delete", () => document.apply({ do: "rename", index: selected, name: null }), { symbol: "close" }))),
        section("Symmetry: the copies that may be placed", listSymmetries())];
    },

    set() {
      const { set, art } = view, [width, height] = art.size(set), sizes = [8, 12, 16, 24, 32, 48, 64], known = sizes.includes(width) ? sizes : [...sizes, width];
      return [section("Weights: how often each tile is placed", ...set.tiles.slice(0, 100).map((tile, index) => h("div", { class: "weight" }, art.thumbnail(set, index), weigh(index, tile.name)))),
        section("Sockets: sides with the same one fit", ...listSockets(set).map((name) => h("div", { class: "row" }, chip(view, name),
          nameField(`Name of socket ${name}`, name, (to) => document.apply({ do: "socket", from: name, to: baseOf(to) })), note(`${set.tiles.filter(({ sockets }) => sockets?.some((each) => baseOf(each) === name)).length} tiles`)))),
        section("Sizes", choice("Tiles", known.map((each) => [String(each), `${each} × ${Math.round((each * height) / width)} pixels`]), String(width), (text) => {
          const size = [Number(text), Math.round((Number(text) * height) / width)];
          document.apply({ do: "resize", size, drawn: set.tiles.map((tile, index) => Object.fromEntries(Array.from({ length: view.countPictures(index) }, (_, picture) => [picture, art.sample(set, index, picture, /** @type {any} */ (size))]))) });
        }), slider("Sample map", { min: 8, max: 96, step: 4, value: set.settings.size, show: (each) => `${each} × ${each}` }, (value, isFinal) => { document.apply({ do: "set", key: "size", value, merge: "size" }); if (isFinal) document.seal(); }))];
    },

    beside() {
      const { rules, set, selected, side } = view, sides = sidesOf(set.tables), here = rules?.patterns.findIndex((/** @type {any} */ each) => each.tile === selected);
      if (!rules || here < 0) return [section("Neighbours", note("Nothing to show yet."))];
      const may = view.neighbours(here, side), not = rules.patterns.map((/** @type {any} */ _, /** @type {number} */ at) => at).filter((/** @type {number} */ at) => !may.includes(at));
      const strip = (/** @type {number[]} */ found, /** @type {boolean} */ allowed) => h("div", { class: "pairs" }, ...found.slice(0, MOST).map((there) => {
        const name = rules.patterns[there].name, does = allowed ? "forbid" : "allow";
        return h("button", { type: "button", class: "swatch", title: `${name}: click to ${does} this pair`, "aria-label": `${set.tiles[selected].name} with ${name} to the ${sides[side]}: ${does}`, onclick: () => view.setPair(here, there, side, !allowed) }, view.drawPair(here, there, side));
      }), found.length > MOST ? note(`and ${found.length - MOST} more`) : "");
      return [section("Neighbours", h("div", { class: "group", role: "group", "aria-label": "Side" }, ...sides.map((name, at) => button(sides.length === 4 ? name : name.replace(/^(.).{4}(.?).*|^(.).*/, "$1$2$3").toUpperCase(), () => view.choose({ side: at }), { isPressed: at === side }))),
        note(`Click a pair to forbid or allow it on the ${sides[side]} side.`)),
      section(`May stand there: ${may.length}`, may.length ? strip(may, true) : note("Nothing fits this side: give another tile the same socket, or allow a pair below.")), section(`May not: ${not.length}`, strip(not, false))];
    },

    check() {
      const { report, rules, set } = view, findings = rules?.findings ?? [];
      const made = [section("What looks like a mistake", ...(findings.length ? findings.map((/** @type {string} */ text) => h("p", { class: "finding" }, text)) : [note("Nothing.")]))];
      if (!report) return [...made, section("Check", h("div", { class: "skeleton line" }), note("Solving trial maps in the background …"))];
      if (report.problem) return [...made, section("Check", note(report.problem))];
      const gone = [...new Set(report.never_appear.map((/** @type {any} */ each) => each.tile))];
      const worlds = { periodic: "Endless worlds are possible.", impossible: "No map is possible: some area cannot be filled.", undecided: "Whether endless worlds are possible is not known." }[/** @type {string} */ (report.certificate.verdict)];
      return [...made, section("Trial maps", h("p", {}, `${report.verdict[0].toUpperCase()}${report.verdict.slice(1)}. ${worlds ?? ""}`)),
        ...(gone.length ? [section("Never placed inside a map", h("div", { class: "strip" }, ...gone.map((name) => {
          const index = set.tiles.findIndex((tile) => tile.name === name);
          return index < 0 ? "" : h("button", { type: "button", class: "swatch", title: name, "aria-label": `Select ${name}`, onclick: () => view.choose({ selected: index, tab: "beside" }) }, view.art.thumbnail(set, index));
        })), note("Nothing fits around them: compare their neighbours."))] : []),
        section("Tiles that would help", ...(report.suggestions.length ? report.suggestions.map((/** @type {any} */ each) => {
          const drawn = view.art.compose(set, rules, view.atlas, each.sockets), trial = { ...set, tiles: [{ name: "", drawn: { 0: drawn } }] };
          return h("div", { class: "row" }, view.art.thumbnail(trial, 0), h("span", { class: "grow small" }, [...new Set(each.sockets)].join(", "), note(`fills ${each.failing_before - each.failing_after} of ${each.failing_before} gaps`)),
            button("Add", () => view.addTile(each.sockets, "turned", each.rises.some(Boolean) ? { rises: each.rises } : {}), { symbol: "add" }));
        }) : [note("None: there is no corner that nothing fits, or tiles have no sockets.")]))];
    },
  };

  return {
    update() {
      const { set, tab, rules, report } = view, worries = (rules?.findings.length ?? 0) + (report?.suggestions?.length ?? 0);
      const names = [["tile", "Tile"], ["set", "Set"], ["beside", "Neighbours"], ["check", worries ? `Check ${worries}` : "Check"]], at = shell.inspector.scrollTop;
      fill(shell.inspector, h("div", { class: "tabs group", role: "group", "aria-label": "Panels" }, ...names.map(([name, label]) => button(label, () => view.choose({ tab: name }), { isPressed: tab === name }))),
        ...(set.tiles.length ? tabs[/** @type {"tile"} */ (tab)]() : [section("Tiles", note("There are none yet. Add one, or open a set."))]));
      shell.inspector.scrollTop = at;
    },
  };
}
