/** The inspector of the picture view: tools and colours, the sample, the map, and its patterns. */

import { choice, folded, section, slider, toggle } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { listPatterns } from "./patterns.js";

const SYMMETRIES = /** @type {[string, string][]} */ ([["auto", "as in the sample"], ["1", "none"], ["2", "mirrored"], ["4", "four turns"], ["8", "turned and mirrored"]]);

/** @param {import("../picture.js").PictureView} view @returns {HTMLElement} where patterns are listed */
export function showPanel(view) {
  const { sample, settings, document, shell } = view, patterns = h("details", { class: "section", open: view.showsPatterns });
  const resized = (/** @type {Record<string, number>} */ to) => document.apply({ do: "resize", width: sample.width, height: sample.height, ...to });
  patterns.addEventListener("toggle", () => { view.showsPatterns = patterns.open; view.showPatterns(); });
  fill(shell.inspector,
    section("Draw", ...view.brush.controls(sample.palette, (colour) => view.addColour(colour))),
    section("Map", slider("N: pixels that must fit together", { min: 1, max: 4, value: settings.n }, (value, isFinal) => isFinal && view.set("n", value)),
      choice("Symmetry", SYMMETRIES, String(settings.symmetry), (value) => view.set("symmetry", value === "auto" ? value : Number(value))),
      slider("Size", { min: 8, max: 128, step: 4, value: settings.width, show: (value) => `${value} × ${value}` }, (value, isFinal) => isFinal && view.set("size", value)),
      toggle("Opposite edges of the map fit", settings.wraps, (value) => view.set("wraps", value))),
    patterns,
    folded("Sample", slider("Width", { min: 3, max: 64, value: sample.width }, (width, isFinal) => isFinal && resized({ width })),
      slider("Height", { min: 3, max: 64, value: sample.height }, (height, isFinal) => isFinal && resized({ height })),
      toggle("Opposite edges touch", settings.periodic, (value) => view.set("periodic", value)),
      toggle("The bottom row is ground", settings.ground, (value) => view.set("ground", value))));
  return patterns;
}

/** @param {import("../picture.js").PictureView} view @param {HTMLElement} place */
export function fillPatterns(view, place) {
  fill(place, h("summary", {}, `Patterns${view.answer ? ` (${view.answer.counts.length})` : ""}`), ...(view.showsPatterns ? listPatterns(view) : []));
}
