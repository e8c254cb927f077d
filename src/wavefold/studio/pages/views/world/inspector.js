/** The inspector of the world view: paint, overlays, land, places, time and figures. */

import { get } from "../../app/api.js";
import { button, choice, folded, section, slider, toggle } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { buildPalette } from "../../parts/palette.js";
import { STAGES, drawHatch } from "./chunks.js";
import { listOwnFields, PLAIN } from "./request.js";

const TOOLS = [["move", "Move", "move"], ["brush", "Brush", "brush"], ["erase", "Restore", "erase"], ["pick", "Pick", "pipette"]];
const SHOWS = [["borders", "Borders of chunks"], ["numbers", "Numbers of chunks"], ["stages", "Stages: how borders are made"],
  ["states", "What is there, what is edited"]];
const SIGNS = ["● in memory", "○ in the file", "◐ only its borders: provisional", "– not made yet", "✎ edited"];
const BUDGETS = [5, 10, 25, 50, 100, 250, Infinity]; // milliseconds

/** @param {import("../world.js").WorldView} view */
export function buildWorldInspector(view) {
  const { shell, painter, layer, chunks, document } = view, part = () => h("div", { class: "stack" });
  const [paint, look, land, places, time, legend] = Array.from({ length: 6 }, part);
  const palette = buildPalette("Tiles to paint", (name) => painter.choose("brush", painter.tool === "brush" && painter.tile === name ? "" : name));
  const figures = h("dl", { class: "figures" }), ramp = h("p", { class: "quiet small legend" });
  let shown = "", landShown = "";
  fill(shell.inspector, section("Paint", paint), folded("Show", look, legend), folded("Land", land, ramp), folded("Places", places),
    folded("Time and figures", time, figures));

  const inspector = {
    update() {
      updatePaint();
      updateLand();
      updatePlaces();
      updateLegend();
    },

    /** Name this place. */
    remember() {
      const [x, y] = view.middle, taken = new Set(view.state.places.map((/** @type {any} */ each) => each.name));
      let number = view.state.places.length + 1;
      while (taken.has(`Place ${number}`)) number++;
      document.apply({ do: "place", place: { name: `Place ${number}`, x, y, scale: view.scale, picture: view.takePicture(96, 60) } });
      /** @type {HTMLDetailsElement} */ (places.parentElement).open = true;
      shell.say(`Remembered as “Place ${number}”. Click its name to change it.`);
    },

    /** Ask the server how it is doing; quiet if it does not answer. */
    async showFigures() {
      const answer = await get(`/worlds/${view.world.id}/report`).catch(() => null), sorted = [...view.latencies].sort((one, other) => one - other);
      if (!answer) return;
      const { report, budgets, stored } = answer, { solved, solved_in_blocks: inBlocks, refined, unchanged } = report.interior;
      const share = (/** @type {number} */ part, /** @type {number} */ all) => (all ? `${((100 * part) / all).toFixed(1)} %` : "–");
      const slow = sorted[Math.floor(0.95 * sorted.length)];
      const rows = [["Chunks made", solved + inBlocks + refined + unchanged], ["Windows solved", report.windows],
        ["Chunks in the file", stored ? stored.written + stored.read : "–"], ["Tile, 95 % within", slow ? `${Math.round(slow)} ms` : "–"],
        ["Cells that follow the land", share(report.soft_masks_met, report.soft_masks_asked)], ["Revision", answer.revision]];
      fill(figures, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", { class: "number" }, value.toLocaleString())]));
      fill(inTime, budgets.calls ? `${share(budgets.first_in_time, budgets.chunks)} of ${budgets.chunks} chunks were there in time.`
        : "No chunk was asked for with a time budget yet.");
    },
  };

  const inTime = h("p", { class: "quiet small", "data-figure": "in-time" });
  fill(time, slider("Time for a chunk", { min: 0, max: BUDGETS.length - 1, value: BUDGETS.length - 1,
    show: (each) => (BUDGETS[each] === Infinity ? "as long as it takes" : `${BUDGETS[each]} ms`),
    help: "After this time, a provisional chunk is shown until the final one is there: what a game would see" },
    (each) => { view.budget = BUDGETS[each]; }), inTime);
  fill(look, ...SHOWS.map(([name, text]) => toggle(text, false, (value) => {
    Object.assign(chunks.shows, { [name]: value });
    if (value && !chunks.hasRoom) shell.say("Zoom in to see it: chunks are too small here.");
    chunks.refresh();
    updateLegend();
    layer.draw();
  })));

  function updatePaint() {
    const note = (/** @type {string} */ text) => h("p", { class: "quiet small" }, text);
    if (!shell.canWrite) return fill(paint, note("Read-only: the key of this browser may look, but not paint. Sign out to use another key."));
    const key = `${painter.tool} ${painter.tile}`;
    if (key === shown) return;
    shown = key;
    const { tiles } = view.tileset;
    const tools = TOOLS.map(([name, label, symbol]) =>
      button(label, () => painter.choose(name, painter.tile || tiles[0].name), { symbol, isPressed: painter.tool === name }));
    palette.show(tiles, view.atlas, painter.tool === "brush" ? painter.tile : null);
    const says = /** @type {Record<string, string>} */ ({ brush: `Draw on the map with “${painter.tile}”. The cells around it change to fit.`,
      erase: "Draw on the map to restore what was generated.", pick: "Click a cell to paint with its tile." });
    fill(paint, h("div", { class: "group", role: "group", "aria-label": "Tools" }, ...tools),
      note(says[painter.tool] ?? "Choose a tile, then draw on the world."), palette.element);
  }

  function updateLand() {
    const { world, tileset, state } = view, now = state.land, key = `${JSON.stringify(now)} ${world.id} ${view.field}`;
    const kind = [now.kind, now.tile, view.field, world.fields.length].join(), isInHand = land.contains(window.document.activeElement);
    if (key === landShown || (isInHand && land.dataset.kind === kind)) return; // a slider that is being moved stays
    landShown = key;
    land.dataset.kind = kind;
    const own = listOwnFields(tileset), names = tileset.tiles.map((/** @type {any} */ { name }) => [name, name]);
    const set = (/** @type {any} */ change, merge = "") => document.apply({ do: "land", land: { ...view.state.land, ...change }, merge });
    const kinds = /** @type {[string, string][]} */ ([["", "as it comes"], ...(own.length ? [["own", `follows ${own.join(" and ")}`]] : []),
      ["more", "more of one tile on hills"]]);
    const sliders = now.kind ? [
      slider("Size of hills", { min: 8, max: now.kind === "own" ? 400 : 200, step: 4, value: now.size, show: (each) => `${each} cells` },
        (size) => set({ size }, "size")),
      slider("Strength", { min: 0.2, max: 2, step: 0.1, value: now.strength, show: (each) => `${each} ×` }, (strength) => set({ strength }, "strength"))] : [];
    const tile = now.kind === "more" ? [choice("Tile", names, now.tile || names[0][0], (each) => set({ tile: each }))] : [];
    const fields = [["", "nothing"], ...world.fields.map((/** @type {any} */ { name }) => [name, name])];
    const shows = world.fields.length ? [choice("Show over the map", /** @type {any} */ (fields), view.field,
      (name) => { view.showField(name); updateLegend(); })] : [];
    if (!shell.canWrite) return fill(land, h("p", { class: "quiet small" }, "Needs a key that may write."), ...shows);
    const hint = now.kind ? "Every move makes a draft of another world; paint on it to keep it." : "Hills and valleys can decide what grows where.";
    fill(land, choice("The land", kinds, now.kind, (each) => set({ ...PLAIN, kind: each, size: each === "own" ? 200 : 48 })),
      ...tile, ...sliders, ...shows, h("p", { class: "quiet small" }, hint));
  }

  function updateLegend() {
    const { stages, states } = chunks.shows, field = view.world.fields.find((/** @type {any} */ { name }) => name === view.field);
    const key = (/** @type {Node} */ sign, /** @type {string} */ text) => h("li", {}, sign, text);
    fill(legend, h("ul", { class: "legend", "aria-label": "Legend" },
      ...(stages ? STAGES.map(([, text, colour], kind) => key(drawHatch(kind, colour), text)) : []),
      ...(states ? SIGNS.map((text) => key(h("b", {}, text.slice(0, 1)), text.slice(2))) : [])));
    fill(ramp, ...(field ? [h("span", { class: "ramp" }), ` ${field.name}: ${field.low.toFixed(1)} to ${field.high.toFixed(1)}`] : []));
  }

  function updatePlaces() {
    const cards = view.state.places.map((/** @type {any} */ place) => {
      const picture = place.picture ? h("img", { src: place.picture, alt: "", width: 64, height: 40 }) : "→";
      const name = h("input", { type: "text", value: place.name, "aria-label": "Name of this place", maxlength: 40,
        onchange: () => name.value.trim() && rename(place, name.value.trim()) });
      return h("li", { class: "place" },
        h("button", { type: "button", class: "go", "aria-label": `Go to ${place.name}`, title: `${place.x}, ${place.y}`,
          onclick: () => view.jump(place.x, place.y, place.scale) }, picture),
        name, button(`Forget ${place.name}`, () => document.apply({ do: "unplace", name: place.name }), { symbol: "close", isIconOnly: true, kind: "plain" }));
    });
    fill(places, h("ul", { class: "places" }, ...cards), button("Remember this place", () => inspector.remember(), { symbol: "add", key: "M" }));
  }

  /** Under another name, as one step. @param {any} place @param {string} name */
  function rename(place, name) {
    document.apply({ do: "unplace", name: place.name });
    document.apply({ do: "place", place: { ...place, name } });
  }

  inspector.update();
  inspector.showFigures();
  return inspector;
}
