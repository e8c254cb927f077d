/** Files of one's own: a picture, a tile set, or a document of the studio; chosen, or dropped anywhere. */

import { request } from "./api.js";
import { attempt, ENDING, openFile } from "./share.js";

/** @typedef {import("./shell.js").Shell} Shell */

export const ENDINGS = "image/*,.zip,.toml,.json,.wavefold";
const TYPES = /** @type {Record<string, string>} */ (
  { zip: "application/zip", toml: "application/toml", json: "application/json" });
const READABLE = "The studio reads pictures to learn from (PNG, JPEG, GIF, WebP, BMP), tile sets (a TOML file, or a ZIP " +
  "archive with a TOML, Tiled or mxgmn tile set and its pictures), and .wavefold files.";

/** Open a file in the view that it is for. @param {Shell} shell @param {File|undefined} file */
export async function takeFile(shell, file) {
  if (!file) return;
  if (file.name.endsWith(ENDING)) return attempt(shell, () => openFile(file));
  const type = TYPES[file.name.split(".").at(-1)?.toLowerCase() ?? ""];
  shell.closeCard("file");
  if (!type && !file.type.startsWith("image/"))
    return shell.showCard("error", `${file.name} cannot be read here`, READABLE, [], "file");
  shell.say(`Reading ${file.name} …`);
  try {
    location.hash = await (type ? openTileSet(file, type) : openPicture(file));
  } catch (error) {
    const { message, advice = "" } = /** @type {any} */ (error);
    shell.say("");
    shell.showCard("error", `${file.name} cannot be used`, `${message} ${advice}`);
  }
}

/** Files that are dropped anywhere are opened, unless the view takes them. @param {Shell} shell */
export function listenToDrops(shell) {
  addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
  addEventListener("drop", (event) => {
    const files = [...event.dataTransfer?.files ?? []], file = files.find(({ name }) => name.endsWith(ENDING));
    if (file || !event.defaultPrevented) takeFile(shell, file ?? files[0]);
    event.preventDefault();
  });
}

/** @param {File} file */
async function openPicture(file) {
  const { rememberPicture } = await import("../views/picture.js");
  return `#/picture?${await rememberPicture(file)}`;
}

/** @param {File} file @param {string} type */
async function openTileSet(file, type) {
  const answer = await request("/tilesets", { method: "POST", headers: { "Content-Type": type }, body: file });
  const { id, topology } = await answer.json();
  return `#/${topology === "cube" ? "blocks" : "map"}?tileset=${encodeURIComponent(id)}`;
}
