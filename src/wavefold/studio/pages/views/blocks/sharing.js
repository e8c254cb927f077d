/** Ways out of the blocks view: code and files, all made from the log of what was done. */

import { post, request } from "../../app/api.js";
import { download } from "../../app/share.js";
import { listShares } from "../../parts/bar.js";
import { toRequest } from "./reducers.js";

const FILES = [["glb", "3D model"], ["png", "Picture of all blocks"], ["json", "wavefold map"], ["csv", "Table of numbers"]];

/** @typedef {import("../blocks.js").BlocksView} BlocksView */

/** Items of the menu "Share". @param {BlocksView} view */
export function listBlockShares(view) {
  const code = (/** @type {string} */ kind) => () => view.guard(async () => (await post("/solves/code", toRequest(view.state)))[kind]);
  return listShares(view.shell, view.document, [["Python", code("python")], ["command", code("command")]], () => {
    const { id, name, digest } = view.session.tileset;
    return { tileset: { id, name, digest }, solve: toRequest(view.state) };
  });
}

/** Items of the menu "Export". @param {BlocksView} view @returns {import("../../parts/menu.js").Item[]} */
export function listExports(view) {
  const save = (/** @type {string} */ name, /** @type {() => Promise<Blob>} */ make) => view.guard(async () => {
    view.shell.say(`Writing ${name} …`);
    download(name, await make());
    view.shell.say(`${name} is in your downloads.`);
  });
  const files = FILES.map(([ending, text]) => ({ text, note: `.${ending}`, run: () => save(`blocks.${ending}`, async () => {
    const { id } = await post("/solves", toRequest(view.state));
    return (await request(`/solves/${id}/result.${ending}`)).blob();
  }) }));
  return [...files, { text: "This view", note: ".png", run: () => save("view.png", () => view.blocks.picture()) }];
}
