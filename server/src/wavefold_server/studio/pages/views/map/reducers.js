/** The document of the map view: a request for a map, and what was done to it since. */

/** @typedef {import("./player.js").MapState} MapState */

export const LONGEST = 512; // cells along a side

/**
 * What a map begins with.
 * @param {any} tileset from the service @param {number} seed @param {URLSearchParams} [asked] other than usual
 * @returns {MapState}
 */
export function beginMap(tileset, seed = 7, asked = new URLSearchParams()) {
  const usual = tileset.size ?? (tileset.topology === "hex" ? [32, 24] : [48, 32]);
  const [width, height] = ["width", "height"].map((side, index) => Math.round(Number(asked.get(side))) || usual[index]);
  const refine = asked.get("refine") === "false" ? false : "auto";
  const topology = { width, height, wraps: asked.get("wraps") === "true" };
  return { request: { tileset: tileset.id, topology, seed, refine }, commands: [] };
}

/** Whether a state has what every map needs. @param {any} state */
export const isMap = ({ request: { tileset, topology }, commands }) =>
  typeof tileset === "string" && Number.isInteger(topology.width * topology.height) && Array.isArray(commands);

const withoutUnset = (/** @type {any} */ table) =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));

/** Another request; pins, painted cells and locks stay, unless cells have other numbers now. */
function change(/** @type {any} */ state, /** @type {Record<string, any>} */ part, isOtherGrid = false) {
  if (isOtherGrid) return { request: withoutUnset({ ...state.request, ...part, locks: undefined }), commands: [] };
  const locks = state.locks?.length ? state.locks : undefined;
  return { ...state, request: withoutUnset({ ...state.request, ...part, locks }), commands: keepPins(state.commands) };
}

const keepPins = (/** @type {any[]} */ commands) => [
  ...findPins(commands).map(({ cell, at, tile }) => ({ command: "pin", cell, at, tile })),
  ...commands.filter(({ command }) => command === "ban"),
];

/** Locks [[cell, pattern]] without those of some cells. @param {number[][]} [locks] @param {number[]} [cells] */
function leaveOut(locks = [], cells = []) {
  const free = new Set(cells);
  return locks.filter(([cell]) => !free.has(cell));
}

/** Locks of these cells end, also those that the session began with. @param {any} state @param {number[]} cells */
function freeCells(state, cells) {
  const [locks, first] = [state.locks, state.request.locks].map((each) => leaveOut(each, cells));
  return { ...state, locks, request: withoutUnset({ ...state.request, locks: first.length ? first : undefined }) };
}

/** @type {Record<string, (state: any, command: any) => any>} */
export const mapReducers = {
  /** Another seed; pins, painted cells and locks stay. */
  seed: (state, { seed }) => change(state, { seed }),
  size: (state, { topology }) => change(state, { topology: { ...state.request.topology, ...topology } }, true),
  /** Settle the map anew: a setting as long as it is the solver's, a command once it was edited. */
  refine: (state, { refine }) => {
    const [, edits] = splitCommands(state.commands);
    if (!edits.some(isEdit)) return { ...state, request: { ...state.request, refine } };
    const kept = state.commands.at(-1).sweeps === undefined ? state.commands : state.commands.slice(0, -1);
    return { ...state, commands: refine === "auto" ? kept : [...kept, { command: "refine", sweeps: Number(refine) }] };
  },
  /** A setting of the search, by its section and key; undefined: as usual. */
  settings: (state, { section, key, value }) => {
    if (!section) return change(state, { [key]: value });
    const table = withoutUnset({ ...state.request[section], [key]: value });
    return change(state, { [section]: Object.keys(table).length ? table : undefined });
  },
  /** Parts of the request; undefined: as usual. */
  replace: (state, { part, isOtherGrid }) => change(state, part, isOtherGrid),
  /** Change the finished map: what finishes it comes first in the log. Painted and dropped cells are locked no more. */
  edit: (state, { commands }) => {
    const painted = commands.filter((/** @type {any} */ { command }) => command === "paint");
    const free = painted.flatMap((/** @type {any} */ { cells, drop = [] }) => [...cells, ...drop]);
    const locks = state.locks && leaveOut(state.locks, free);
    return withoutUnset({ ...state, commands: [...finish(state), ...commands], locks });
  },
  /** Pin cells of a map that is not finished, after so many decisions; what was pinned later is dropped. */
  pin: (state, { commands, decisions = 0 }) => {
    const first = cutCommands(splitCommands(state.commands)[0], decisions), until = decisions - countDecisions(first);
    return { ...state, commands: [...first, ...(until ? [{ command: "run", until, show: "end" }] : []), ...commands] };
  },
  /** Forget pins, paint and locks of cells. */
  erase: (state, { cells }) => {
    const isFree = (/** @type {any} */ { command, ...of }) =>
      ["pin", "paint"].includes(command) && cells.includes(of.cell ?? of.cells[0]);
    return freeCells({ ...state, commands: state.commands.filter((/** @type {any} */ each) => !isFree(each)) }, cells);
  },
  /** Cells [[cell, pattern]] that stay with another seed, and cells that need not any more. */
  lock: (state, { cells = [], freed = [] }) => {
    const free = freeCells(state, freed), others = leaveOut(free.locks, cells.map((/** @type {number[]} */ [cell]) => cell));
    return { ...free, locks: [...others, ...cells] };
  },
  clear: (state) => ({ ...state, commands: [] }),
};

/** Commands before a map is finished, and those from then on. @param {any[]} commands */
export function splitCommands(commands) {
  const end = commands.findIndex(({ command, until }) => command === "run" && !until);
  return end < 0 ? [commands, []] : [commands.slice(0, end), commands.slice(end)];
}

/** How many decisions commands make before the map is finished. @param {any[]} commands */
export const countDecisions = (commands) => commands.reduce((sum, { until = 0 }) => sum + until, 0);

/** Commands up to a number of decisions. @param {any[]} commands @param {number} decisions */
function cutCommands(commands, decisions) {
  const end = commands.findIndex((_, index) => countDecisions(commands.slice(0, index + 1)) > decisions);
  return end < 0 ? commands : commands.slice(0, end);
}

/** Whether a command changes a finished map, so that the service can undo it. @param {any} command */
export const isEdit = ({ command }) => command === "paint" || command === "regrow";

/** The commands of a state, with those that finish its map. @param {MapState} state */
export function finish({ request, commands }) {
  if (splitCommands(commands)[1].length) return commands;
  return [...commands, { command: "run", show: "end" }, ...(request.refine === false ? [] : [{ command: "refine" }])];
}

/**
 * Cells that are pinned or painted, with their tile.
 * @param {any[]} commands @returns {{cell: number, at: number[], tile: string, isPin: boolean}[]}
 */
export function findPins(commands) {
  const found = new Map();
  for (const { command, cell, cells, at, tile, drop = [] } of commands) {
    for (const each of drop) found.delete(each);
    if (command === "pin") found.set(cell, { cell, at, tile, isPin: true });
    else if (command === "paint") found.set(cells[0], { cell: cells[0], at, tile, isPin: false });
    else if (command === "unpin") for (const each of cells) found.delete(each);
  }
  return [...found.values()];
}
