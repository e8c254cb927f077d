/** Ways out of the views of maps, flat and of blocks: links, code and files of the very map on the screen. */

import { post } from "../../app/api.js";
import { exportItems, makeMap } from "../../app/export.js";
import { strip } from "../../app/live-session.js";
import { shareItems } from "../../app/share.js";

/** @typedef {import("../../app/view.js").View} View */

/** What is on the screen, as the body of POST /solves. @param {View} view */
const toRequest = ({ document: { state: { request, commands } } }) => ({ ...request, commands: commands.map(strip) });

/**
 * What distinguishes a map from others.
 * @param {any} request @param {any} tileset of the service, once it is known @returns {import("../../app/names.js").Subject}
 */
export function describeMap({ tileset: id, topology: { width, height, depth }, seed }, tileset) {
  return { name: tileset?.name ?? id, size: [width, height, ...(depth ? [depth] : [])], seed };
}

/** Items of the menu "Share". @param {View} view */
export const listMapShares = (view) =>
  shareItems(view, () => post("/solves/code", toRequest(view)), { more: () => ({ solve: toRequest(view) }) });

/** Items of the menu "Export". @param {View} view @param {string} topology @param {boolean} [hasSizes] of single pixels */
export const listMapExports = (view, topology, hasSizes) =>
  exportItems(view.shell, async () => ({ path: await makeMap(view.shell, toRequest(view)) }),
    { name: view.fileName, topology, hasSizes });
