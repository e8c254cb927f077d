/** The worlds of the server on the start page: open one, delete one after a moment in which that can be undone. */

import { API, remove } from "../../app/api.js";
import { button } from "../../parts/controls.js";
import { h } from "../../parts/element.js";

const REGRET = 6_000; // milliseconds

/** @param {any[]} worlds @param {import("../../app/shell.js").Shell} shell */
export const worldCovers = (worlds, shell) => worlds.filter(({ draft }) => !draft).map((world) => worldCover(world, shell));

/** @param {any} world @param {import("../../app/shell.js").Shell} shell */
function worldCover(world, shell) {
  const forget = button(`Delete the world of ${world.tileset}, seed ${world.seed}`, () => {
    const undo = button("Undo", () => { clearTimeout(timer); gone.replaceWith(cover); }), gone = h("div", { class: "cover gone", role: "status" }, h("b", {}, "World deleted"), undo);
    const timer = setTimeout(() => remove(`/worlds/${world.id}`).then(() => gone.remove(), (error) => { gone.replaceWith(cover); shell.say(error.message, "error"); }), REGRET);
    cover.replaceWith(gone);
    undo.focus();
  }, { symbol: "trash", isIconOnly: true, kind: "plain" });
  const cover = h("div", { class: "cover" }, h("a", { href: `#/world?id=${world.id}` },
    h("img", { src: `${API}/worlds/${world.id}/tiles/1/0/0.png`, alt: "", loading: "lazy", width: 200, height: 120 }), h("b", {}, world.tileset_name ?? world.tileset)),
    h("small", {}, `World, seed ${world.seed} · ${new Date(1000 * world.created).toLocaleDateString()}`), h("div", { class: "cover-tools" }, forget));
  return cover;
}
