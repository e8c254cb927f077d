/** Every setting of the search, and how much there is of each tile. */

import { button, slider } from "../../../parts/controls.js";
import { h } from "../../../parts/element.js";
import { swatch } from "../../../parts/palette.js";
import { keyControl, readForms } from "./form.js";
import { help, requestPanel } from "./panel.js";

/** @typedef {import("../inspector.js").PanelBuilder} PanelBuilder */

/** Panels of the service's forms, by section; of the request itself, these keys. @type {[string, string, string[]][]} */
const SECTIONS = [["heuristics", "Order and choice", []], ["search", "Dead ends", []], ["budget", "Patience", []], ["", "How it is computed", ["propagation", "undo", "share_tolerance"]]];

/** @type {PanelBuilder[]} */
export const settingsPanels = SECTIONS.map(([section, title, single]) => (view) => {
  const draw = async (/** @type {any} */ values, /** @type {import("./panel.js").Change} */ change) => {
    const form = (await readForms()).settings.find((each) => each.section === section), { keys, help: about } = /** @type {import("./form.js").SettingsForm} */ (form);
    const rows = (/** @type {boolean} */ isMain) => keys.filter(({ main }) => main === isMain).map((key) => h("div", { class: "setting", "data-setting": key.name },
      keyControl(view, key, values[key.name], (value) => change({ do: "settings", section, key: key.name, value, merge: `${section} ${key.name}` })), help(key.help)));
    const more = rows(false);
    return [help(about), ...rows(true), more.length ? h("details", { class: "fields" }, h("summary", {}, "More settings"), ...more) : null];
  };
  const read = (/** @type {any} */ request) => (section ? request[section] ?? {} : Object.fromEntries(single.filter((key) => key in request).map((key) => [key, request[key]])));
  return requestPanel(view, title, read, draw, section ? [section] : single);
});

const SWEEPS = 30; // where the tile set recommends none

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** A slider for each tile. @param {string} section of the request @param {string} title @param {string} about @param {{max: number, step: number, usual: number, show: (value: number, has: number) => string}} range @returns {PanelBuilder} */
const tileSliders = (section, title, about, { max, step, usual, show }) => (view) => {
  let rows = /** @type {[string, any][]} */ ([]), has = /** @type {Record<string, number>} */ ({});
  const count = () => {
    const { tileset, wave } = view.player, all = wave.left.length;
    has = {};
    for (let cell = 0; cell < all; cell++) { const tile = tileset.patterns[wave.pattern(cell)]?.tile; has[tile] = (has[tile] ?? 0) + 1 / all; }
  };
  const draw = (/** @type {Record<string, number>} */ values, /** @type {import("./panel.js").Change} */ change) => {
    count();
    rows = view.player.tileset.tiles.map((/** @type {any} */ { name, patterns }) => [name, h("div", { class: "tile-row" },
      swatch(view.player.atlas, patterns[0], `Paint with ${name}`, { onclick: () => view.hands.choose("brush", name) }),
      slider(name, { min: 0, max, step, value: values[name] ?? usual, show: (value) => show(value, has[name] ?? 0) }, (value, isFinal) => {
        if (isFinal) view.document.seal();
        else change({ do: "settings", section, key: name, value: value === usual ? undefined : value, merge: `${section} ${name}` });
      }))]);
    return [help(about), ...rows.map(([, row]) => row)];
  };
  const panel = requestPanel(view, title, (request) => request[section] ?? {}, draw, [section]);
  return { ...panel, showStatus() {
    if (!panel.element.hasAttribute("open") || view.player.isRunning || !rows.length) return;
    count();
    for (const [name, row] of rows) row.querySelector("output").textContent = show(Number(row.querySelector("input").value), has[name] ?? 0);
  } };
};

export const weightsPanel = tileSliders("weights", "Weights", "How often a tile is drawn, compared with what is usual.",
  { max: 4, step: 0.05, usual: 1, show: (value) => (value ? `× ${value}` : "never") });
const shareSliders = tileSliders("shares", "Shares", "How much of the map should be a tile. Refining gets as near as the rules allow.",
  { max: 1, step: 0.01, usual: 0, show: (value, has) => `${value ? `asked ${percent(value)}, ` : ""}has ${percent(has)}` });

/** Shares, and what to do if nothing gets near them. @type {PanelBuilder} */
export const sharesPanel = (view) => {
  const panel = shareSliders(view), { player } = view;
  const turnOn = () => view.apply({ do: "refine", refine: player.tileset.sweeps || SWEEPS });
  const hint = h("div", { class: "fields", hidden: true, "data-hint": "refine" },
    help("Refine is off, so shares change nothing."), button("Turn Refine on", turnOn));
  panel.element.append(hint);
  return { ...panel, showStatus() {
    panel.showStatus?.();
    hint.hidden = !Object.keys(view.state.request.shares ?? {}).length || player.countSweeps(view.state) > 0;
  } };
};
