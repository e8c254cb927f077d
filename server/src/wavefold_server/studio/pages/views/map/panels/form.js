/** Controls for the keys of a table, as the service's forms describe them. */

import { get } from "../../../app/api.js";
import { button, choice, toggle } from "../../../parts/controls.js";
import { h } from "../../../parts/element.js";
import { moveByArrows, swatch } from "../../../parts/palette.js";

/** @typedef {{name: string, title: string, control: string, needed: boolean, options: any[], words: Record<string, string>, smallest: number|null, help: string, usual: any, main: boolean}} FormKey */
/** @typedef {{kind: string, title: string, help: string, keys: FormKey[], start: Record<string, any>}} RuleForm */
/** @typedef {{section: string, title: string, help: string, keys: FormKey[]}} SettingsForm */
/** @typedef {import("./panel.js").MapView} MapView */

/** @typedef {Promise<{constraints: RuleForm[], settings: SettingsForm[]}>} Forms */
/** @type {Forms|undefined} */
let forms;
/** @returns {Forms} */
export const readForms = () => (forms ??= get("/solves/forms").catch((error) => { forms = undefined; throw error; }));

/** A control. @param {MapView} view @param {FormKey} key @param {any} value @param {(value: any) => void} put undefined: as usual */
export function keyControl(view, key, value, put) {
  const { title, control, needed, options, smallest, usual } = key, { tiles } = view.player.tileset, set = (/** @type {any} */ next) => put(next === usual ? undefined : next);
  if (control === "flag") return toggle(title, value ?? Boolean(usual), (next) => put(next === Boolean(usual) ? undefined : next));
  if (control === "tiles") return tileChooser(view, key, [value ?? []].flat(), put);
  if (control === "area") return areaControl(view, key, value, put);
  if (control === "tile_numbers") return h("details", {}, h("summary", {}, title), ...tiles.map((/** @type {any} */ { name }) => numberInput(name, (value ?? {})[name], "", (number) => {
    const { [name]: _, ...rest } = value ?? {};
    value = number === undefined ? rest : { ...rest, [name]: number };
    put(Object.keys(value).length ? value : undefined);
  })));
  if (control === "choice" || control === "sockets") {
    const offered = control === "choice" ? options : [...new Set(tiles.flatMap((/** @type {any} */ { sockets }) => Object.values(sockets ?? {})))].sort();
    const listed = /** @type {[string, string][]} */ (offered.map((each) => [String(each), key.words[each] ?? String(each)]));
    if (!offered.length) return null;
    return choice(title, usual === null && !needed ? [["", "as usual"], ...listed] : listed, String([value ?? usual ?? ""].flat()[0]), (text) => set(offered.find((each) => String(each) === text)));
  }
  return numberInput(title, value, usual ?? (needed ? "" : "any"), set, control === "text" ? "text" : "number", smallest);
}

/** @param {string} title @param {any} value @param {any} hint shown where nothing is set @param {(value: any) => void} put @param {number|null} smallest */
function numberInput(title, value, hint, put, type = "number", smallest = null) {
  const input = h("input", { type, step: "any", min: smallest, value: value ?? "", placeholder: hint,
    onchange: () => input.reportValidity() && put(input.value === "" ? undefined : type === "text" ? input.value : Number(input.value)) });
  return h("label", { class: "field line" }, h("span", {}, title), input);
}

/** Some tiles, chosen by their pictures. @param {MapView} view @param {FormKey} key @param {string[]} chosen @param {(value: any) => void} put */
function tileChooser({ player: { atlas, tileset } }, { title, needed }, chosen, put) {
  const names = h("span"), now = new Set(chosen), show = () => { names.textContent = `${title}: ${[...now].join(", ") || (needed ? "choose a tile" : "any")}`; };
  const grid = tileset.tiles.map((/** @type {any} */ { name, patterns }) => {
    const made = swatch(atlas, patterns[0], name, { "aria-pressed": String(now.has(name)), onclick: () => {
      if (now.has(name)) { if (needed && now.size === 1) return; now.delete(name); } else now.add(name);
      made.setAttribute("aria-pressed", String(now.has(name)));
      show();
      put(now.size > 1 ? [...now] : [...now][0]);
    } });
    return made;
  });
  show();
  const group = h("div", { class: "swatches tall", role: "group", "aria-label": title }, ...grid);
  moveByArrows(group);
  return h("details", {}, h("summary", {}, names), group);
}

/** A rectangle of the map, taken from the selection. @param {MapView} view @param {FormKey} key @param {any} value @param {(value: any) => void} put */
function areaControl({ board, hands, shell }, { title, needed }, value, put) {
  const text = h("span", { class: "grow" }), whole = button("Whole map", () => set(undefined));
  const show = (/** @type {any} */ area) => {
    text.textContent = `${title}: ${area ? `${area[2]} × ${area[3]} cells at ${area[0]}, ${area[1]}` : "the whole map"}`;
    whole.hidden = needed || !area;
  };
  const set = (/** @type {any} */ area) => { show(area); put(area); };
  const take = () => {
    const at = hands.selection.cells.map((cell) => /** @type {any} */ (board.geometry).coordinates(cell));
    if (!at.length) return shell.say("Select an area first: key A, then drag.", "warn");
    const [[x, right], [y, bottom]] = [0, 1].map((axis) => at.map((each) => each[axis]).sort((one, other) => one - other)).map((all) => [all[0], all[all.length - 1]]);
    set([x, y, right - x + 1, bottom - y + 1]);
  };
  show(value);
  return h("div", { class: "row" }, text, button("Use the selection", take, { symbol: "select" }), whole);
}
