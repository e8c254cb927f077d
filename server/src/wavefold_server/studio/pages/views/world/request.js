/** Which world is shown, as a document: the request that it is made of, and named places. Edits are in the world's own log. */

/** @typedef {{kind: string, size: number, strength: number, tile: string}} Land its field, size of hills, how much they count */

export const PLAIN = { kind: "", size: 48, strength: 1, tile: "" };

/** @param {string} tileset @param {number} seed @returns {import("../../app/document.js").State} */
export const beginWorld = (tileset, seed) => ({ request: { tileset, seed }, land: PLAIN, places: [] });

/** Whether a state has what every world needs. @param {any} state */
export const isWorld = ({ request, land }) => typeof request.tileset === "string" && typeof land === "object";

/** @type {Record<string, (state: any, command: any) => any>} */
export const worldReducers = {
  edit: (state) => state, // what it changed is in the log of the world, which other tabs share
  land: (state, { land }) => ({ ...state, land }),
  place: (state, { place }) => ({ ...state, places: [...leaveOut(state.places, place.name), place] }),
  rename: (state, { name, to }) =>
    ({ ...state, places: state.places.map((/** @type {any} */ each) => (each.name === name ? { ...each, name: to } : each)) }),
  unplace: (state, { name }) => ({ ...state, places: leaveOut(state.places, name) }),
};

/** @param {any[]} places @param {string} left name of the one that is left out */
const leaveOut = (places, left) => places.filter(({ name }) => name !== left);

/** The fields that a tile set's own limits ask for. @param {any} tileset @returns {string[]} */
export function listOwnFields(tileset) {
  const limits = tileset.tiles.flatMap((/** @type {any} */ each) => each.limits);
  const names = limits.flatMap((/** @type {any} */ each) => Object.keys(each));
  return [...new Set(/** @type {string[]} */ (names))].filter((name) => name !== "level");
}

/** What the service makes the world of. @param {any} state @param {any} tileset */
export function toRequest({ request, land }, tileset) {
  if (!land.kind) return request;
  const scale = 1 / land.size, noise = (/** @type {number} */ times, /** @type {number} */ layer) =>
    ({ noise: { scale: scale * times, seed: 3 * request.seed + layer } });
  if (land.kind === "more") {
    const weight = `rescaled(hills, ${1 - land.strength / 2}, ${1 + 4 * land.strength})`;
    return { ...request, fields: { hills: noise(1, 1) }, terrain: { weights: { [land.tile || tileset.tiles[0].name]: weight } } };
  }
  const fields = /** @type {Record<string, any>} */ ({});
  listOwnFields(tileset).forEach((name, index) => {
    const [far, near, fine] = ["far", "near", "fine"].map((part) => `${name}_${part}`), layer = 10 * index;
    fields[far] = noise(1, layer + 1);
    fields[near] = noise(4.5, layer + 2);
    fields[fine] = noise(22, layer + 3);
    const sum = `${land.strength} * (0.75 * ${far} + 0.35 * ${near} + 0.25 * ${fine})`;
    fields[name] = name === "altitude" ? `clamp(${sum}, 0, 1)` : `clamp(${sum}, -1, 1)`;
  });
  return { ...request, fields };
}

/** The same value, with keys in order and without what is not given. @param {any} value @returns {any} */
function sort(value) {
  if (!value || typeof value !== "object" || Array.isArray(value)) return value;
  const given = Object.entries(value).filter(([, each]) => each != null).sort();
  return Object.fromEntries(given.map(([key, each]) => [key, sort(each)]));
}

/** Whether a world was made of this request. @param {any} world as the service describes it @param {any} request */
export function hasSettings({ settings }, request) {
  const [one, other] = [settings, request].map(({ tileset, seed, draft, ...rest }) => JSON.stringify(sort(rest)));
  return one === other;
}
