/** Builds elements in one line: h("button", { class: "button", onclick }, "Run"). */

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

/** Replace everything in an element. @param {Element} parent @param {...(Node|string)} children */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.filter(Boolean));
  return parent;
}

/** Draw parts of the page again; what has the focus has it afterwards, too. @param {Element[]} parts @param {() => void} draw */
export function keepFocus(parts, draw) {
  const list = (/** @type {Element|undefined} */ part) => /** @type {HTMLElement[]} */ ([...(part?.querySelectorAll("button, input, select") ?? [])]);
  const part = parts.find((each) => each.contains(document.activeElement)), at = list(part).indexOf(/** @type {any} */ (document.activeElement));
  draw();
  if (at < 0 || part?.contains(document.activeElement)) return;
  const next = list(part)[at];
  next?.focus({ preventScroll: true });
  if (next instanceof HTMLInputElement && next.type === "text") next.select();
}
