/** A tile set that is being made: the tables of its file, and what each command changes in them. */

import { StudioDocument } from "../../app/document.js";
import { flood, paint } from "../../parts/pixels.js";

/** @typedef {import("../../parts/pixels.js").Sample} Sample */
/**
 * A tile as in the file; `drawn` are pictures made here, in place of those at `at` in the sheet: one, or one a pattern.
 * @typedef {{name: string, sockets?: string[], weight?: number, symmetry?: any, at?: any, drawn?: Record<number, Sample>, [key: string]: any}} Tile
 */
/** @typedef {{base: string|null, tables: Record<string, any>, tiles: Tile[], palette: string[], settings: {size: number, seed: number}}} TileSet */

/** Names of the sides, clockwise. @param {Record<string, any>} tables */
export const sidesOf = ({ topology }) => (topology === "hex" ? ["northeast", "east", "southeast", "southwest", "west", "northwest"] : ["north", "east", "south", "west"]);

/** A socket without its direction: `wall>` and `wall<` are one. @param {any} socket */
export const baseOf = (socket) => String(socket).replace(/[<>]$/, "");

const toList = (/** @type {any} */ value) => (Array.isArray(value) ? value : [value]);
const change = (/** @type {any} */ state, /** @type {number} */ index, /** @type {any} */ one) => ({ ...state, tiles: state.tiles.with(index, { ...state.tiles[index], ...one }) });

/** Tables in which a tile has another name, or none: then rules about it end. @param {any} value @param {string} old @param {string|null} name @returns {any} */
function mention(value, old, name) {
  if (value === old || String(value).startsWith(`${old}@`)) return name === null ? undefined : name + value.slice(old.length);
  if (!value || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each) => mention(each, old, name)).filter((each) => each !== undefined);
  const entries = Object.entries(value).map(([key, each]) => [key, key === "kind" ? each : mention(each, old, name)]);
  return entries.some(([key, each]) => ["here", "there", "tile", "on"].includes(key) && !each?.length) ? undefined : Object.fromEntries(entries);
}

/** @type {Record<string, (state: any, command: any) => any>} */
const reducers = {
  set: (state, { key, value }) => ({ ...state, settings: { ...state.settings, [key]: value } }),
  title: (state, { name }) => ({ ...state, tables: { ...state.tables, name } }),
  colour: (state, { colour }) => ({ ...state, palette: [...state.palette, colour] }),
  tile: (state, { index, change: one }) => change(state, index, one),
  add: (state, { tiles, at = state.tiles.length }) => ({ ...state, tiles: state.tiles.toSpliced(at, 0, ...tiles) }),
  rename(state, { index, name }) { // null: delete it
    const { sheet, ...tables } = state.tables, tiles = name === null ? state.tiles.toSpliced(index, 1) : change(state, index, { name }).tiles;
    return { ...state, tiles, tables: { ...mention(tables, state.tiles[index].name, name), sheet } };
  },
  paint(state, { index, picture, from, cells, fill, colour }) {
    const tile = state.tiles[index], before = tile.drawn?.[picture] ?? from, known = before.palette.indexOf(colour);
    const sample = known < 0 ? { ...before, palette: [...before.palette, colour] } : before, number = known < 0 ? before.palette.length : known;
    return change(state, index, { drawn: { ...tile.drawn, [picture]: fill ? flood(sample, fill[0], fill[1], number) : paint(sample, cells, number) }, flat_at: undefined });
  },
  resize: (state, { size, drawn }) => ({ ...state, tables: { ...state.tables, sheet: { file: "tiles.png", size } },
    tiles: state.tiles.map((/** @type {Tile} */ tile, /** @type {number} */ at) => ({ ...tile, drawn: drawn[at], flat_at: undefined })) }),
  socket: (state, { from, to }) => ({ ...state, tiles: state.tiles.map((/** @type {Tile} */ tile) => ({ ...tile,
    sockets: tile.sockets?.map((each) => (baseOf(each) === from ? to + String(each).slice(from.length) : each)) })) }),
  pair(state, { here, there, side, back, allowed }) {
    const { beside = [], touching } = state.tables;
    if (touching) return { ...state, tables: { ...state.tables, touching: listPair(touching, [[side, here, there], [back, there, here]], allowed) } };
    const isAgainst = (/** @type {any} */ rule) => rule.weight === undefined && (rule.allowed ?? true) !== allowed && String([rule.here, rule.there, rule.sides]) === String([here, there, side]);
    const kept = beside.filter((/** @type {any} */ rule) => !isAgainst(rule)); // a rule against it ends; else a new one begins
    return { ...state, tables: { ...state.tables, beside: kept.length < beside.length ? kept : [...beside, { here, there, sides: [side], allowed }] } };
  },
};

/** Lists of what may touch, with a pair added or taken out. @param {Record<string, any[]>} touching @param {string[][]} pairs side, here and there @param {boolean} allowed */
function listPair(touching, pairs, allowed) {
  const all = { ...touching };
  for (const [side, one, other] of pairs) if (all[side]) all[side] = allowed ? [...all[side], { here: [one], there: [other] }] : all[side].flatMap((row) => {
    const [here, there] = [toList(row.here), toList(row.there)];
    if (!here.includes(one) || !there.includes(other)) return [row];
    return [{ here: here.filter((each) => each !== one), there }, { here: [one], there: there.filter((each) => each !== other) }].filter((each) => each.here.length);
  });
  return all;
}

/** A document that began as a tile set of the server has only its name in it. */
export class TilesDocument extends StudioDocument {
  constructor() { super("tiles", {}, reducers); }

  toJSON() {
    const data = super.toJSON(), { base } = data.beginning;
    return base ? { ...data, beginning: { base } } : data;
  }
}

/** All sockets, most used first. @param {TileSet} set @returns {string[]} */
export function listSockets({ tiles }) {
  const counts = new Map();
  for (const { sockets } of tiles) for (const each of sockets ?? []) counts.set(baseOf(each), (counts.get(baseOf(each)) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]).map(([name]) => name);
}

/** A name that is not taken. @param {string[]} taken @param {string} name */
export function newName(taken, name) {
  for (let number = 1, tried = name; ; tried = `${name} ${++number}`) if (!taken.includes(tried)) return tried;
}

/** What the service gives, as a state. @param {string|null} base @param {any} tables @param {string[]} palette @returns {TileSet} */
export function readTables(base, { tiles, activities, reached, refine, ...tables }, palette) { // what refining found holds for these weights only
  const spread = (/** @type {any} */ value) => value === undefined || Array.isArray(value) ? value : sidesOf(tables).map((side) => (typeof value === "object" ? value[side] ?? value.others : value));
  return { base, tables, palette, settings: { size: 24, seed: 7 }, tiles: tiles.map((/** @type {any} */ tile) => ({ ...tile, sockets: spread(tile.sockets) })) };
}

/** The tables that the service reads, without pictures. @param {TileSet} set */
export const toTables = ({ tables, tiles }) => ({ ...tables, tiles: tiles.map(({ drawn, at, flat_at, ...tile }) => tile) });
