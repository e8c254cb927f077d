/** A tile as a small picture on a button. */

import { h } from "../../parts/element.js";

/** @param {import("../../board/atlas.js").Atlas} atlas @param {number} pattern @param {string} name @param {Record<string, any>} more attributes */
export function swatch(atlas, pattern, name, more = {}) {
  const canvas = h("canvas", { width: atlas.width, height: atlas.height });
  atlas.draw(canvas.getContext("2d"), pattern, 0, 0);
  return h("button", { type: "button", class: "swatch", title: name, "aria-label": name, ...more }, canvas);
}
