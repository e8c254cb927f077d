/** The inspector of the map view: what a cell may be, the tiles to pin, refining, speed and figures. */

import { button, folded, section, slider } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";

const SPEEDS = [2, 10, 50, 200, 1000, 5000, Infinity]; // steps a second
const TOOLS = [["brush", "Brush", "brush"], ["select", "Select", "select"], ["erase", "Erase", "erase"], ["pick", "Pick", "pipette"]];

/** @param {any} view the map view */
export function buildInspector(view) {
  const { shell, player } = view;
  const domain = h("div", { class: "strip" }), palette = h("div", { class: "swatches", role: "group", "aria-label": "Tiles to pin" });
  const tools = h("div", { class: "group", role: "group", "aria-label": "Tools" }), figures = h("dl", { class: "figures" }), refine = h("div");
  const speed = slider("Speed", { min: 0, max: SPEEDS.length - 1, value: SPEEDS.length - 1,
    show: (each) => (SPEEDS[each] === Infinity ? "as fast as possible" : `${SPEEDS[each]} steps a second`) },
    (each) => { player.speed = SPEEDS[each] === Infinity ? "max" : SPEEDS[each]; });
  let shown = "", asked = -1;
  fill(shell.inspector,
    section("Under the cursor", domain),
    section("Paint", tools, palette, button("Regrow the selection", () => view.regrow(), { symbol: "regrow", key: "R" })),
    section("Look", refine, speed),
    folded("Figures", figures));

  /** A tile as a small picture. @param {number} pattern @param {string} name @param {Record<string, any>} more */
  function swatch(pattern, name, more) {
    const { atlas } = player, canvas = h("canvas", { width: atlas.width, height: atlas.height });
    atlas.draw(canvas.getContext("2d"), pattern, 0, 0);
    return h("button", { type: "button", class: "swatch", title: name, "aria-label": name, ...more }, canvas);
  }

  return {
    /** Draw what depends on the document. */
    update() {
      if (!player.tileset) return;
      fill(tools, ...TOOLS.map(([name, label, symbol]) => button(label, () => { view.tool = name; this.update(); }, { symbol, isPressed: view.tool === name })));
      const key = `${player.tileset.id} ${view.tile} ${view.tool}`;
      if (key !== shown) {
        shown = key;
        fill(palette, ...player.tileset.tiles.map((/** @type {any} */ tile) => swatch(tile.patterns[0], tile.name, {
          "aria-pressed": String(view.tile === tile.name),
          onclick: () => { view.tile = view.tile === tile.name ? "" : tile.name; view.tool = "brush"; this.update(); } })));
      }
      const { refine: wanted } = view.state.request, sweeps = wanted === "auto" ? player.tileset.sweeps ?? 0 : Number(wanted);
      fill(refine, slider("Refine", { min: 0, max: 120, step: 4, value: sweeps, show: (each) => (each ? `${each} sweeps` : "off"),
        help: "Settles the map: fewer accidents, the same rules" },
        (each, isFinal) => { if (isFinal) view.apply({ do: "refine", refine: each || false }); }));
    },

    /** Ask what a cell may be; only the last question counts. @param {number} cell */
    async askDomain(cell) {
      asked = cell;
      if (player.wave.left[cell] === 1) return this.showDomain([{ name: player.tileset.patterns[player.wave.pattern(cell)].name, pattern: player.wave.pattern(cell), chance: 1 }]);
      if (player.isRunning) return;
      const answer = await player.domain(cell).catch(() => null);
      if (answer && asked === cell) this.showDomain(answer.domain);
    },

    /** @param {any[]|null} options most likely first */
    showDomain(options) {
      if (!options) return fill(domain, h("p", { class: "quiet small" }, "Point at a cell to see what it may be."));
      fill(domain, ...options.slice(0, 24).map(({ name, pattern, chance }) =>
        swatch(pattern, `${name}, ${Math.round(100 * chance)} %`, { onclick: () => { view.tile = name; view.tool = "brush"; this.update(); } })));
    },

    showStatus() {
      const { status } = player;
      fill(figures, ...[["Cells", status.cells], ["Decided", status.decided], ["Decisions", status.decisions], ["Status", status.status]]
        .flatMap(([name, value]) => [h("dt", {}, name), h("dd", { class: "number" }, String(value))]));
    },
  };
}
