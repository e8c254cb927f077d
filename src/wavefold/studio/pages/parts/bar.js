/** What the bars of several views share: menus, undo and redo, and the ways to pass a document on. */

import { download, encodeDocument, LONGEST_LINK } from "../app/share.js";
import { button } from "./controls.js";
import { h } from "./element.js";
import { openMenu } from "./menu.js";

/** @typedef {import("../app/document.js").StudioDocument} StudioDocument */

export const divider = () => h("span", { class: "divider" });
export const spring = () => h("span", { class: "spring" });

/** @param {string} label @param {string} symbol @param {() => import("./menu.js").Item[]} items */
export function menuButton(label, symbol, items) {
  const made = button(label, () => openMenu(made, label, items()), { symbol });
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

/**
 * Ways to pass on what is shown: a link, code, a file.
 * @param {import("../app/shell.js").Shell} shell @param {StudioDocument} document
 * @param {[string, () => string|null|Promise<string|null>][]} codes name and text, as ["Python", toPython]; null: it was said why there is none
 * @param {() => object} about what a file has besides the document
 */
export function listShares(shell, document, codes, about = () => ({})) {
  const copy = (/** @type {string} */ text) => navigator.clipboard.writeText(text).then(() => shell.say("Copied."));
  const save = () => download(`${document.view}.wavefold`, new Blob([JSON.stringify({ ...document.toJSON(), ...about() })]));
  const link = async () => {
    const text = `${location.origin}${location.pathname}#/${document.view}?open=${await encodeDocument(document.toJSON())}`;
    if (text.length <= LONGEST_LINK) return copy(text);
    save();
    shell.say("This is too long for a link, so it was saved as a file.", "warn");
  };
  return [{ text: "Copy link", note: "reproduces what you see", run: link }, ...codes.map(([name, write]) => ({ text: `Copy as ${name}`, run: async () => { const code = await write(); if (code) copy(code); } })),
    { text: "Save as file", note: ".wavefold", run: save }];
}
