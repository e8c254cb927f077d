/** Ways out of the world view: links, code and files of what is visible. */

import { get, request } from "../../app/api.js";
import { download, encodeDocument, LONGEST_LINK } from "../../app/share.js";
import { toCommand, toPython } from "./request.js";

const EXPORTS = [["png", "Picture"], ["tmx.zip", "Tiled map"], ["ldtk.zip", "LDtk project"], ["tscn.zip", "Godot scene"],
  ["json", "wavefold map"], ["csv", "Table of numbers"]];
const MOST_CELLS = 1 << 18;

/** @typedef {import("../world.js").WorldView} WorldView */

/** The cells in view: x0, y0, width, height. @param {WorldView} view */
export function findBox({ layer, world, middle }) {
  const [left, top, right, bottom] = layer.bounds, rows = world.topology === "hex" ? 8 / 7 : 1;
  const width = Math.ceil(right - left), height = Math.ceil((bottom - top) * rows);
  return [middle[0] - (width >> 1), middle[1] - (height >> 1), width, height];
}

/** Items of the menu "Share". @param {WorldView} view */
export function listShares(view) {
  const { shell, world } = view, [x0, y0, width, height] = findBox(view), chunk = (/** @type {number} */ each) => Math.floor(each / world.chunk);
  const copy = (/** @type {string} */ text) => navigator.clipboard.writeText(text).then(() => shell.say("Copied."));
  const guard = (/** @type {() => Promise<any>} */ work) => () => work().catch((error) => view.showProblem(error));
  const region = [chunk(x0), chunk(y0), chunk(x0 + width - 1) + 1, chunk(y0 + height - 1) + 1];
  const items = [
    { text: "Copy link", note: "this place, on any server", run: guard(() => shareLink(view, copy)) },
    { text: "Copy link for this server", note: "follows all edits",
      run: guard(() => copy(`${location.origin}${location.pathname}#/world?id=${world.id}&at=${view.middle}&scale=${view.scale}`)) },
    { text: "Copy as Python", run: guard(async () => copy(toPython(world, await listEdits(view), [x0, y0, width, height]))) },
  ];
  return view.state.land.kind ? items : [...items, { text: "Copy as command", note: "without edits", run: guard(() => copy(toCommand(world, region))) }];
}

/** All edits that are applied. @param {WorldView} view @returns {Promise<any[]>} */
async function listEdits({ world }) {
  const edits = [];
  for (let after = 0; after !== null;) {
    const page = await get(`/worlds/${world.id}/edits?limit=500&after=${after}`);
    edits.push(...page.edits);
    after = page.next;
  }
  return edits;
}

/**
 * A link with all that the world is made of, edits included; if that is too long, one for this server.
 * @param {WorldView} view @param {(text: string) => Promise<void>} copy
 */
async function shareLink(view, copy) {
  const edits = (await listEdits(view)).map(({ wanted }) => wanted), { state, document, world } = view;
  const start = `${location.origin}${location.pathname}#/world?`;
  const places = state.places.map((/** @type {any} */ { name, x, y, scale }) => ({ name, x, y, scale })), where = `at=${view.middle}&scale=${view.scale}`;
  const data = { version: 1, view: document.view, beginning: { ...state, places }, commands: [], edits };
  const link = `${start}${where}&open=${await encodeDocument(data)}`;
  if (link.length <= LONGEST_LINK) return copy(link);
  await copy(`${start}id=${world.id}&${where}`);
  view.shell.say("Copied. This world has too many edits for a link of its own, so it works on this server only.", "warn");
}

/** Items of the menu "Export". @param {WorldView} view */
export function listExports(view) {
  const [x0, y0, width, height] = findBox(view), note = (/** @type {string} */ ending) => `.${ending.replace(".zip", "")}`;
  if (width * height > MOST_CELLS) {
    return [{ text: "Zoom in to export", note: `${(width * height).toLocaleString()} cells are too many`, run: () => view.layer.zoomBy(2) }];
  }
  return EXPORTS.map(([ending, text]) => ({ text, note: `${width} × ${height} cells · ${note(ending)}`, run: async () => {
    try {
      view.shell.say(`Writing ${width} × ${height} cells …`);
      const answer = await request(`/worlds/${view.world.id}/region.${ending}?x0=${x0}&y0=${y0}&width=${width}&height=${height}`), name = `world.${ending}`;
      download(name, await answer.blob());
      view.shell.say(`${name} is in your downloads.`);
    } catch (error) { view.showProblem(error); }
  } }));
}
