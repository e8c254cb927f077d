/** Constraints as controls: what must hold on the whole map, in words. */

import { button, choice, toggle } from "../../../parts/controls.js";
import { h } from "../../../parts/element.js";
import { keyControl, readForms } from "./form.js";
import { help, requestPanel } from "./panel.js";

/** @type {import("../inspector.js").PanelBuilder} */
export function rulesPanel(view) {
  const set = (/** @type {any[]} */ constraints) => ({ do: "replace", part: { constraints: constraints.length ? constraints : undefined } });
  const list = () => view.state.request.constraints ?? [];
  const draw = async (/** @type {any} */ _, /** @type {import("./panel.js").Change} */ change) => {
    const { constraints: forms } = await readForms(), { constraints: owns, tiles } = view.player.tileset, own = view.state.request.own_constraints ?? true;
    const find = (/** @type {string} */ kind) => forms.find((each) => each.kind === kind) ?? { kind, title: kind, help: "", keys: [], start: { kind } };
    const add = (/** @type {string} */ kind) => {
      const { keys, start } = find(kind), needed = keys.filter(({ control, needed, name }) => control === "tiles" && (needed || name === "tiles"));
      view.apply(set([...list(), { ...start, ...Object.fromEntries(needed.map(({ name }) => [name, view.hands.tile || tiles[0].name])) }]));
    };
    const cards = list().map((/** @type {any} */ table, /** @type {number} */ index) => {
      const { title, help: about, keys } = find(table.kind);
      return h("fieldset", { class: "rule" }, h("legend", {}, title), help(about),
        ...keys.map((key) => keyControl(view, key, table[key.name], (value) => {
          table = { ...table, [key.name]: value };
          change({ ...set(list().with(index, JSON.parse(JSON.stringify(table)))), merge: `rule ${index} ${key.name}` });
        })),
        button("Remove", () => view.apply(set(list().toSpliced(index, 1))), { symbol: "trash", kind: "plain" }));
    });
    return [help("What must hold on the whole map. If nothing can, a card says why."),
      owns.length ? toggle(`The tile set's own: ${owns.map((/** @type {any} */ { kind }) => find(kind).title.toLowerCase()).join(", ")}`, own,
        (value) => change({ do: "replace", part: { own_constraints: value ? undefined : false } })) : null,
      ...cards, choice("Add a rule", [["", "choose what must hold"], ...forms.map(({ kind, title }) => /** @type {[string, string]} */ ([kind, title]))], "", (kind) => kind && add(kind))];
  };
  const read = (/** @type {any} */ { constraints = [], own_constraints: own = true }) => (own ? constraints : [...constraints, "own"]);
  return requestPanel(view, "Rules of the map", read, draw, ["constraints", "own_constraints"]);
}
