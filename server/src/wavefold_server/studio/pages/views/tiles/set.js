/** A tile set that is being made: the tables of its file, and what each command changes in them. */

import { StudioDocument } from "../../app/document.js";
import { flood, paint } from "../../parts/pixels.js";

/** @typedef {import("../../parts/pixels.js").Sample} Sample */
/**
 * A tile as in the file; `drawn` is a picture made here, in place of those at `at` in the sheet.
 * @typedef {{name: string, sockets?: string[], weight?: number, symmetry?: any, at?: any, drawn?: Sample, [key: string]: any}} Tile
 * @typedef {{size: number, seed: number}} Settings of the sample map
 * @typedef {{base: string|null, tables: Record<string, any>, tiles: Tile[], palette: string[], settings: Settings}} TileSet
 */

const SIDES = ["north", "east", "south", "west"], HEX_SIDES = ["northeast", "east", "southeast", "southwest", "west", "northwest"];

/** Names of the sides, clockwise. @param {TileSet} set */
export const sidesOf = ({ tables }) => (tables.topology === "hex" ? HEX_SIDES : SIDES);

/** A socket without its direction: `wall>` and `wall<` are one. @param {any} socket */
export const baseOf = (socket) => String(socket).replace(/[<>]$/, "");

/** @param {any} state @param {number} index @param {any} change */
const changeTile = (state, index, change) => ({ ...state, tiles: state.tiles.with(index, { ...state.tiles[index], ...change }) });

/**
 * Tables in which a tile has another name, or none: then rules about it end.
 * @param {any} value @param {string} old @param {string|null} name @returns {any}
 */
function mention(value, old, name) {
  if (value === old || String(value).startsWith(`${old}@`)) return name === null ? undefined : name + value.slice(old.length);
  if (!value || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each) => mention(each, old, name)).filter((each) => each !== undefined);
  const entries = Object.entries(value).map(([key, each]) => [key, key === "kind" ? each : mention(each, old, name)]);
  const isEmpty = entries.some(([key, each]) => ["here", "there", "tile", "on"].includes(key) && !each?.length);
  return isEmpty ? undefined : Object.fromEntries(entries);
}

/** @type {Record<string, (state: any, command: any) => any>} */
const reducers = {
  set: (state, { key, value }) => ({ ...state, settings: { ...state.settings, [key]: value } }),
  title: (state, { name }) => ({ ...state, tables: { ...state.tables, name } }),
  colour: (state, { colour }) => ({ ...state, palette: [...state.palette, colour] }),
  tile: (state, { index, change }) => changeTile(state, index, change),
  add: (state, { tiles, at = state.tiles.length }) => ({ ...state, tiles: state.tiles.toSpliced(at, 0, ...tiles) }),
  rename(state, { index, name }) { // null: delete it
    const { sheet, ...tables } = state.tables;
    const tiles = name === null ? state.tiles.toSpliced(index, 1) : changeTile(state, index, { name }).tiles;
    return { ...state, tiles, tables: { ...mention(tables, state.tiles[index].name, name), sheet } };
  },
  paint(state, { index, from, cells, fill, colour }) {
    const before = state.tiles[index].drawn ?? from, palette = [...new Set([...before.palette, colour])];
    const sample = { ...before, palette }, number = palette.indexOf(colour);
    const drawn = fill ? flood(sample, fill[0], fill[1], number) : paint(sample, cells, number);
    return changeTile(state, index, { drawn, at: undefined, flat_at: undefined });
  },
  socket: (state, { from, to }) => ({ ...state, tiles: state.tiles.map((/** @type {Tile} */ tile) => ({ ...tile,
    sockets: tile.sockets?.map((each) => (baseOf(each) === from ? to + String(each).slice(from.length) : each)) })) }),
  pair(state, { here, there, side, allowed }) {
    const { beside = [] } = state.tables, pair = String([here, there, side]);
    const kept = beside.filter((/** @type {any} */ rule) =>
      rule.weight || (rule.allowed ?? true) === allowed || String([rule.here, rule.there, rule.sides]) !== pair);
    const rules = kept.length < beside.length ? kept : [...beside, { here, there, sides: [side], allowed }]; // one against it ends; else one begins
    return { ...state, tables: { ...state.tables, beside: rules } };
  },
};

/** A document that began as a tile set of the server has only its name in it. */
export class TilesDocument extends StudioDocument {
  constructor() {
    super("tiles", {}, reducers, ({ tables, tiles, palette, settings }) =>
      tables && palette && settings.size && tiles.every((/** @type {Tile} */ { name }) => typeof name === "string"));
  }

  /** Starters are part of wavefold. */
  get tileset() {
    const { base } = this.beginning;
    return base?.startsWith("starter-") ? undefined : base ?? undefined;
  }

  toJSON() {
    const data = super.toJSON(), { base } = data.beginning;
    return base ? { ...data, beginning: { base } } : data;
  }
}

/** All sockets, in order. @param {TileSet} set @returns {string[]} */
export const listSockets = ({ tiles }) => [...new Set(tiles.flatMap(({ sockets = [] }) => sockets.map(baseOf)))].sort();

/** A name that is not taken. @param {string[]} taken @param {string} name */
export function newName(taken, name) {
  for (let number = 1, tried = name; ; tried = `${name} ${++number}`) if (!taken.includes(tried)) return tried;
}

/** What the service gives, as a state. @param {string|null} base @param {any} answer @returns {TileSet} */
export const readTables = (base, { tables: { tiles, ...tables }, palette }) =>
  ({ base, tables, tiles, palette, settings: { size: 24, seed: 7 } });

/** What the rules of a set depend on, as text: all but pictures and weights. @param {TileSet} set */
export const describeRules = ({ tables, tiles }) =>
  JSON.stringify({ ...tables, tiles: tiles.map(({ drawn, at, flat_at, weight, weights, ...tile }) => tile) });

/** The tables that the service reads, without pictures. @param {TileSet} set */
export const toTables = ({ tables, tiles }) => ({ ...tables, tiles: tiles.map(({ drawn, at, flat_at, ...tile }) => tile) });
