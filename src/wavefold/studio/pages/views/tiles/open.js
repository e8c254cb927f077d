/** Where a set comes from: a starter, a tile set of the server, files and pictures. */

import { get, post, request } from "../../app/api.js";
import { button, numberField } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { openMenu } from "../../parts/menu.js";
import { Art } from "./art.js";
import { newName, readTables } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

const go = (/** @type {string} */ base) => { location.hash = `#/tiles?tileset=${base}&at=${Date.now()}`; };
const clean = (/** @type {File} */ { name }) => name.replace(/\.\w+$/, "").replaceAll("@", " ");

/** Items of the menu "Open". @param {TilesView} view */
export function listBeginnings(view) {
  const input = h("input", { type: "file", multiple: true, accept: "image/*,.zip,.toml", onchange: () => askForPictures(view, [...input.files]) });
  return [
    { text: "Copy of a tile set …", run: async () => {
      const { tilesets } = await get("/tilesets"), fitting = tilesets.filter((/** @type {any} */ each) => each.topology !== "cube" && each.origin !== "learned");
      openMenu(view.shell.bar, "Tile sets", fitting.map((/** @type {any} */ each) => ({ text: each.name, note: `${each.tile_count} tiles`, run: () => go(each.id) })));
    } },
    { text: "Pictures or files …", note: "or drop them here", run: () => input.click() },
    ...[["square-16", "squares of 16 pixels"], ["square-32", "squares of 32 pixels"], ["hex-32", "hexagons"]].map(([name, note]) => ({ text: "New set", note, run: () => go(`starter-${name}`) })),
  ];
}

/** Read a tile set, or ask what pictures are to be. @param {TilesView} view @param {File[]} files */
export async function askForPictures(view, files) {
  const pictures = files.filter(({ type }) => type.startsWith("image/")), [width, height] = view.art.size(view.set);
  await view.guard(async () => {
    if (!files.length) return;
    if (!pictures.length) return go((await (await request("/tilesets", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: files[0] })).json()).id);
    const isSheet = pictures.length === 1 && (await createImageBitmap(pictures[0])).width > 1.5 * width, size = /** @type {any} */ (isSheet ? { width, height } : {});
    view.shell.showCard("", isSheet ? `Cut ${pictures[0].name} into tiles` : `${pictures.length} tiles`, "Sides that look alike get the same socket.", [
      ...Object.keys(size).map((key) => numberField(key, size[key], (value) => { size[key] = value; }, { min: 2, max: 128, isInline: true })),
      button("Begin a set", () => take(view, pictures, size, true), { kind: "main" }), button("Add to this set", () => take(view, pictures, size, false))]);
  });
}

/** @param {TilesView} view @param {File[]} files @param {any} size of a cell of a sheet @param {boolean} isNew */
const take = (view, files, size, isNew) => view.guard(async () => {
  const read = async (/** @type {File} */ file) => [clean(file), btoa(new Uint8Array(await file.arrayBuffer()).reduce((text, each) => text + String.fromCharCode(each), ""))];
  const answer = await post("/drafts/pictures", { pictures: Object.fromEntries(await Promise.all(files.map(read))), topology: view.set.tables.topology, ...size });
  const art = await Art.read(answer.files), set = readTables(null, answer), names = view.set.tiles.map(({ name }) => name);
  const tiles = set.tiles.map(({ at, ...tile }, index) => ({ ...tile, name: isNew ? tile.name : newName(names, tile.name), drawn: art.sample(set, index) }));
  view.shell.closeCard();
  if (isNew) view.restart({ ...set, tables: { ...set.tables, name: clean(files[0]) }, tiles });
  else view.document.apply({ do: "add", tiles });
});
