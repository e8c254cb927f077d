/** Files of maps: one menu for all views, made by the service. */

import { get, post, Problem, request } from "./api.js";
import { openMenu } from "../parts/menu.js";
import { attempt, download } from "./share.js";

/** @typedef {import("./shell.js").Shell} Shell */
/** Where files are in the service: what is before and after their ending; `tidy` is called in the end. */
/** @typedef {{path: string, query?: string, tidy?: () => any}} Files */
/**
 * Options of a menu: how files are called, which formats fit, what is in them, and how the work is run; `hasSizes`: whether one
 * chooses how many pixels a tile is across.
 * @typedef {{name: string, topology?: string, isSolve?: boolean, note?: string, hasSizes?: boolean,
 *   run?: (work: (signal?: AbortSignal) => Promise<any>) => any}} Options
 */

const FORMATS = [ // ending, words, and the grids that it fits
  ["png", "Picture", "square hex cube"], ["svg", "Vector picture", "square hex"],
  ["tmx.zip", "Tiled map", "square hex"], ["ldtk.zip", "LDtk project", "square"], ["tscn.zip", "Godot scene", "square hex"],
  ["glb", "3D model", "cube"], ["json", "wavefold map", "square hex cube"], ["csv", "Table of numbers", "square hex cube"],
  ["gif", "Animation of the solve", "square hex"], ["webp", "Smaller animation", "square hex"],
];
const PAUSE = 300; // milliseconds between two looks at a job
const CANCELLED = { title: "The map was not made", detail: "Somebody has cancelled it on the server.", advice: "Try again." };

const SIZES = [1, 4, 8, 16, 32, 64]; // pixels across a tile

const isMoving = (/** @type {string} */ ending) => /gif|webp/.test(ending);

/** The size that was chosen last. */
let chosenSize = 16;

/**
 * Items of the menu "Export".
 * @param {Shell} shell @param {(signal?: AbortSignal) => Promise<Files>} make @param {Options} options
 * @returns {import("../parts/menu.js").Item[]}
 */
export function exportItems(shell, make, options) {
  const { name, topology = "square", isSolve = true, note = "", hasSizes, run = (work) => attempt(shell, work) } = options;
  const fitting = FORMATS.filter(([ending, , kinds]) => kinds.split(" ").includes(topology) && (isSolve || !isMoving(ending)));
  const save = async (/** @type {string} */ ending, /** @type {AbortSignal|undefined} */ signal) => {
    shell.say(`${isMoving(ending) ? "Recording" : "Writing"} ${name}.${ending} …`);
    const { path, query = hasSizes && !isMoving(ending) ? `?tile_size=${chosenSize}` : "", tidy } = await make(signal);
    try { download(`${name}.${ending}`, await (await request(path + ending + query, { signal })).blob()); } finally { tidy?.(); }
    shell.say(`${name}.${ending} is in your downloads.`);
  };
  const items = fitting.map(([ending, text]) =>
    ({ text, note: `${note}.${ending}`, run: () => run((signal) => save(ending, signal)) }));
  return hasSizes ? [{ text: "Pixels across a tile …", note: String(chosenSize), run: askForSize }, ...items] : items;
}

/** Choose a size of tiles, and go back to the menu. @param {HTMLElement} anchor of the menu */
function askForSize(anchor) {
  const choose = (/** @type {number} */ size) => () => { chosenSize = size; anchor.click(); };
  openMenu(anchor, "Pixels across a tile", SIZES.map((size) =>
    ({ text: `${size} × ${size} pixels`, note: size === chosenSize ? "chosen" : "", run: choose(size) })));
}

/** Have a map made and stored: where its files are. @param {Shell} shell @param {any} body of POST /solves */
export async function makeMap(shell, body) {
  let answer = await post("/solves", body);
  while (["queued", "running"].includes(answer.status)) {
    const { done = 0, all = 1 } = answer.progress ?? {};
    shell.say(`Making the map: ${Math.round((100 * done) / all)} % …`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    answer = await get(`/solves/${answer.id}`);
  }
  if (answer.error) throw new Problem(answer.error);
  if (answer.status === "cancelled") throw new Problem(CANCELLED);
  return `/solves/${answer.id}/result.`;
}
