/** Files of one's own: a picture, a tile set, or a document of the studio. */

import { request } from "../../app/api.js";
import { attempt, ENDING, openFile } from "../../app/share.js";

export const ENDINGS = "image/*,.zip,.toml,.wavefold";

/** Open a file in the view that it is for. @param {import("../../app/shell.js").Shell} shell @param {File|undefined} file */
export async function takeFile(shell, file) {
  if (!file) return;
  shell.say(`Reading ${file.name} …`);
  if (file.name.endsWith(ENDING)) return attempt(shell, () => openFile(file));
  try {
    location.hash = await (file.type.startsWith("image/") ? openPicture(file) : openTileSet(file));
  } catch (error) {
    const { message, advice = "" } = /** @type {any} */ (error);
    shell.say("");
    shell.showCard("error", `${file.name} cannot be used`, `${message} ${advice}`);
  }
}

/** @param {File} file */
async function openPicture(file) {
  const { rememberPicture } = await import("../picture.js");
  return `#/picture?${await rememberPicture(file)}`;
}

/** @param {File} file */
async function openTileSet(file) {
  const type = file.name.endsWith(".toml") ? "application/toml" : "application/zip";
  const answer = await request("/tilesets", { method: "POST", headers: { "Content-Type": type }, body: file }), { id, topology } = await answer.json();
  return `#/${topology === "cube" ? "blocks" : "map"}?tileset=${encodeURIComponent(id)}`;
}
