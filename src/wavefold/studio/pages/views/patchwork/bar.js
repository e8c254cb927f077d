/** The bar and the keys of the patchwork view, and its files. */

import { request } from "../../app/api.js";
import { download } from "../../app/share.js";
import { divider, listShares, menuButton, spring, undoButtons, undoKeys } from "../../parts/bar.js";
import { button, choice, numberField } from "../../parts/controls.js";
import { fill } from "../../parts/element.js";
import { pair } from "./plan.js";
import { toCommand, toPython } from "./steps.js";

const EXPORTS = [["picture.png", "Picture with marks"], ["map.png", "Picture"], ["map.tmx.zip", "Tiled map"], ["map.ldtk.zip", "LDtk project"], ["map.tscn.zip", "Godot scene"],
  ["map.json", "wavefold map"], ["map.csv", "Table of numbers"], ["map.svg", "Vector picture"]];
const LARGEST = 24; // radius of a piece

/** @param {import("../patchwork.js").PatchworkView} view */
export function showBar(view) {
  const { document, shell, state: { request: now } } = view;
  fill(shell.bar,
    choice("Tiles", view.tilesets.map(({ id, name }) => [id, name]), now.tileset, (tileset) => view.set({ tileset }), true),
    numberField("Seed", now.seed, (seed) => view.set({ seed }), { isInline: true }),
    button("Another seed", () => view.set({ seed: now.seed + 1 }), { symbol: "dice", isIconOnly: true, key: "S" }),
    numberField("Size", now.radius, (radius) => view.set({ radius }), { min: 2, max: LARGEST, isInline: true }), divider(),
    button("Grow all around", () => view.grow(view.look.next), { symbol: "patchwork", key: "G", kind: "main" }), view.stopButton, divider(),
    ...undoButtons(document), spring(),
    button("Whole map", () => view.board.fit(), { symbol: "fit", isIconOnly: true, key: "0" }),
    menuButton("Share", "share", () => listShares(shell, document, [["Python", () => toPython(view.state)], ["command", () => toCommand(view.state)]])),
    menuButton("Export", "export", () => EXPORTS.filter(([name]) => !view.plan.isHex || !name.includes("ldtk")).map(([name, text]) => ({ text, note: name.replace(/^[^.]*/, ""), run: () => exportFile(view, name) }))));
}

/** @param {import("../patchwork.js").PatchworkView} view @param {string} name */
function exportFile(view, name) {
  const { changed, dropped, outlines } = view.board.shows, query = name === "picture.png" ? `?marks=${changed || dropped}&outlines=${outlines}` : "", saved = name.replace(/^[^.]*/, "patchwork");
  return view.run(`Writing ${saved}`, async (signal) => {
    await view.mirror.follow(view.state, signal);
    download(saved, await (await request(`/patchworks/${view.mirror.id}/${name}${query}`, { signal })).blob());
    view.shell.say(`${saved} is in your downloads.`);
  });
}

/** @param {import("../patchwork.js").PatchworkView} view @returns {import("../../app/keyboard.js").Shortcut[]} */
export function listShortcuts(view) {
  const zoom = (/** @type {number} */ direction) => () => { view.board.camera.step(direction, view.canvas.width / 2, view.canvas.height / 2); view.board.draw(); };
  return [
    { key: "ArrowRight or ArrowDown", does: "choose the next placeholder", run: () => view.hands.choose(1) }, { key: "ArrowLeft or ArrowUp", does: "choose the one before", run: () => view.hands.choose(-1) },
    { key: "Enter", does: "grow the chosen piece, or rebuild its middle", run: () => { if (view.hands.key) view.hands.press(...view.board.shape(pair(view.hands.key))[0]); } },
    { key: "G", does: "grow all around", run: () => view.grow(view.look.next) }, { key: "Escape", does: "stop", run: () => view.stop() },
    { key: "R", does: "rebuild a disk, or not", run: () => view.switchTool() },
    { key: "S", does: "another seed", run: () => view.set({ seed: view.state.request.seed + 1 }) }, { key: "C", does: "compare the joins", run: () => view.compare() },
    { key: "+ or =", does: "zoom in", run: zoom(1) }, { key: "-", does: "zoom out", run: zoom(-1) }, { key: "0", does: "show the whole map", run: () => view.board.fit() },
    ...undoKeys(view.document),
  ];
}
