/** Which world is shown, as a document: the request that it is made of, and named places. Edits are in the world's own log. */

import { Problem } from "../../app/api.js";

/** @typedef {{kind: string, size: number, strength: number, tile: string}} Land what drives the world: its field, how large hills are, how strong they count */

export const PLAIN = { kind: "", size: 48, strength: 1, tile: "" };

/** @param {string} tileset @param {number} seed @returns {import("../../app/document.js").State} */
export const beginning = (tileset, seed) => ({ request: { tileset, seed }, land: PLAIN, places: [] });

/** Whether a state has what every world needs. @param {any} state */
export const isWorld = ({ request, land }) => typeof request.tileset === "string" && typeof land === "object";

/** @type {Record<string, (state: any, command: any) => any>} */
export const reducers = {
  edit: (state) => state, // what it changed is in the log of the world, which other tabs share
  land: (state, { land }) => ({ ...state, land }),
  place: (state, { place }) => ({ ...state, places: [...state.places.filter((/** @type {any} */ each) => each.name !== place.name), place] }),
  unplace: (state, { name }) => ({ ...state, places: state.places.filter((/** @type {any} */ each) => each.name !== name) }),
};

/** The fields that a tile set's own limits ask for. @param {any} tileset @returns {string[]} */
export function listOwnFields(tileset) {
  const names = tileset.tiles.flatMap((/** @type {any} */ { limits }) => limits.flatMap((/** @type {any} */ each) => Object.keys(each)));
  return [...new Set(/** @type {string[]} */ (names))].filter((name) => name !== "level");
}

/** What the service makes the world of. @param {any} state @param {any} tileset */
export function toRequest({ request, land }, tileset) {
  if (!land.kind) return request;
  const scale = 1 / land.size, noise = (/** @type {number} */ times, /** @type {number} */ layer) => ({ noise: { scale: scale * times, seed: 3 * request.seed + layer } });
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
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each != null).sort().map(([key, each]) => [key, sort(each)]));
}

/** Whether a world was made of this request. @param {any} world as the service describes it @param {any} request */
export function hasSettings({ settings }, request) {
  const [one, other] = [settings, request].map(({ tileset, seed, draft, ...rest }) => JSON.stringify(sort(rest)));
  return one === other;
}

const NOISE = /** @type {Record<string, string>} as usual */ ({ octaves: "1", lacunarity: "2", gain: "0.5", offset: "0,0" });
/** Settings that code is written for. */
const WRITABLE = ["tileset", "seed", "draft", "chunk", "refine", "radius", "half_width", "shares", "fields", "terrain"];

/** Whether a world is nothing but a tile set and a seed. @param {any} settings as the service has them: those that are not as usual */
export const isPlain = (settings) => Object.keys(settings).every((name) => ["tileset", "seed", "draft"].includes(name));

/** @param {string} source of the tile set @param {any} settings @param {any[]} edits @param {number[]} box x0, y0, width, height */
export function toPython(source, settings, edits, box) {
  const lines = ["import wavefold as wf", "", `tiles = wf.TileSet.load(${JSON.stringify(source)})`], given = [`seed=${settings.seed ?? 0}`];
  for (const name of ["chunk", "refine", "radius", "half_width"]) if (settings[name] != null) given.push(`${name}=${settings[name] === false ? "False" : JSON.stringify(settings[name])}`);
  if (settings.shares) given.push(`shares=wf.Shares(${JSON.stringify(settings.shares)})`);
  const sources = Object.entries(settings.fields ?? {}).filter(([, each]) => each), names = sources.map(([name]) => `${name}=${name}`).join(", ");
  for (const [name, each] of sources) lines.push(`${name} = ${writeField(each) ?? refuse(`the field ${name}`)}`);
  const factors = Object.entries(settings.terrain?.weights ?? {}).map(([tile, text]) => `${JSON.stringify(tile)}: ${writeFactor(String(text)) ?? refuse(`the weight of ${tile}`)}`);
  const others = [...Object.keys(settings).filter((name) => !WRITABLE.includes(name)), ...Object.entries(settings.terrain ?? {}).flatMap(([name, each]) => (name !== "weights" && Object.keys(each ?? {}).length ? [`terrain.${name}`] : []))];
  if (others.length) refuse(others.join(", "));
  if (sources.length) {
    lines.push(`fields = wf.Fields(${names})${factors.length ? `.with_factors({${factors.join(", ")}})` : ""}`);
    given.push("fields=fields");
  }
  lines.push(`world = wf.World(tiles, ${given.join(", ")})`);
  for (const { wanted } of edits) lines.push(`world.edit({${wanted.map((/** @type {any[]} */ [x, y, tile]) => `(${x}, ${y}): ${JSON.stringify(tile)}`).join(", ")}})`);
  return [...lines, `world.image(${box.join(", ")}).save("world.png")`, ""].join("\n");
}

/** Code would make another world. @param {string} what @returns {never} */
function refuse(what) {
  throw new Problem({ title: "There is no code for this world", detail: `It was made with settings that the studio cannot write as Python: ${what}.`, advice: "Copy a link or save a file instead: they contain everything." });
}

/** A field as Python, if it is like those that the studio makes. @param {any} field */
function writeField({ noise, expression, ...others }) {
  if (Object.values(others).some((each) => each != null)) return undefined;
  if (noise) return `wf.Noise(${Object.entries(noise).flatMap(([key, each]) => (NOISE[key] === String(each) ? [] : [`${key}=${JSON.stringify(each)}`])).join(", ")})`;
  return expression?.match(/^clamp\([\w\s.*+()-]*, (-?1|0), 1\)$/) ? expression.replace(/^clamp\((.*), (-?1|0), 1\)$/, "($1).clamp($2, 1)") : undefined;
}

/** A factor of a weight as Python, likewise. @param {string} text */
const writeFactor = (text) => text.match(/^rescaled\(\w+, [-\d.]+, [-\d.]+\)$/) && text.replace(/^rescaled\((\w+), (.*)\)$/, "$1.rescaled($2)");

/** @param {string} source @param {number} seed @param {number[]} box in chunks: x0, y0, x1, y1 */
export const toCommand = (source, seed, [x0, y0, x1, y1]) => `wavefold world ${source} --seed ${seed} --region ${x0}:${x1},${y0}:${y1} -o world.png`;
