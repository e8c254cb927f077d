/** Start: choose a tile set by its picture, drop one's own files, open a world or patchwork, or go on with recent work. */

import { API, get, settleRemovals } from "../app/api.js";
import { ENDINGS, takeFile } from "../app/files.js";
import { count } from "../app/names.js";
import { nameTilesets } from "../app/tilesets.js";
import { fill, h } from "../parts/element.js";
import { icon } from "../parts/icons.js";
import { buildHero } from "./start/hero.js";
import { showRecent } from "./start/recent-work.js";
import { worldCovers } from "./start/worlds.js";

/** Bundled sets, whose covers come with the page: they are there before the server has answered. */
const BUNDLED = ["terrain", "castle", "medieval", "circuit", "meadow", "knots", "dungeon", "pipes", "blocks"];

/** @param {import("../app/shell.js").Shell} shell */
export async function open(shell) {
  const hero = buildHero(), { signal } = shell, hasBlocks = shell.rail.querySelector("[data-view=blocks]");
  const sets = h("div", { class: "covers" }, ...BUNDLED.filter((id) => hasBlocks || id !== "blocks").map((id) => setCover({ id, name: id, origin: "bundled", topology: id === "blocks" ? "cube" : "" })));
  const recent = h("div", { class: "covers small" }), server = h("div", { class: "covers small" });
  const page = h("div", { class: "page start" },
    h("header", { class: "hero" }, hero.element,
      h("div", {}, h("h2", { class: "headline" }, "Make a map in a second"), h("p", { class: "quiet" }, "Choose a tile set below, or draw a few pixels and let a map grow from them. Everything can be undone, and nothing is lost."),
        h("div", { class: "row" }, h("a", { class: "button main", href: "#/picture" }, icon("picture"), "Draw a sample"), h("a", { class: "button", href: "#/world" }, icon("world"), "Wander through a world")),
        dropZone(shell, signal))),
    part("Recent work", recent), part("Tile sets", sets), part("On this server", server));
  shell.stage.append(page);
  shell.bar.append(h("strong", { class: "brand" }, "wavefold studio"));
  showRecent(recent, shell);
  const load = async () => {
    await settleRemovals();
    const [{ tilesets }, { worlds }, { patchworks }] = await Promise.all([get("/tilesets", signal), get("/worlds", signal), get("/patchworks?limit=12", signal)]);
    const order = (/** @type {any} */ { id }) => (BUNDLED.indexOf(id) + 99) % 99; // uploads come after those
    const shown = tilesets.filter((/** @type {any} */ each) => hasBlocks || each.topology !== "cube"), names = new Map(nameTilesets(shown));
    shown.sort((/** @type {any} */ one, /** @type {any} */ other) => order(one) - order(other));
    fill(sets, ...shown.map((/** @type {any} */ each) => setCover({ ...each, name: names.get(each.id) })));
    fill(server, ...worldCovers(worlds, shell), ...patchworks.filter((/** @type {any} */ each) => each.grids).map(patchworkCover),
      newCover("#/world", "New world", "endless, without a seam"), newCover("#/patchwork", "New patchwork", "grows piece by piece"));
    hero.start();
  };
  load().catch((error) => { if (error.name !== "AbortError") shell.showCard("error", "The server does not answer", `${error.message} ${error.advice ?? ""}`); });
  signal.addEventListener("abort", () => hero.close());
}

const part = (/** @type {string} */ title, /** @type {Node} */ content) => h("section", { class: "covers-part" }, h("h2", {}, title), content);

/** @param {string} href @param {string} image @param {string} title @param {string} about */
const cover = (href, image, title, about) => h("a", { class: "cover", href }, h("img", { src: image, alt: "", loading: "lazy", width: 240, height: 160 }), h("b", {}, title), h("small", {}, about));
const newCover = (/** @type {string} */ href, /** @type {string} */ title, /** @type {string} */ about) => h("a", { class: "cover new", href }, icon("add"), h("b", {}, title), h("small", {}, about));

/** @param {any} set of the service, or what is known before it answers */
function setCover({ id, name, origin, topology, tile_count, pictures }) {
  const about = tile_count ? `${count(tile_count, "tile")} · ${{ hex: "hexagons", cube: "blocks in 3D" }[/** @type {string} */ (topology)] ?? "squares"}` : "…", isCovered = origin === "bundled" && BUNDLED.includes(id);
  return cover(`#/${topology === "cube" ? "blocks" : "map"}?tileset=${encodeURIComponent(id)}`, isCovered ? `covers/${id}.webp` : pictures.sample, name, about);
}

const patchworkCover = (/** @type {any} */ { id, tileset, grids }) =>
  cover(`#/patchwork?id=${id}`, `${API}/patchworks/${id}/picture.png?tile_size=6`, tileset, `Patchwork, ${count(grids, "piece")}`);

/** A place for one's own files; they may be dropped anywhere on the page. @param {import("../app/shell.js").Shell} shell @param {AbortSignal} signal */
function dropZone(shell, signal) {
  const input = h("input", { type: "file", accept: ENDINGS, class: "hidden", "aria-label": "A file of your own", onchange: () => takeFile(shell, input.files?.[0]) });
  const zone = h("button", { type: "button", class: "drop", onclick: () => input.click() }, icon("open"),
    h("span", {}, "Drop a file anywhere, or choose one"), h("small", {}, "a picture to learn from · a tile set (ZIP, TOML) · a .wavefold file"));
  for (const kind of ["dragover", "dragleave", "drop"]) // the page takes what is dropped
    addEventListener(kind, () => zone.classList.toggle("over", kind === "dragover"), { signal });
  return h("div", {}, zone, input);
}
