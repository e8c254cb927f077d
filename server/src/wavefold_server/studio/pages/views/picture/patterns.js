/** The patterns of a sample with their counts: pointing at one shows where it is, a click bans it from the map. */

import { count } from "../../app/names.js";
import { button } from "../../parts/controls.js";
import { h } from "../../parts/element.js";

const MOST = 48; // shown at first

/** @param {import("../picture.js").PictureView} view @returns {Node[]} */
export function listPatterns(view) {
  const { map, settings } = view, { answer, shown } = map;
  if (!answer || !shown) return [];
  const banned = new Set(settings.banned.map(String)), { counts, cells } = answer, { n } = shown.settings;
  const numbers = [...counts.keys()].sort((one, other) => counts[other] - counts[one]);
  const list = h("div", { class: "patterns", role: "group", "aria-label": "Patterns", onpointerleave: () => map.highlight(-1) });
  const showPattern = (/** @type {number} */ number) => {
    const key = String(cells[number]), isBanned = banned.has(key), canvas = h("canvas", { width: n, height: n });
    const name = `Pattern seen ${count(counts[number], "time")}${isBanned ? ", banned" : ""}`, highlight = () => map.highlight(number);
    const allow = () => view.set("banned", settings.banned.filter((/** @type {number[]} */ each) => String(each) !== key));
    drawColours(canvas, cells[number], shown.sample.palette);
    return h("button", { type: "button", class: "pattern", "aria-label": name, "aria-pressed": String(isBanned),
      title: `${name}. Click to ${isBanned ? "allow" : "ban"} it.`, onpointerenter: highlight, onfocus: highlight,
      onclick: () => (isBanned ? allow() : view.ban(cells[number])) }, canvas, h("small", {}, isBanned ? "no" : counts[number]));
  };
  const show = (/** @type {number} */ most) => list.replaceChildren(...numbers.slice(0, most).map(showPattern));
  show(MOST);
  const more = numbers.length > MOST && button(`Show all ${numbers.length}`, () => { show(Infinity); more.remove(); });
  return [
    h("p", { class: "quiet small" }, `${count(counts.length, "pattern")} of ${n} × ${n}, the most frequent first. ` +
      "Point at one to see where it is; click to ban it from the map."),
    list, more, banned.size ? button("Allow all again", () => view.set("banned", [])) : null].filter(Boolean);
}

/**
 * One pixel a colour.
 * @param {HTMLCanvasElement|OffscreenCanvas} canvas @param {ArrayLike<number>} colours @param {string[]} palette
 * @param {(index: number) => boolean} [isFaint]
 */
export function drawColours(canvas, colours, palette, isFaint) {
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = ink.createImageData(canvas.width, canvas.height), words = new Uint32Array(image.data.buffer);
  const table = palette.map((each) => {
    const value = parseInt(each.slice(1), 16);
    return 0xff000000 | ((value & 255) << 16) | (value & 0xff00) | (value >> 16);
  });
  for (let index = 0; index < words.length; index++)
    words[index] = isFaint?.(index) ? (table[colours[index]] & 0xffffff) | 0x50000000 : table[colours[index]];
  ink.putImageData(image, 0, 0);
}
