/** The inspector of the world view: paint, overlays, and panels of land, places and figures. */

import { button, folded, section, toggle } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { buildPalette } from "../../parts/palette.js";
import { STAGES, drawHatch } from "./chunks.js";
import { buildFiguresPanel } from "./figures-panel.js";
import { buildLandPanel } from "./land-panel.js";
import { buildPlacesPanel } from "./places-panel.js";

const TOOLS = [["move", "Move", "move"], ["brush", "Brush", "brush"], ["erase", "Restore", "erase"], ["pick", "Pick", "pipette"]];
const SHOWS = [["borders", "Borders of chunks"], ["numbers", "Numbers of chunks"], ["stages", "Stages: how borders are made"],
  ["states", "What is there, what is edited"]];
const SIGNS = ["● in memory", "○ in the file", "◐ only its borders: provisional", "– not made yet", "✎ edited"];
const READ_ONLY = "Read-only: the key of this browser may look, but not paint. Sign out to use another key.";

/** @param {import("../world.js").WorldView} view */
export function buildWorldInspector(view) {
  const paint = buildPaintPanel(view), land = buildLandPanel(view);
  const places = buildPlacesPanel(view), figures = buildFiguresPanel(view);
  const update = () => { paint.update(); land.update(); places.update(); };
  fill(view.shell.inspector, paint.element, buildOverlayPanel(view), land.element, places.element, figures.element);
  update();
  figures.update();
  return { update, remember: places.remember, showFigures: figures.update };
}

/** @param {import("../world.js").WorldView} view */
function buildPaintPanel(view) {
  const { shell, painter } = view, words = h("p", { class: "quiet small" }, READ_ONLY);
  const tools = h("div", { class: "group", role: "group", "aria-label": "Tools" });
  const palette = buildPalette("Tiles to paint", (name) =>
    painter.choose("brush", painter.tool === "brush" && painter.tile === name ? "" : name));
  let shown = "";

  function update() {
    const { tiles } = view.tileset, { tool, tile } = painter, key = `${tool} ${tile}`;
    if (!shell.canWrite || key === shown) return;
    shown = key;
    fill(tools, ...TOOLS.map(([name, label, symbol]) =>
      button(label, () => painter.choose(name, painter.tile || tiles[0].name), { symbol, isPressed: tool === name })));
    words.textContent = { brush: `Draw on the map with “${tile}”. The cells around it change to fit.`,
      erase: "Draw on the map to restore what was generated.", pick: "Click a cell to paint with its tile." }[tool]
      ?? "Choose a tile, then draw on the world.";
    palette.show(tiles, view.atlas, tool === "brush" ? tile : null);
  }

  const paint = h("div", { class: "stack" }, ...(shell.canWrite ? [tools, words, palette.element] : [words]));
  return { element: section("Paint", paint), update };
}

/** What is known of chunks, over the map. @param {import("../world.js").WorldView} view */
function buildOverlayPanel({ shell, chunks, layer }) {
  const legend = h("ul", { class: "legend", "aria-label": "Legend" });
  const key = (/** @type {Node} */ sign, /** @type {string} */ text) => h("li", {}, sign, text);
  const switches = SHOWS.map(([name, text]) => toggle(text, false, (value) => {
    Object.assign(chunks.shows, { [name]: value });
    if (value && !chunks.hasRoom) shell.say("Zoom in to see it: chunks are too small here.");
    const { stages, states } = chunks.shows;
    fill(legend, ...(stages ? STAGES.map(([, words, colour], kind) => key(drawHatch(kind, colour), words)) : []),
      ...(states ? SIGNS.map((sign) => key(h("b", {}, sign.slice(0, 1)), sign.slice(2))) : []));
    chunks.refresh();
    layer.draw();
  }));
  return folded("Show", h("div", { class: "stack" }, ...switches), h("div", { class: "stack" }, legend));
}
