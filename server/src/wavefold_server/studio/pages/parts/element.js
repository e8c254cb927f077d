/** Builds elements in one line: h("button", { class: "button", onclick }, "Run"). */

const FOCUSABLE = "a, button, input, select, summary, textarea";

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] attributes; functions as listeners ("onclick"); null and false are left out
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {any}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value === "boolean") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((each) => each || each === 0).map((each) => (each instanceof Node ? each : String(each))));
  return element;
}

/** Replace everything in an element; what has the focus has it afterwards, too. @param {Element} parent @param {...(Node|string)} children */
export function fill(parent, ...children) {
  keepFocus([parent], () => parent.replaceChildren(...children.filter(Boolean)));
  return parent;
}

/** Draw parts of the page again; what has the focus has it afterwards, too. @param {Element[]} parts @param {() => void} draw */
export function keepFocus(parts, draw) {
  const list = (/** @type {Element|undefined} */ part) => /** @type {HTMLElement[]} */ ([...(part?.querySelectorAll(FOCUSABLE) ?? [])]);
  const find = (/** @type {Element} */ part) => /** @type {Document|ShadowRoot} */ (part.getRootNode()).activeElement ?? null;
  const part = parts.find((each) => each.contains(find(each))), before = part && /** @type {any} */ (find(part)), at = list(part).indexOf(before);
  draw();
  if (!part || at < 0 || part.contains(find(part))) return;
  const next = part.contains(before) ? before : list(part)[at];
  next?.focus({ preventScroll: true });
  if (next !== before && next instanceof HTMLInputElement && next.type === "text") next.select(); // the same one has its cursor still
}
