/** The inspector of the map view: a list of panels, one below the other. */

import { fill } from "../../parts/element.js";
import { cellPanel } from "./cell-panel.js";
import { lookPanel } from "./look-panel.js";
import { paintPanel } from "./paint-panel.js";
import { gridPanel, statisticsPanel } from "./panels/grid.js";
import { rulesPanel } from "./panels/rules.js";
import { settingsPanels, sharesPanel, weightsPanel } from "./panels/settings.js";

/**
 * A part of the inspector.
 * @typedef {object} Panel
 * @property {HTMLElement} element
 * @property {() => void} [update] the document or the chosen tool changed
 * @property {() => void} [showStatus] the session did something
 * @property {(cell: number) => void} [hover] the cursor is at another cell; -1: at none
 */

/** @typedef {(view: import("../map.js").MapView) => Panel} PanelBuilder */

/** @type {PanelBuilder[]} from top to bottom */
const PANELS = [
  cellPanel, paintPanel, lookPanel, gridPanel, weightsPanel, sharesPanel, rulesPanel, ...settingsPanels, statisticsPanel,
];

/** @param {import("../map.js").MapView} view */
export function buildMapInspector(view) {
  const panels = PANELS.map((build) => build(view));
  fill(view.shell.inspector, ...panels.map(({ element }) => element));
  let shown = /** @type {any} */ (null); // the tile set
  return {
    update() {
      shown = view.player.tileset;
      if (shown) for (const panel of panels) panel.update?.();
    },
    showStatus() {
      if (shown !== view.player.tileset) this.update(); // tools and tiles are there while the first map is solved
      for (const panel of panels) panel.showStatus?.();
    },
    /** @param {number} cell */
    hover(cell) { for (const panel of panels) panel.hover?.(cell); },
  };
}
