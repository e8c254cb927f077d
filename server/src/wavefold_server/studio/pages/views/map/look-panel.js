/** What undecided cells look like, and how the map settles. */

import { section, slider } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { drawRamp } from "../../board/ramp.js";

const LOOKS = [["average", "Average"], ["entropy", "Entropy"], ["count", "Count"]];

/** @type {import("./inspector.js").PanelBuilder} */
export function lookPanel(view) {
  const { player } = view, refine = h("div");
  const ramp = h("canvas", { role: "img", "aria-label": "From dark, nearly decided, to light, anything is possible" });
  const legend = h("div", { class: "map-legend quiet small", hidden: true },
    h("span", {}, "nearly decided"), ramp, h("span", {}, "anything"));
  drawRamp(ramp);
  const looks = h("div", { class: "group", role: "radiogroup", "aria-label": "Undecided cells" }, ...LOOKS.map(([name, label]) =>
    h("label", { class: "button" }, h("input", { type: "radio", name: "look", value: name, checked: name === player.look,
      onchange: () => show(name) }), label)));
  return {
    element: section("Look", refine, h("div", { class: "field" }, h("span", {}, "Undecided cells"), looks), legend),
    update() {
      const sweeps = player.countSweeps(view.state);
      const isHeld = refine.contains(document.activeElement); // a hand may be on it
      if (isHeld && Number(refine.querySelector("input").value) === sweeps) return;
      fill(refine, slider("Refine", { min: 0, max: 120, step: 4, value: sweeps, show: (each) => (each ? `${each} sweeps` : "off"),
        help: "Settles the map: fewer accidents, the same rules" }, (each, isFinal) => settle(each, isFinal)));
    },
  };

  function show(/** @type {string} */ look) {
    player.setLook(look);
    legend.hidden = look === "average";
  }

  /** Settle the map while the slider moves; where it is let go, it stays. */
  function settle(/** @type {number} */ sweeps, /** @type {boolean} */ isFinal) {
    if (!player.isFinished) { if (isFinal) view.apply({ do: "refine", refine: sweeps || false }); return; }
    if (!isFinal) { view.guard(() => player.refine(sweeps)); return; }
    player.adopt();
    view.apply({ do: "refine", refine: sweeps || false });
  }
}
