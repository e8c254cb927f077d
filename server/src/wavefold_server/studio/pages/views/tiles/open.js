/** Where a set comes from: a starter, a tile set of the server, files and pictures. */

import { get, post, request } from "../../app/api.js";
import { count } from "../../app/names.js";
import { button, numberField } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { openMenu } from "../../parts/menu.js";
import { Art } from "./art.js";
import { newName, readTables } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

const go = (/** @type {string} */ base) => { location.hash = `#/tiles?tileset=${base}&at=${Date.now()}`; };
const STARTERS = [["square-16", "squares of 16 pixels"], ["square-32", "squares of 32 pixels"], ["hex-32", "hexagons"]];
const COLOURS = ["#7fb35a", "#e8d9a8", "#b89b66", "#5b8fc9", "#8a8f98", "#3d3f45", "#d9534f", "#f2c14e"];
const clean = (/** @type {File} */ { name }) => name.replace(/\.\w+$/, "").replaceAll("@", " ");

/** Items of the menu "Open". @param {TilesView} view */
export function listBeginnings(view) {
  const onchange = () => askForPictures(view, [...input.files]);
  const input = h("input", { type: "file", multiple: true, accept: "image/*,.zip,.toml", onchange });
  return [
    { text: "Copy of a tile set …", run: () => view.guard(() => listTilesets(view)) },
    { text: "Pictures or files …", note: "or drop them here", run: () => input.click() },
    ...STARTERS.map(([name, note]) => ({ text: "Lawn and paths", note, run: () => go(`starter-${name}`) })),
    { text: "Empty set", note: "one plain tile", run: () => beginEmpty(view) },
  ];
}

/** A set of one tile of one colour, with colours to draw the next ones. @param {TilesView} view */
function beginEmpty(view) {
  const drawn = { width: 16, height: 16, palette: COLOURS.slice(0, 1), pixels: Array(256).fill(0) };
  const tile = { name: "ground", sockets: Array(4).fill("ground"), symmetry: "fixed", drawn };
  view.restart(readTables(null, { tables: { name: "my tiles", topology: "square", tiles: [tile] }, palette: COLOURS }));
}

/** @param {TilesView} view */
async function listTilesets(view) {
  const { tilesets } = await get("/tilesets");
  const items = tilesets.filter((/** @type {any} */ { topology, origin }) => topology !== "cube" && origin !== "learned")
    .map((/** @type {any} */ { id, name, tile_count }) => ({ text: name, note: count(tile_count, "tile"), run: () => go(id) }));
  openMenu(view.shell.bar, "Tile sets", items);
}

/** Read a tile set, or ask what pictures are to be. @param {TilesView} view @param {File[]} files */
export async function askForPictures(view, files) {
  const pictures = files.filter(({ type }) => type.startsWith("image/")), [width, height] = view.art.size(view.set);
  await view.guard(async () => {
    if (!files.length) return;
    if (!pictures.length) return go((await upload(files[0])).id);
    const isSheet = pictures.length === 1 && (await createImageBitmap(pictures[0])).width > 1.5 * width;
    const size = /** @type {any} */ (isSheet ? { width, height } : {});
    const fields = Object.keys(size).map((key) =>
      numberField(`Tile ${key}`, size[key], (value) => { size[key] = value; }, { min: 2, max: 128, isInline: true }));
    const title = isSheet ? `Cut ${pictures[0].name} into tiles` : count(pictures.length, "tile");
    view.shell.showCard("", title, "Sides that look alike get the same socket.", [...fields,
      button("Begin a set", () => take(view, pictures, size, true), { kind: "main" }),
      button("Add to this set", () => take(view, pictures, size, false))]);
  });
}

/** Store a tile set on the server. @param {File} body */
const upload = async (body) =>
  (await request("/tilesets", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body })).json();

/** A file in base64. @param {File} file */
const encode = async (file) => btoa(new Uint8Array(await file.arrayBuffer()).reduce((text, each) => text + String.fromCharCode(each), ""));

/** @param {TilesView} view @param {File[]} files @param {any} size of a cell of a sheet @param {boolean} isNew */
const take = (view, files, size, isNew) => view.guard(async () => {
  const pictures = Object.fromEntries(await Promise.all(files.map(async (file) => [clean(file), await encode(file)])));
  const answer = await post("/drafts/pictures", { pictures, topology: view.set.tables.topology, ...size });
  const art = await Art.read(answer.files), set = readTables(null, answer), names = view.set.tiles.map(({ name }) => name);
  const tiles = set.tiles.map(({ at, ...tile }, index) =>
    ({ ...tile, name: isNew ? tile.name : newName(names, tile.name), drawn: art.sample(set, index) }));
  view.shell.closeCard();
  if (isNew) view.restart({ ...set, tables: { ...set.tables, name: clean(files[0]) }, tiles });
  else view.document.apply({ do: "add", tiles });
});
