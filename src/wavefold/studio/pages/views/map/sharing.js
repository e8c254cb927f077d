/** Ways out of the views of maps, flat and of blocks: links, code and files of the very map on the screen. */

import { post } from "../../app/api.js";
import { exportItems, makeMap } from "../../app/export.js";
import { strip } from "../../app/live-session.js";
import { shareItems } from "../../app/share.js";

/** @typedef {{shell: import("../../app/shell.js").Shell, document: import("../../app/document.js").StudioDocument}} View */

/** What is on the screen, as the body of POST /solves. @param {View} view */
const toRequest = ({ document: { state: { request, commands } } }) => ({ ...request, commands: commands.map(strip) });

/** Items of the menu "Share". @param {View} view */
export const listMapShares = (view) =>
  shareItems(view.shell, view.document, () => post("/solves/code", toRequest(view)), { more: () => ({ solve: toRequest(view) }) });

/** Items of the menu "Export". @param {View} view @param {import("../../app/export.js").Options} options */
export const listMapExports = (view, options) =>
  exportItems(view.shell, async () => ({ path: await makeMap(view.shell, toRequest(view)) }), options);
