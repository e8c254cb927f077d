/** Tiles as small pictures to choose from: scrolled and searched when there are many, and a single stop of the Tab key. */

import { fill, h } from "./element.js";

const MANY = 24; // tiles: from here on there is a search

/** A tile on a button. @param {import("../board/atlas.js").Atlas} atlas @param {number} pattern @param {string} name @param {Record<string, any>} more attributes */
export function swatch(atlas, pattern, name, more = {}) {
  const canvas = h("canvas", { width: atlas.width, height: atlas.height });
  atlas.draw(canvas.getContext("2d"), pattern, 0, 0);
  return h("button", { type: "button", class: "swatch", title: name, "aria-label": name, ...more }, canvas);
}

/**
 * Let arrow keys move among the buttons of a grid, so that Tab passes it in one step.
 * @param {HTMLElement} group @returns {() => void} to call when other buttons are in it
 */
export function moveByArrows(group) {
  const list = () => /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button:not([hidden])")]);
  const aim = (/** @type {Element|undefined} */ target) => { for (const each of group.querySelectorAll("button")) each.tabIndex = each === target ? 0 : -1; };
  group.addEventListener("focusin", ({ target }) => aim(/** @type {Element} */ (target)));
  group.addEventListener("keydown", (event) => {
    const all = list(), at = all.indexOf(/** @type {any} */ (document.activeElement)), columns = all.filter(({ offsetTop }) => offsetTop === all[0].offsetTop).length;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // the map stays where it is
    all[to]?.focus();
  });
  const update = () => {
    const all = list();
    if (!all.includes(/** @type {any} */ (document.activeElement))) aim(all.find((each) => each.ariaPressed === "true") ?? all[0]);
  };
  update();
  return update;
}

/**
 * @param {string} label of all tiles together
 * @param {(name: string) => void} choose
 * @param {(name: string) => Record<string, any>} [more] attributes of a tile
 */
export function buildPalette(label, choose, more = () => ({})) {
  const grid = h("div", { class: "swatches", role: "group", "aria-label": label }), none = h("p", { class: "quiet small", hidden: true }, "No tile is called that.");
  const search = h("input", { type: "search", placeholder: "Find a tile", "aria-label": "Find a tile", oninput: () => filter() });
  const update = moveByArrows(grid);
  let shown = /** @type {any} */ (null), last = /** @type {string|null} */ (null), order = /** @type {HTMLElement[]} */ ([]);

  function filter() {
    const words = search.value.trim().toLowerCase(), distance = (/** @type {HTMLElement} */ { title }) => {
      const name = title.toLowerCase();
      return name === words ? 0 : name.startsWith(words) ? 1 : name.includes(words) ? 2 : 3;
    };
    for (const each of order) each.hidden = distance(each) > 2;
    grid.append(...(words ? [...order].sort((one, other) => distance(one) - distance(other)) : order));
    none.hidden = order.some((each) => !each.hidden);
    update();
  }

  /** Scroll to a tile, if it is not seen. @param {HTMLElement|undefined} tile */
  function reveal(tile) {
    if (!tile || tile.hidden) return;
    const { top, bottom } = tile.getBoundingClientRect(), box = grid.getBoundingClientRect();
    grid.scrollTop += Math.min(0, top - box.top) + Math.max(0, bottom - box.bottom);
  }

  return {
    element: h("div", { class: "palette" }, search, grid, none),
    /**
     * @param {{name: string, patterns: number[]}[]} tiles drawn again if this is another list
     * @param {import("../board/atlas.js").Atlas} atlas @param {string|null} chosen @param {Element[]} before what can be chosen before all tiles
     */
    show(tiles, atlas, chosen, before = []) {
      if (tiles !== shown) {
        shown = tiles;
        fill(grid, ...before, ...tiles.map(({ name, patterns }) => swatch(atlas, patterns[0], name, { "data-tile": name, onclick: () => choose(name), ...more(name) })));
        order = /** @type {HTMLElement[]} */ ([...grid.children]);
        search.hidden = tiles.length <= MANY;
        search.value = "";
        filter();
      }
      for (const each of order) each.ariaPressed = String(each.dataset.tile === chosen);
      update();
      if (chosen !== last) reveal(order.find(({ ariaPressed }) => ariaPressed === "true"));
      last = chosen;
    },
  };
}
