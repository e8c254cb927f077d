/** The inspector of the picture view: tools and colours, the sample, the map, and its patterns. */

import { choice, folded, section, slider, toggle } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { listPatterns } from "./patterns.js";

const SYMMETRIES = /** @type {[string, string][]} */ ([
  ["auto", "as in the sample"], ["1", "none"], ["2", "mirrored"], ["4", "four turns"], ["8", "turned and mirrored"]]);

/** @param {import("../picture.js").PictureView} view @returns {HTMLElement} where patterns are listed */
export function showPanel(view) {
  const { sample, settings, document, shell } = view, patterns = h("details", { class: "section", open: view.showsPatterns });
  patterns.addEventListener("toggle", () => { view.showsPatterns = patterns.open; view.showPatterns(); });
  /** A slider that counts when it is let go. @param {string} label @param {any} range @param {(value: number) => void} change */
  const slide = (label, range, change) => slider(label, range, (value, isFinal) => isFinal && change(value));
  const resize = (/** @type {"width"|"height"} */ side) => (/** @type {number} */ value) =>
    document.apply({ do: "resize", width: sample.width, height: sample.height, [side]: value });
  const flag = (/** @type {string} */ label, /** @type {"wraps"|"refine"|"periodic"|"ground"} */ key) =>
    toggle(label, settings[key], (value) => view.set(key, value));
  fill(shell.inspector,
    section("Draw", ...view.brush.controls(sample.palette, (colour) => view.addColour(colour))),
    section("Map",
      slide("N: pixels that must fit together", { min: 1, max: 4, value: settings.n }, (value) => view.set("n", value)),
      choice("Symmetry", SYMMETRIES, String(settings.symmetry),
        (value) => view.set("symmetry", value === "auto" ? value : Number(value))),
      slide("Size",
        { min: 8, max: 128, step: 4, value: settings.width, show: (/** @type {number} */ side) => `${side} × ${side}` },
        (value) => view.set("size", value)),
      flag("Refine when idle", "refine"), flag("Opposite edges of the map fit", "wraps")),
    patterns,
    folded("Sample", slide("Width", { min: 3, max: 64, value: sample.width }, resize("width")),
      slide("Height", { min: 3, max: 64, value: sample.height }, resize("height")),
      flag("Opposite edges touch", "periodic"), flag("The bottom row is ground", "ground")));
  return patterns;
}

/** @param {import("../picture.js").PictureView} view @param {HTMLElement} place */
export function fillPatterns(view, place) {
  const { map: { answer }, showsPatterns } = view, title = answer ? `Patterns (${answer.counts.length})` : "Patterns";
  fill(place, h("summary", {}, title), ...(showsPatterns ? listPatterns(view) : []));
}
