/** The inspector of the tiles view: the tile, the whole set, who may stand beside whom, and the check. */

import { button } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { showBeside } from "./beside-panel.js";
import { showCheck } from "./check-panel.js";
import { showSet } from "./set-panel.js";
import { showTile } from "./tile-panel.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

/** @type {Record<string, (view: TilesView) => (Node|string)[]>} */
const PANELS = { tile: showTile, set: showSet, beside: showBeside, check: showCheck };

/** @param {TilesView} view */
export function buildTilePanels(view) {
  const { inspector } = view.shell;
  return {
    update() {
      const { set, tab, rules, check: { report } } = view, at = inspector.scrollTop;
      const active = /** @type {any} */ (document.activeElement);
      const isTyped = active?.type === "text" && active.value !== active.defaultValue; // a name, of which there is more to come
      if (isTyped && inspector.contains(active)) return;
      const worries = (rules?.findings.length ?? 0) + (report?.suggestions?.length ?? 0);
      const labels = { tile: "Tile", set: "Set", beside: "Neighbours", check: `Check ${worries || ""}` };
      const tabs = Object.entries(labels).map(([name, label]) =>
        button(label, () => view.choose({ tab: name }), { isPressed: tab === name }));
      fill(inspector, h("div", { class: "tabs group", role: "group", "aria-label": "Panels" }, ...tabs),
        ...(set.tiles.length ? PANELS[tab](view) : []));
      inspector.scrollTop = at;
    },
  };
}
