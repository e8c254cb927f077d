/** What the bars of several views share: menus, undo and redo. */

import { button } from "./controls.js";
import { h } from "./element.js";
import { openMenu } from "./menu.js";

/** @typedef {import("../app/document.js").StudioDocument} StudioDocument */

export const divider = () => h("span", { class: "divider" });
export const spring = () => h("span", { class: "spring" });

/** @param {string} label @param {string} symbol @param {() => import("./menu.js").Item[]} items */
export function menuButton(label, symbol, items) {
  const made = button(label, () => openMenu(made, label, items()), { symbol, kind: "collapses" });
  made.setAttribute("aria-haspopup", "menu");
  return made;
}

/** @param {StudioDocument} document */
export const undoButtons = (document) => [
  button("Undo", () => document.undo(), { symbol: "undo", isIconOnly: true, key: "Ctrl+Z", isDisabled: !document.canUndo }),
  button("Redo", () => document.redo(), { symbol: "redo", isIconOnly: true, key: "Ctrl+Shift+Z", isDisabled: !document.canRedo }),
];

/** @param {StudioDocument} document @returns {import("../app/keyboard.js").Shortcut[]} */
export const undoKeys = (document) => [
  { key: "Ctrl+Z", does: "undo", run: () => document.undo() }, { key: "Ctrl+Shift+Z or Ctrl+Y", does: "redo", run: () => document.redo() },
];
