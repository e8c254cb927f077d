/** How the map settles, how fast it is solved, and the figures of the search. */

import { folded, section, slider } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";

const SPEEDS = [2, 10, 50, 200, 1000, 5000, Infinity]; // steps a second

/** @type {import("./inspector.js").PanelBuilder} */
export function lookPanel(view) {
  const { player } = view, refine = h("div");
  const speed = slider("Speed", { min: 0, max: SPEEDS.length - 1, value: SPEEDS.length - 1,
    show: (each) => (SPEEDS[each] === Infinity ? "as fast as possible" : `${SPEEDS[each]} steps a second`) },
    (each) => { player.speed = SPEEDS[each] === Infinity ? "max" : SPEEDS[each]; });
  return {
    element: section("Look", refine, speed),
    update() {
      const { refine: wanted } = view.state.request, sweeps = wanted === "auto" ? player.tileset.sweeps ?? 0 : Number(wanted);
      fill(refine, slider("Refine", { min: 0, max: 120, step: 4, value: sweeps, show: (each) => (each ? `${each} sweeps` : "off"),
        help: "Settles the map: fewer accidents, the same rules" },
        (each, isFinal) => { if (isFinal) view.apply({ do: "refine", refine: each || false }); }));
    },
  };
}

/** @type {import("./inspector.js").PanelBuilder} */
export function figuresPanel({ player }) {
  const figures = h("dl", { class: "figures" });
  return {
    element: folded("Figures", figures),
    showStatus() {
      const { status } = player;
      fill(figures, ...[["Cells", status.cells], ["Decided", status.decided], ["Decisions", status.decisions], ["Status", status.status]]
        .flatMap(([name, value]) => [h("dt", {}, name), h("dd", { class: "number" }, String(value))]));
    },
  };
}
