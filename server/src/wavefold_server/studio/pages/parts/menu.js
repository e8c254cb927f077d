/** A menu below a button: arrow keys move, Escape closes. */

import { h } from "./element.js";

/** @typedef {{text: string, note?: string, mark?: Node, run: (anchor: HTMLElement) => void}} Item mark: before the text */

/** @param {HTMLElement} anchor @param {string} label @param {Item[]} items */
export function openMenu(anchor, label, items) {
  document.querySelector(".menu")?.remove();
  const box = anchor.getBoundingClientRect();
  const buttons = items.map(({ text, note, mark, run }) =>
    h("button", { type: "button", role: "menuitem", onclick: () => { close(); anchor.focus(); run(anchor); } },
      h("span", {}, mark, text), note ? h("small", {}, note) : null));
  const menu = h("div", { class: "menu", role: "menu", "aria-label": label }, ...buttons);
  const close = () => {
    menu.remove();
    removeEventListener("pointerdown", leave, true);
    anchor.setAttribute("aria-expanded", "false");
  };
  const leave = (/** @type {PointerEvent} */ event) => { if (!menu.contains(/** @type {Node} */ (event.target))) close(); };
  menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const at = buttons.indexOf(document.activeElement), move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) { event.preventDefault(); buttons.at((at + move) % buttons.length).focus(); }
    if (event.key === "Escape" || event.key === "Tab") { close(); anchor.focus(); }
    event.stopPropagation();
  });
  document.body.append(menu);
  const left = Math.min(box.left, innerWidth - menu.offsetWidth - 8);
  const top = Math.min(box.bottom + 4, innerHeight - menu.offsetHeight - 8);
  menu.style.left = `${Math.max(8, left)}px`;
  menu.style.top = `${Math.max(8, top)}px`;
  anchor.setAttribute("aria-expanded", "true");
  addEventListener("pointerdown", leave, true);
  buttons[0]?.focus();
}
