/** Files of maps: one menu for all views, made by the service. */

import { get, post, Problem, request } from "./api.js";
import { attempt, download } from "./share.js";

/** @typedef {import("./shell.js").Shell} Shell */

const FORMATS = [["png", "Picture"], ["svg", "Vector picture"], ["tmx.zip", "Tiled map"], ["ldtk.zip", "LDtk project"], ["tscn.zip", "Godot scene"], ["json", "wavefold map"],
  ["csv", "Table of numbers"], ["glb", "3D model"], ["gif", "Animation of the solve"], ["webp", "Smaller animation"]];
const PAUSE = 300; // milliseconds between two looks at a job

/**
 * Items of the menu "Export".
 * @param {Shell} shell
 * @param {() => Promise<{path: string, tidy?: () => any}>} make where the files are in the service, without their ending; `tidy` is called in the end
 * @param {string} name of files @param {string[]} [endings] which formats there are; without, all but that of cubes
 * @returns {import("../parts/menu.js").Item[]}
 */
export function exportItems(shell, make, name = "map", endings) {
  const offered = FORMATS.filter(([ending]) => (endings ? endings.includes(ending) : ending !== "glb"));
  return offered.map(([ending, text]) => ({ text, note: `.${ending}`, run: () => attempt(shell, async () => {
    shell.say(`${/gif|webp/.test(ending) ? "Recording" : "Writing"} ${name}.${ending} …`);
    const { path, tidy } = await make();
    try { download(`${name}.${ending}`, await (await request(path + ending)).blob()); } finally { tidy?.(); }
    shell.say(`${name}.${ending} is in your downloads.`);
  }) }));
}

/** Have a map made and stored: the path of its files, without the ending. @param {Shell} shell @param {any} body of POST /solves */
export async function makeMap(shell, body) {
  let answer = await post("/solves", body);
  while (["queued", "running"].includes(answer.status)) {
    const { done = 0, all = 1 } = answer.progress ?? {};
    shell.say(`Making the map: ${Math.round((100 * done) / all)} % …`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    answer = await get(`/solves/${answer.id}`);
  }
  if (answer.error) throw new Problem(answer.error);
  return `/solves/${answer.id}/result.`;
}
