/** Ways out of the map view: links, code and files of the very map on the screen. */

import { post, request } from "../../app/api.js";
import { exportItems, makeMap } from "../../app/export.js";
import { download, ENDING, saveDocument, shareItems } from "../../app/share.js";
import { strip } from "./player.js";

/** @typedef {import("../map.js").MapView} MapView */

/** What is on the screen, as the body of POST /solves. @param {MapView} view */
const toRequest = ({ state: { request: body, commands } }) => ({ ...body, commands: commands.map(strip) });

/** Items of the menu "Share". @param {MapView} view */
export function listShares(view) {
  const { document, shell } = view, more = () => ({ solve: toRequest(view) });
  const write = (/** @type {"python"|"command"} */ kind) => async () => {
    const answer = await post("/solves/code", toRequest(view)), needed = answer[`${kind}_needs`];
    if (needed?.endsWith(ENDING)) await saveDocument(document, more());
    else if (needed) download(needed, await (await request(`/tilesets/${view.state.request.tileset}/tiles.zip`)).blob());
    if (needed) shell.showCard("info", "A file belongs to it", `What was copied reads ${needed}, which is in your downloads.`);
    return answer[kind];
  };
  return shareItems(shell, document, [["Python", write("python")], ["command", write("command")]], more);
}

/** Items of the menu "Export". @param {MapView} view */
export const listExports = (view) => exportItems(view.shell, async () => ({ path: await makeMap(view.shell, toRequest(view)) }));
