/** Ways out of the world view: links, code and files of what is visible. */

import { get } from "../../app/api.js";
import { exportItems } from "../../app/export.js";
import { toFileName } from "../../app/names.js";
import { attempt, copy, shareItems } from "../../app/share.js";
import { openMenu } from "../../parts/menu.js";

const MOST_CELLS = 1 << 18;
const SIDES = [64, 128, 256]; // of a part that is exported, in cells

/** The side that was chosen last; 0: what is in view. */
let chosenSide = 0;

/** @typedef {import("../world.js").WorldView} WorldView */

/** The cells in view: x0, y0, width, height. @param {WorldView} view */
function findBox({ layer, world, middle }) {
  const [left, top, right, bottom] = layer.bounds, rows = world.topology === "hex" ? 8 / 7 : 1;
  const width = Math.ceil(right - left), height = Math.ceil((bottom - top) * rows);
  return [middle[0] - (width >> 1), middle[1] - (height >> 1), width, height];
}

/** Items of the menu "Share". @param {WorldView} view */
export function listWorldShares(view) {
  const { shell, world } = view, [x0, y0, width, height] = findBox(view), where = () => `at=${view.middle}&scale=${view.scale}&`;
  const ask = () => get(`/worlds/${world.id}/code?x0=${x0}&y0=${y0}&width=${width}&height=${height}`);
  const follow = () => attempt(shell, () => copy(shell,
    `${location.origin}${location.pathname}#/world?${where()}id=${world.id}`));
  const whole = { view: "world", tileset: world.tileset, toJSON: () => writeWorld(view) };
  const [link, ...others] = shareItems({ shell, document: whole, fileName: view.fileName }, ask, { where });
  const hasCommand = !view.revision && !world.fields.length; // which options of the command line cannot say
  return [link, { text: "Copy link for this server", note: "follows all edits", run: follow },
    ...others.filter(({ text }) => hasCommand || text !== "Copy as command")];
}

/** All that the world is made of, edits included: they are the beginning of another one. @param {WorldView} view */
async function writeWorld(view) {
  const edits = (await listEdits(view)).map(({ wanted }) => wanted);
  const places = view.state.places.map((/** @type {any} */ { name, x, y, scale }) => ({ name, x, y, scale }));
  return { version: 1, view: "world", beginning: { ...view.state, places }, commands: [], edits };
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

/** Items of the menu "Export". @param {WorldView} view */
export function listWorldExports(view) {
  const { world: { id, topology }, shell, middle } = view;
  const [x0, y0, width, height] = chosenSide ? [...middle, chosenSide, chosenSide] : findBox(view), size = `${width} × ${height}`;
  const cells = { text: "Cells …", note: chosenSide ? `${size} from ${middle.join(", ")}` : `${size}, in view`,
    run: (/** @type {HTMLElement} */ anchor) => askForCells(anchor, middle) };
  if (width * height > MOST_CELLS) {
    const note = `${(width * height).toLocaleString()} cells are too many`;
    return [cells, { text: "Zoom in to export", note, run: () => view.layer.zoomBy(2) }];
  }
  const query = `?x0=${x0}&y0=${y0}&width=${width}&height=${height}`;
  const name = `${toFileName({ ...view.subject, size: [width, height] })}-at_${x0}_${y0}`;
  const make = async () => ({ path: `/worlds/${id}/region.`, query });
  return [cells, ...exportItems(shell, make, { name, topology, isSolve: false })];
}

/** Choose which cells are exported, and go back to the menu. @param {HTMLElement} anchor of the menu @param {number[]} middle */
function askForCells(anchor, middle) {
  openMenu(anchor, "Cells", [0, ...SIDES].map((side) => ({
    text: side ? `${side} × ${side} from ${middle.join(", ")}` : "What is in view",
    note: side === chosenSide ? "chosen" : "", run: () => { chosenSide = side; anchor.click(); } })));
}
