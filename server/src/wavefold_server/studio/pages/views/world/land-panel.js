/** What drives a world: hills and valleys that decide what grows where, and their fields over the map. */

import { count } from "../../app/names.js";
import { choice, folded, slider } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { listOwnFields, PLAIN } from "./request.js";

const SIZES = /** @type {Record<string, number>} of hills at first, in cells */ ({ own: 200, more: 48 });

/** @param {import("../world.js").WorldView} view */
export function buildLandPanel(view) {
  const { shell, document } = view, land = h("div", { class: "stack" }), ramp = h("p", { class: "quiet small legend" });
  const note = (/** @type {string} */ text) => h("p", { class: "quiet small" }, text);
  let shown = "";

  /** @param {any} change @param {string} merge */
  const set = (change, merge = "") => document.apply({ do: "land", land: { ...view.state.land, ...change }, merge });

  /** What the land is, as far as it can be chosen. @param {any} now */
  function listControls(now) {
    const { tileset } = view, own = listOwnFields(tileset);
    const names = tileset.tiles.map((/** @type {any} */ { name }) => [name, name]);
    const kinds = /** @type {[string, string][]} */ ([["", "as it comes"],
      ...(own.length ? [["own", `follows ${own.join(" and ")}`]] : []), ["more", "more of one tile on hills"]]);
    const kind = choice("The land", kinds, now.kind, (each) => set({ ...PLAIN, kind: each, size: SIZES[each] ?? PLAIN.size }));
    if (!now.kind) return [kind];
    const inCells = (/** @type {number} */ each) => count(each, "cell"), times = (/** @type {number} */ each) => `${each} ×`;
    const size = { min: 8, max: now.kind === "own" ? 400 : 200, step: 4, value: now.size, show: inCells };
    const strength = { min: 0.2, max: 2, step: 0.1, value: now.strength, show: times };
    const tile = now.kind !== "more" ? "" : choice("Tile", names, now.tile || names[0][0], (each) => set({ tile: each }));
    return [kind, tile, slider("Size of hills", size, (each) => set({ size: each }, "size")),
      slider("Strength", strength, (each) => set({ strength: each }, "strength"))];
  }

  function update() {
    const { world, state: { land: now } } = view, key = `${JSON.stringify(now)} ${world.id} ${view.field}`;
    const kind = [now.kind, now.tile, view.field, world.fields.length].join();
    const isInHand = land.contains(window.document.activeElement) && land.dataset.kind === kind;
    if (key === shown || isInHand) return; // a slider that is being moved stays
    shown = key;
    land.dataset.kind = kind;
    const fields = [["", "nothing"], ...world.fields.map((/** @type {any} */ { name }) => [name, name])];
    const show = (/** @type {string} */ name) => { view.showField(name); showRamp(); };
    const shows = world.fields.length ? choice("Show over the map", /** @type {any} */ (fields), view.field, show) : "";
    const hint = now.kind ? "Every move makes a draft of another world; paint on it to keep it."
      : "Hills and valleys can decide what grows where.";
    if (shell.canWrite) fill(land, ...listControls(now), shows, note(hint));
    else fill(land, note("Needs a key that may write."), shows);
  }

  function showRamp() {
    const field = view.world.fields.find((/** @type {any} */ { name }) => name === view.field);
    const range = field && ` ${field.name}: ${field.low.toFixed(1)} to ${field.high.toFixed(1)}`;
    fill(ramp, ...(field ? [h("span", { class: "ramp" }), range] : []));
  }

  return { element: folded("Land", land, ramp), update: () => { update(); showRamp(); } };
}
