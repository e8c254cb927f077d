/** Where a set comes from: a starter, a tile set of the server, files and pictures. */

import { get, post, request } from "../../app/api.js";
import { button, numberField } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { openMenu } from "../../parts/menu.js";
import { Art } from "./art.js";
import { newName, readTables } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

const go = (/** @type {string} */ base) => { location.hash = `#/tiles?base=${encodeURIComponent(base)}&at=${Date.now()}`; };

/** Items of the menu "Open". @param {TilesView} view */
export function listBeginnings(view) {
  const input = h("input", { type: "file", multiple: true, accept: "image/*,.zip,.toml", onchange: () => askForPictures(view, [...input.files]) });
  return [
    { text: "New set", note: "squares", run: () => go("starter-square") }, { text: "New set", note: "hexagons", run: () => go("starter-hex") },
    { text: "Pictures or files", note: "or drop them here", run: () => input.click() },
    { text: "Copy of a tile set …", run: async () => {
      const { tilesets } = await get("/tilesets"), fitting = tilesets.filter((/** @type {any} */ each) => each.topology !== "cube" && each.origin !== "learned");
      openMenu(view.shell.bar.querySelector("button") ?? view.shell.bar, "Tile sets", fitting.map((/** @type {any} */ each) => ({ text: each.name, note: `${each.tile_count} tiles`, run: () => go(each.id) })));
    } },
  ];
}

/** Read a tile set, or ask what pictures are to be. @param {TilesView} view @param {File[]} files */
export async function askForPictures(view, files) {
  const { shell, art, set } = view, pictures = files.filter(({ type }) => type.startsWith("image/"));
  try {
    if (!files.length) return;
    if (!pictures.length) return go((await (await request("/tilesets", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: files[0] })).json()).id);
    const image = await createImageBitmap(pictures[0]), [width, height] = art.size(set), isSheet = pictures.length === 1 && image.width > 1.5 * width;
    let size = isSheet ? { width, height } : {};
    const fields = isSheet ? ["width", "height"].map((key) => numberField(key, /** @type {any} */ (size)[key], (value) => { size = { ...size, [key]: value }; }, { min: 2, max: 128, isInline: true })) : [];
    shell.showCard("", isSheet ? `${pictures[0].name}: cut it into tiles` : `${pictures.length} tiles`, "Sides that look alike get the same socket; change that as you like.", [...fields,
      button("Begin a set", () => take(view, pictures, size, true), { kind: "main" }), button("Add to this set", () => take(view, pictures, size, false))]);
  } catch (error) { fail(view, error); }
}

/** @param {TilesView} view @param {any} error */
const fail = ({ shell }, error) => shell.showCard("error", "These files cannot be used", `${error.message ?? error} ${error.advice ?? "Is it a picture?"}`);

/** @param {TilesView} view @param {File[]} files @param {any} size of a cell of a sheet @param {boolean} isNew */
async function take(view, files, size, isNew) {
  try {
    const encode = async (/** @type {File} */ file) => [file.name.replace(/\.\w+$/, "").replaceAll("@", " "), (await new Promise((resolve) => { const reader = new FileReader(); reader.onload = () => resolve(String(reader.result)); reader.readAsDataURL(file); })).split(",")[1]];
    const answer = await post("/drafts/pictures", { pictures: Object.fromEntries(await Promise.all(files.map(encode))), topology: view.set.tables.topology ?? "square", ...size });
    const art = await Art.read(answer.files), set = readTables(null, { ...answer.tables, name: files[0].name.replace(/\.\w+$/, "") }, art.palette()), names = view.set.tiles.map(({ name }) => name);
    const tiles = set.tiles.map(({ at, ...tile }, index) => ({ ...tile, drawn: { 0: art.sample(set, index) } }));
    view.shell.closeCard();
    if (isNew) view.restart({ ...set, tiles }, new Art());
    else view.document.apply({ do: "add", tiles: tiles.map((tile) => ({ ...tile, name: newName(names, tile.name) })) });
  } catch (error) { fail(view, error); }
}
