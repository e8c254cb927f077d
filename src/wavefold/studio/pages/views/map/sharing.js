/** Ways out of the map view: links, code and files. */

import { post, request } from "../../app/api.js";
import { download, encodeDocument, LONGEST_LINK } from "../../app/share.js";
import { findPins, toCommand, toPython } from "./reducers.js";

const EXPORTS = [["png", "Picture"], ["tmx", "Tiled map"], ["ldtk", "LDtk project"], ["tscn", "Godot scene"], ["json", "wavefold map"], ["csv", "Table of numbers"], ["svg", "Vector picture"]];

/** @typedef {import("../map.js").MapView} MapView */

/** Items of the menu "Share". @param {MapView} view */
export function listShares(view) {
  const { document, player, shell, state } = view;
  const copy = (/** @type {string} */ text) => navigator.clipboard.writeText(text).then(() => shell.say("Copied."));
  return [
    { text: "Copy link", note: "reproduces this map", run: () => shareLink(view, copy) },
    { text: "Copy as Python", run: () => copy(toPython(state, player.tileset)) },
    { text: "Copy as command", run: () => copy(toCommand(state, player.tileset)) },
    { text: "Save as file", note: ".wavefold", run: () => download("map.wavefold", new Blob([JSON.stringify(document)])) },
  ];
}

/** Items of the menu "Export". @param {MapView} view */
export const listExports = (view) => EXPORTS.map(([ending, text]) => ({ text, note: `.${ending}`, run: () => exportMap(view, ending) }));

/** @param {MapView} view @param {(text: string) => Promise<void>} copy */
async function shareLink({ document, shell }, copy) {
  const link = `${location.origin}${location.pathname}#/map?open=${await encodeDocument(document.toJSON())}`;
  if (link.length <= LONGEST_LINK) return copy(link);
  download("map.wavefold", new Blob([JSON.stringify(document)]));
  shell.say("This map has too many edits for a link, so it was saved as a file.", "warn");
}

/** @param {MapView} view @param {string} ending of the file */
async function exportMap(view, ending) {
  await view.guard(async () => {
    view.shell.say(`Writing map.${ending} …`);
    const { request: body, commands } = view.state;
    const pins = findPins(commands).map(({ at, tile }) => [...at, tile]);
    const { id } = await post("/solves", { ...body, pins });
    const answer = await request(`/solves/${id}/result.${ending}`);
    const isZip = answer.headers.get("content-type")?.includes("zip");
    download(isZip ? "map.zip" : `map.${ending}`, await answer.blob());
    view.shell.say(`map.${isZip ? "zip" : ending} is in your downloads.`);
  });
}
