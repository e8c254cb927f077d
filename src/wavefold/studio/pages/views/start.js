/** Start: choose a tile set by its picture, drop one's own, open a world, or go on with recent work. */

import { get, request } from "../app/api.js";
import { forgetRecent, listRecent } from "../app/recent.js";
import { button } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { icon } from "../parts/icons.js";

/** @param {import("../app/shell.js").Shell} shell */
export async function open(shell) {
  const sets = h("div", { class: "covers" }, ...Array.from({ length: 6 }, () => h("div", { class: "cover skeleton" })));
  const recent = h("div", { class: "covers small" }), worlds = h("div", { class: "covers small" });
  const page = h("div", { class: "page start" },
    h("header", { class: "hero" },
      h("div", {}, h("h1", {}, "Make a map"), h("p", { class: "quiet" }, "Choose a tile set to begin. Everything can be undone, and nothing is lost.")),
      dropZone(shell)),
    part("Tile sets", sets), part("Recent", recent), part("Worlds", worlds));
  shell.stage.append(page);
  shell.bar.append(h("strong", { class: "brand" }, "wavefold studio"));
  showRecent(recent);
  const stop = new AbortController();
  const load = async () => {
    const [{ tilesets }, known] = await Promise.all([get("/tilesets", stop.signal), get("/worlds", stop.signal)]);
    fill(sets, ...tilesets.filter((/** @type {any} */ each) => each.topology !== "cube").map(setCover));
    fill(worlds, ...known.worlds.map(worldCover), newWorldCover());
  };
  load().catch((error) => { if (error.name !== "AbortError") shell.showCard("error", "The tile sets cannot be listed", `${error.message} ${error.advice}`); });
  return () => stop.abort();
}

const part = (/** @type {string} */ title, /** @type {Node} */ content) => h("section", { class: "covers-part" }, h("h2", {}, title), content);

/** @param {any} set */
function setCover(set) {
  const about = `${set.tile_count} tiles · ${set.topology === "hex" ? "hexagons" : "squares"}`;
  return h("a", { class: "cover", href: `#/map?tileset=${encodeURIComponent(set.id)}` },
    h("img", { src: set.pictures.sample, alt: "", loading: "lazy", width: 280, height: 190 }), h("b", {}, set.name), h("small", {}, about));
}

/** @param {any} world */
function worldCover(world) {
  return h("a", { class: "cover", href: `#/world?id=${world.id}` },
    h("img", { src: `/api/v1/worlds/${world.id}/tiles/0/0/0.png`, alt: "", loading: "lazy", width: 200, height: 120 }),
    h("b", {}, world.tileset_name ?? world.tileset), h("small", {}, `seed ${world.seed} · revision ${world.revision}`));
}

const newWorldCover = () => h("a", { class: "cover new", href: "#/world" }, icon("add"), h("b", {}, "New world"), h("small", {}, "endless, without a seam"));

/** @param {HTMLElement} place */
function showRecent(place) {
  const entries = listRecent();
  /** @type {HTMLElement} */ (place.parentElement ?? place).hidden = !entries.length;
  fill(place, ...entries.map((entry) => {
    const forget = button("Forget", () => { forgetRecent(entry.id); showRecent(place); }, { symbol: "close", isIconOnly: true, kind: "plain" });
    return h("div", { class: "cover" },
      h("a", { href: `#/${entry.view}?document=${entry.id}` }, entry.picture ? h("img", { src: entry.picture, alt: "" }) : null, h("b", {}, entry.title)),
      h("small", {}, new Date(entry.when).toLocaleString()), forget);
  }));
}

/** A place for one's own files. @param {import("../app/shell.js").Shell} shell */
function dropZone(shell) {
  const input = h("input", { type: "file", accept: ".png,.zip,.toml,image/png", class: "hidden", onchange: () => take(shell, input.files) });
  const zone = h("button", { type: "button", class: "drop", onclick: () => input.click() }, icon("drop"),
    h("span", {}, "Drop a picture or a tile set here, or choose a file"), h("small", {}, "PNG to learn from · ZIP with TOML or XML and images"));
  zone.addEventListener("dragover", (/** @type {DragEvent} */ event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (/** @type {DragEvent} */ event) => { event.preventDefault(); zone.classList.remove("over"); take(shell, event.dataTransfer?.files); });
  return h("div", {}, zone, input);
}

/** @param {import("../app/shell.js").Shell} shell @param {FileList|null|undefined} files */
async function take(shell, files) {
  const file = files?.[0];
  if (!file) return;
  shell.say(`Reading ${file.name} …`);
  try {
    if (file.type === "image/png" || file.name.endsWith(".png")) {
      const { rememberPicture } = await import("./picture.js");
      location.hash = `#/picture?${await rememberPicture(file)}`;
      return;
    }
    const answer = await request("/tilesets", { method: "POST", headers: { "Content-Type": "application/zip" }, body: file });
    location.hash = `#/map?tileset=${(await answer.json()).id}`;
  } catch (error) {
    const { message, advice = "" } = /** @type {any} */ (error);
    shell.showCard("error", `${file.name} cannot be used`, `${message} ${advice}`);
  }
}
