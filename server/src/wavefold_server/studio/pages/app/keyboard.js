/** Keys and what they do; the same table is shown by "?". */

import { h } from "../parts/element.js";

/**
 * @typedef {object} Shortcut
 * @property {string} key as "Ctrl+Shift+Z", "." or "Space"; several: "+ or ="
 * @property {string} does in words; "": not listed
 * @property {(event: KeyboardEvent) => void} run
 * @property {(target: Element) => boolean} [isFor] what must have the focus; without it: anything
 */

/** @type {Shortcut[]} */
let current = [];
/** @type {Shortcut[]} */
const everywhere = [];

/** A key of all views. @param {Shortcut} shortcut */
export function addShortcut(shortcut) {
  everywhere.push(shortcut);
}

/** The keys of the view that is open, instead of those of the last one. @param {Shortcut[]} shortcuts */
export function setShortcuts(shortcuts) {
  current = shortcuts;
}

/**
 * Keys that belong to a canvas: they work while it has the focus. Arrow keys take the focus there if nothing has it.
 * @param {() => HTMLElement|null} find the canvas @param {Shortcut[]} shortcuts @returns {Shortcut[]}
 */
export const forCanvas = (find, shortcuts) => shortcuts.map((each) => ({ ...each,
  isFor: (target) => target === find() || (target === document.body && each.key.includes("Arrow")),
  run: (event) => { find()?.focus({ preventScroll: true }); each.run(event); } }));

/** @param {KeyboardEvent} event */
function nameOf(event) {
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const isLetter = /^[A-Z]$/.test(key);
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey && (isLetter || event.key.length > 1) ? "Shift+" : ""}${key}`;
}

/** Start to listen. Text fields keep their keys. */
export function listenToKeys() {
  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, dialog") || event.altKey) return;
    const name = nameOf(event);
    if (name === "Space" && target.closest("button, a, summary, input")) return;
    if (name === "?") return showKeys();
    const found = [...current, ...everywhere].find(({ key, isFor }) => key.split(" or ").includes(name) && (isFor?.(target) ?? true));
    if (!found) return;
    event.preventDefault();
    if (name !== "Space") found.run(event);
    else if (!event.repeat) awaitRelease(() => found.run(event));
  });
}

/** Space held down pans: alone, it counts when it is let go, unless the pointer was pressed meanwhile. @param {() => void} run */
function awaitRelease(run) {
  const stop = new AbortController(), options = { signal: stop.signal, capture: true };
  for (const kind of ["pointerdown", "blur"]) addEventListener(kind, () => stop.abort(), options);
  addEventListener("keyup", ({ key }) => { if (key === " ") { stop.abort(); run(); } }, options);
}

/** A dialog with all keys. */
export function showKeys() {
  const rows = [...current, ...everywhere].filter(({ does }) => does).map(({ key, does }) =>
    h("tr", {}, h("td", {}, ...key.split(" or ").flatMap((each, index) => [index ? " " : "", h("kbd", {}, each)])), h("td", {}, does)));
  const close = h("button", { class: "button main", type: "submit" }, "Close");
  const dialog = h("dialog", { "aria-label": "Keys", onclose: () => dialog.remove() },
    h("form", { method: "dialog" }, h("div", { class: "row" }, h("h2", { class: "grow" }, "Keys"), close), h("table", { class: "keys" }, h("tbody", {}, ...rows)),
      h("p", { class: "quiet" }, "Wheel or pinch zooms at the cursor; hold Space or use the middle button to pan.")));
  document.body.append(dialog);
  dialog.showModal();
}
