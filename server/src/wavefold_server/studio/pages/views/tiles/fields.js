/** Controls that several panels of the tiles view have. */

import { slider } from "../../parts/controls.js";
import { h } from "../../parts/element.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

/** @param {string} text */
export const note = (text) => h("p", { class: "quiet small" }, text);

/** A picture to click. @param {string} label @param {() => void} onclick @param {Node} picture */
export const pictureButton = (label, onclick, picture) =>
  h("button", { type: "button", class: "swatch", title: label, "aria-label": label, onclick }, picture);

/** A name to type. @param {string} label @param {string} value @param {(value: string) => void} onchange */
export const nameField = (label, value, onchange) => h("input", { type: "text", value, maxlength: 60, "aria-label": label,
  onchange: (/** @type {any} */ { target }) => {
    const name = target.value.replaceAll("@", " ").trim();
    target.defaultValue = target.value; // no longer being typed
    if (name) onchange(name);
    else target.value = value;
  } });

const toWeight = (/** @type {number} */ at) => String(Number((10 ** (at / 20)).toPrecision(2)));

/** The weight of a tile. @param {TilesView} view @param {number} index */
export function weightSlider(view, index, label = "How often") {
  const value = 20 * Math.log10(view.set.tiles[index].weight ?? 1), help = "Weight: compared with the other tiles";
  return slider(label, { min: -50, max: 60, step: 0.5, value, show: toWeight, help }, (at, isFinal) => {
    view.changeTile({ weight: Number(toWeight(at)), weights: undefined }, index, `weight ${index}`);
    if (isFinal) view.document.seal();
  });
}
