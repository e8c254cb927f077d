/** A board in a notebook (anywidget): the same modules as in the studio, with the kernel in place of a server. */

import { h } from "../parts/element.js";
import { Kernel } from "./kernel.js";
import { openSolver } from "./solver-view.js";
import { openWorld } from "./world-view.js";

const WHEEL = "To zoom, hold Ctrl or click the board first";

/** @param {{model: import("./kernel.js").Model, el: HTMLElement}} given @returns {() => void} what ends it */
export function render({ model, el }) {
  const host = h("div", { class: "wavefold" }), inside = host.attachShadow({ mode: "open" }), ending = new AbortController();
  const bar = h("div", { class: "bar", role: "toolbar", "aria-label": "Tools" }), canvas = h("canvas", { tabindex: 0, role: "application" });
  const message = h("span", { class: "message", role: "status" }), hover = h("span", {});
  inside.append(h("style", {}, model.get("styles")), bar, canvas, h("div", { class: "status" }, message, hover));
  canvas.style.height = `${model.get("height")}px`;
  canvas.dataset.wheel = "focus"; // else it would catch a notebook that is being scrolled
  host.addEventListener("wheel", (/** @type {Event} */ { defaultPrevented }) => { if (!defaultPrevented) hover.textContent = WHEEL; }, { passive: true });
  el.append(host);
  keepFromNotebook(host, ending.signal);
  followTheme(host, ending.signal);
  const say = (/** @type {string} */ text, kind = "") => { message.textContent = text; message.dataset.kind = kind; };
  const kernel = new Kernel(model, () => say("The kernel does not answer: it is busy, or it was restarted. Then run the cell again.", "error"));
  /** @type {Place} */
  const place = { kernel, bar, canvas, say, hover: (text) => { hover.textContent = text; },
    listenToKeys: (keys) => canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    }) };
  say("Waiting for the kernel …");
  const close = (model.get("kind") === "world" ? openWorld : openSolver)(place);
  return () => { close(); kernel.close(); ending.abort(); host.remove(); };
}

/** Keep clicks and keys on the board from the notebook, for which D D deletes a cell. @param {HTMLElement} host @param {AbortSignal} signal */
function keepFromNotebook(host, signal) {
  host.addEventListener("mousedown", (event) => event.stopPropagation()); // else the cell takes the focus
  addEventListener("keydown", ({ ctrlKey, metaKey }) => host.toggleAttribute("data-lm-suppress-shortcuts", !ctrlKey && !metaKey), { capture: true, signal });
}

/** Be as light or dark as the page. @param {HTMLElement} host @param {AbortSignal} signal */
function followTheme(host, signal) {
  const follow = () => { host.dataset.theme = isDark(host) ? "dark" : "light"; dispatchEvent(new Event("theme")); };
  const watching = new MutationObserver(follow), attributeFilter = ["class", "data-theme", "data-jp-theme-light", "data-vscode-theme-kind"];
  for (const each of [document.documentElement, document.body]) watching.observe(each, { attributes: true, attributeFilter });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", follow, { signal });
  signal.addEventListener("abort", () => watching.disconnect());
  follow();
}

/**
 * @typedef {object} Place where a board is shown
 * @property {Kernel} kernel @property {HTMLElement} bar @property {HTMLCanvasElement} canvas
 * @property {(text: string, kind?: string) => void} say @property {(text: string) => void} hover
 * @property {(keys: Record<string, () => any>) => void} listenToKeys while the board has the focus
 */

/** Whether a page is dark: as it says itself, or as bright as what is behind the widget. @param {HTMLElement} el */
function isDark(el) {
  const { jpThemeLight, vscodeThemeKind, theme } = { ...document.documentElement.dataset, ...document.body.dataset };
  if (jpThemeLight || vscodeThemeKind || theme) return jpThemeLight === "false" || /dark/.test(vscodeThemeKind ?? theme ?? "");
  for (let each = /** @type {HTMLElement|null} */ (el); each; each = each.parentElement) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(each).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    if (alpha > 0.5 && blue !== undefined) return red * 0.3 + green * 0.6 + blue * 0.1 < 110;
  }
  return getComputedStyle(el).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches;
}
