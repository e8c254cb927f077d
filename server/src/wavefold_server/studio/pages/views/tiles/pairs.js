/** Patterns side by side: which may touch, by the rules that the service says; and what they look like. */

import { h } from "../../parts/element.js";
import { sidesOf } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */
/** Numbers of patterns and of a side, and whether they may touch. @typedef {{here: number, there: number, side: number, allowed: boolean}} Pair */

/** Patterns of a tile. @param {any} rules @param {number} tile @returns {any[]} */
export const patternsOf = (rules, tile) => rules?.patterns.filter((/** @type {any} */ each) => each.tile === tile) ?? [];

/** What may stand on a side of a pattern. @param {any} rules @param {number} pattern @param {number} side @returns {number[]} */
export function listNeighbours({ neighbours, kinds }, pattern, side) {
  const { class_of, rows } = neighbours[side];
  return rows[class_of[pattern]].filter((/** @type {number} */ each) => kinds[each] < 0 || kinds[each] !== kinds[pattern]);
}

/** The command that allows or forbids a pair. @param {any} rules @param {import("./set.js").TileSet} set @param {Pair} pair */
export function describePair(rules, set, { here, there, side, allowed }) {
  const spell = (/** @type {number} */ at) => {
    const { name, tile } = rules.patterns[at];
    return name.includes("@") || patternsOf(rules, tile).length === 1 ? name : `${name}@0`;
  };
  return { do: "pair", here: spell(here), there: spell(there), side: sidesOf(set)[side], allowed };
}

/** Two patterns side by side. @param {TilesView} view @param {number} here @param {number} there */
export function drawPair({ atlas, set, side }, here, there) {
  const { width, height } = atlas, count = sidesOf(set).length, angle = ((side - 1) * 2 * Math.PI) / count;
  const dx = Math.round(Math.cos(angle) * width), dy = Math.round(Math.sin(angle) * (count === 4 ? height : width));
  const canvas = h("canvas", { width: width + Math.abs(dx), height: height + Math.abs(dy) }), ink = canvas.getContext("2d");
  atlas.draw(ink, here, Math.max(0, -dx), Math.max(0, -dy));
  atlas.draw(ink, there, Math.max(0, dx), Math.max(0, dy));
  return canvas;
}
