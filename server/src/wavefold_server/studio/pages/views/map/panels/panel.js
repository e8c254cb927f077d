/** A folded panel about a part of the request: drawn when somebody opens it, and not again by its own changes. */

import { button } from "../../../parts/controls.js";
import { fill, h } from "../../../parts/element.js";

/** @typedef {import("../../map.js").MapView} MapView */
/** @typedef {(command: any) => void} Change applies a command of the document that the controls show already */

/**
 * @param {MapView} view @param {string} title
 * @param {(request: any) => any} read the part, a table or list; empty: all is as usual
 * @param {(part: any, change: Change) => any} draw the controls
 * @param {string[]} keys of the request that "Reset" leaves out
 * @returns {import("../inspector.js").Panel}
 */
export function requestPanel(view, title, read, draw, keys = []) {
  const mark = h("span", { class: "changed" }), body = h("div", { class: "fields" }), element = h("details", { class: "section", ontoggle: () => update() }, h("summary", {}, title, mark), body);
  const reset = button("Reset", () => view.apply({ do: "replace", part: Object.fromEntries(keys.map((key) => [key, undefined])) }));
  let shown = "", isOwn = false;
  const look = () => {
    const part = read(view.state.request), isSet = Object.keys(part).length > 0;
    mark.textContent = isSet ? " · changed" : "";
    reset.hidden = !keys.length || !isSet;
    return part;
  };
  const update = async () => {
    const part = look(), key = JSON.stringify([part, view.state.request.tileset]);
    if (isOwn) shown = key; // the controls show it already
    if (!element.open || key === shown || !view.player.tileset) return;
    shown = key;
    const controls = await draw(part, (command) => { isOwn = true; view.apply(command); update(); isOwn = false; });
    fill(body, ...controls, reset);
  };
  return { element, update };
}

/** A sentence of help. @param {string} text */
export const help = (text) => h("p", { class: "quiet small" }, text);
