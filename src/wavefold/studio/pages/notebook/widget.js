/** A board in a notebook (anywidget): the same modules as in the studio, with the kernel in place of a server. */

import { h } from "../parts/element.js";
import { Kernel } from "./kernel.js";
import { openSolver } from "./solver-view.js";
import { openWorld } from "./world-view.js";

/** @param {{model: import("./kernel.js").Model, el: HTMLElement}} place @returns {() => void} what ends it */
export function render({ model, el }) {
  const kernel = new Kernel(model), host = h("div", { class: "wavefold" }), inside = host.attachShadow({ mode: "open" });
  const bar = h("div", { class: "bar", role: "toolbar", "aria-label": "Tools" }), canvas = h("canvas", { tabindex: 0, role: "application" });
  const message = h("span", { class: "message", role: "status" }), hover = h("span", {});
  const styles = h("style", {}, model.get("styles"));
  inside.append(styles, bar, canvas, h("div", { class: "status" }, message, hover));
  canvas.style.height = `${model.get("height")}px`;
  const follow = () => { host.dataset.theme = isDark(el) ? "dark" : "light"; dispatchEvent(new Event("theme")); };
  const watching = new MutationObserver(follow), system = matchMedia("(prefers-color-scheme: dark)");
  for (const each of [document.documentElement, document.body]) watching.observe(each, { attributes: true, attributeFilter: ["class", "data-theme", "data-jp-theme-light", "data-vscode-theme-kind"] });
  system.addEventListener("change", follow);
  el.append(host);
  follow();
  const place = { kernel, bar, canvas, say: (/** @type {string} */ text, kind = "") => { message.textContent = text; message.dataset.kind = kind; },
    hover: (/** @type {string} */ text) => { hover.textContent = text; } };
  const close = (model.get("kind") === "world" ? openWorld : openSolver)(place);
  return () => { close(); kernel.close(); watching.disconnect(); system.removeEventListener("change", follow); host.remove(); };
}

/** @typedef {{kernel: Kernel, bar: HTMLElement, canvas: HTMLCanvasElement, say: (text: string, kind?: string) => void, hover: (text: string) => void}} Place */

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
