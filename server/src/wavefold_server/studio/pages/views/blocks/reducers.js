/** The document of the blocks view: that of a map, with layers, and what is cut away. */

import { isMap, mapReducers } from "../map/reducers.js";

/** What a map of cubes begins with. @param {any} tileset from the service @param {number} seed */
export function beginning(tileset, seed) {
  const [width, height, depth] = tileset.size ?? [12, 12, 8];
  return { request: { tileset: tileset.id, topology: { width, height, depth }, seed, refine: false }, commands: [], cut: {} };
}

/** Whether a state has what every map of cubes needs. @param {any} state */
export const isBlocks = (state) => isMap(state) && Number.isInteger(state.request.topology.depth) && state.cut;

/** @type {Record<string, (state: any, command: any) => any>} */
export const blockReducers = {
  ...mapReducers,
  size: (state, { topology }) => ({ ...mapReducers.size(state, { topology }), cut: {} }),
  seed: (state, command) => ({ ...mapReducers.seed(state, command), cut: state.cut }),
  cut: (state, { cut }) => ({ ...state, cut: { ...state.cut, ...cut } }),
};

/** What is shown of a map. @param {any} state @returns {import("./grid.js").Cut} */
export function findCut({ request: { topology: { width, height, depth } }, cut }) {
  const top = Math.min(depth, cut.top ?? depth);
  return { top, bottom: cut.isSingle ? top - 1 : 0, east: Math.min(width, cut.east ?? width), south: Math.min(height, cut.south ?? height) };
}
