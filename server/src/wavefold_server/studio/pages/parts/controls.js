/** Buttons, sliders, fields and switches, each with an accessible name. */

import { h } from "./element.js";
import { icon } from "./icons.js";

/**
 * @param {string} label shown, or with `symbol` alone the accessible name
 * @param {() => void} onclick
 * @param {{symbol?: string, kind?: string, key?: string, isPressed?: boolean, isIconOnly?: boolean, isDisabled?: boolean}} [how]
 */
export function button(label, onclick, how = {}) {
  const title = how.key ? `${label} (${how.key})` : how.isIconOnly ? label : null;
  return h("button", {
    type: "button", class: `button ${how.kind ?? ""} ${how.isIconOnly ? "icon" : ""}`, onclick, title, disabled: how.isDisabled ?? false,
    "aria-label": how.isIconOnly ? label : null, "aria-pressed": how.isPressed === undefined ? null : String(how.isPressed),
    "aria-keyshortcuts": how.key ?? null,
  }, how.symbol ? icon(how.symbol) : null, how.isIconOnly ? null : label);
}

/** Another label and symbol on a button that has both. @param {HTMLElement} made @param {string} label @param {string} symbol */
export function relabel(made, label, symbol) {
  if (made.textContent !== label) made.replaceChildren(icon(symbol), label);
}

let made = 0;

/**
 * A slider that answers while it moves.
 * @param {string} label
 * @param {{min: number, max: number, step?: number, value: number, show?: (value: number) => string, help?: string}} range
 * @param {(value: number, isFinal: boolean) => void} onchange isFinal: the hand has let go
 */
export function slider(label, range, onchange) {
  const id = `slider-${++made}`, show = range.show ?? String;
  const output = h("output", { for: id }, show(range.value));
  const input = h("input", { type: "range", id, min: range.min, max: range.max, step: range.step ?? 1, value: range.value });
  const tell = (/** @type {boolean} */ isFinal) => {
    output.textContent = show(Number(input.value));
    onchange(Number(input.value), isFinal);
  };
  input.addEventListener("input", () => tell(false));
  input.addEventListener("change", () => tell(true));
  return h("div", { class: "slider", title: range.help }, h("label", { for: id }, label), output, input);
}

/** A whole number to type; one that is out of range is refused. @param {string} label @param {number} value @param {(value: number) => void} onchange @param {{min?: number, max?: number, isInline?: boolean}} [how] */
export function numberField(label, value, onchange, how = {}) {
  let last = value;
  const input = h("input", { type: "number", value, min: how.min, max: how.max, inputmode: "numeric",
    onchange: () => {
      const { min = -Infinity, max = Infinity } = how, next = input.valueAsNumber, before = last;
      const isMeant = Number.isInteger(next) && next >= min && next <= max;
      const limits = `${label}: a whole number${how.max === undefined ? "" : ` from ${min} to ${max}`}.`;
      dispatchEvent(new CustomEvent("notice", { detail: isMeant ? "" : `${limits} It stays ${last}.` }));
      if (isMeant) last = next;
      input.value = String(last);
      if (last !== before) onchange(last);
    } });
  return h("label", { class: `field ${how.isInline ? "inline" : ""}` }, h("span", {}, label), input);
}

/** One of several. @param {string} label @param {[string, string][]} options value and text @param {string} value @param {(value: string) => void} onchange */
export function choice(label, options, value, onchange, isInline = false) {
  const select = h("select", { onchange: () => onchange(select.value) },
    ...options.map(([each, text]) => h("option", { value: each, selected: each === value }, text)));
  return h("label", { class: `field ${isInline ? "inline" : ""}` }, h("span", {}, label), select);
}

/** On or off. @param {string} label @param {boolean} value @param {(value: boolean) => void} onchange */
export function toggle(label, value, onchange) {
  const input = h("input", { type: "checkbox", checked: value, onchange: () => onchange(input.checked) });
  return h("label", { class: "check" }, input, label);
}

/** A titled part of the inspector. @param {string} title @param {...(Node|string|null)} children */
export function section(title, ...children) {
  return h("section", { class: "section" }, h("h2", {}, title), ...children);
}

/** As `section`, folded away at first. @param {string} title @param {...(Node|string|null)} children */
export function folded(title, ...children) {
  return h("details", { class: "section" }, h("summary", {}, title), ...children);
}
