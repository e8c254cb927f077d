/** The bar and the keys of the patchwork view, and its menus. */

import { post, Problem } from "../../app/api.js";
import { exportItems } from "../../app/export.js";
import { forCanvas } from "../../app/keyboard.js";
import { shareItems } from "../../app/share.js";
import { nameTilesets } from "../../app/tilesets.js";
import { divider, menuButton, spring, undoButtons, undoKeys } from "../../parts/bar.js";
import { button, choice, numberField } from "../../parts/controls.js";
import { fill } from "../../parts/element.js";
import { pair } from "./plan.js";
import { ONLY_HERE } from "./steps.js";

const LARGEST = 24; // radius of a piece

/** @param {import("../patchwork.js").PatchworkView} view */
export function showPatchworkBar(view) {
  const { document, shell, state: { request: now } } = view;
  fill(shell.bar,
    choice("Tiles", nameTilesets(view.tilesets), now.tileset, (tileset) => view.set({ tileset }), true),
    numberField("Seed", now.seed, (seed) => view.set({ seed }), { isInline: true }),
    button("Another seed", () => view.set({ seed: now.seed + 1 }), { symbol: "dice", isIconOnly: true, key: "S" }),
    numberField("Size", now.radius, (radius) => view.set({ radius }), { min: 2, max: LARGEST, isInline: true }), divider(),
    button("Grow all around", () => view.growth.growAround(), { symbol: "add", key: "G", kind: "main" }),
    view.growth.stopButton, divider(),
    ...undoButtons(document), spring(),
    button("Whole map", () => view.board.fit(), { symbol: "fit", isIconOnly: true, key: "0" }),
    menuButton("Share", "share", () => listPatchworkShares(view)),
    menuButton("Export", "export", () => listPatchworkExports(view)));
}

/** @param {import("../patchwork.js").PatchworkView} view */
function listPatchworkShares(view) {
  const { from, request, steps } = view.state;
  const ask = async () => {
    if (!from) return post("/patchworks/code", { ...request, steps });
    throw new Problem({ title: "There is no code for this", detail: `It cannot be made again elsewhere: ${ONLY_HERE}`,
      advice: "Export the map instead." });
  };
  return shareItems(view, ask, { onlyHere: from ? ONLY_HERE : "" });
}

/** @param {import("../patchwork.js").PatchworkView} view */
function listPatchworkExports(view) {
  const { shell, board: { shows: { changed, dropped, outlines } }, plan: { topology } } = view;
  const options = { name: view.fileName, topology, isSolve: false };
  const run = (/** @type {(signal?: AbortSignal) => Promise<any>} */ work) => view.growth.run("Writing the map", work);
  const make = (/** @type {string} */ file, query = "") => async (/** @type {AbortSignal|undefined} */ signal) => {
    await view.mirror.follow(view.state, signal);
    return { path: `/patchworks/${view.mirror.id}/${file}.`, query };
  };
  const [marked] = exportItems(shell, make("picture", `?marks=${changed || dropped}&outlines=${outlines}`), { ...options, run });
  return [{ ...marked, text: "Picture with marks" }, ...exportItems(shell, make("map"), { ...options, run })];
}

/** @param {import("../patchwork.js").PatchworkView} view @returns {import("../../app/keyboard.js").Shortcut[]} */
export function listPatchworkShortcuts(view) {
  const { growth, hands } = view, zoom = (/** @type {number} */ direction) => () => {
    view.board.camera.step(direction, view.canvas.width / 2, view.canvas.height / 2);
    view.board.draw();
  };
  return [
    ...forCanvas(() => view.canvas, [
      { key: "ArrowRight or ArrowDown", does: "choose the next placeholder", run: () => hands.choose(1) },
      { key: "ArrowLeft or ArrowUp", does: "choose the one before", run: () => hands.choose(-1) },
      { key: "Enter", does: "grow the chosen piece, or rebuild its middle",
        run: () => { if (hands.key) hands.press(...view.board.shape(pair(hands.key))[0]); } },
    ]),
    { key: "G", does: "grow all around", run: () => growth.growAround() },
    { key: "Escape", does: "leave the comparison, stop, or put the tool away", run: () => view.leave() },
    { key: "R", does: "rebuild a disk, or not", run: () => view.switchTool() },
    { key: "S", does: "another seed", run: () => view.set({ seed: view.state.request.seed + 1 }) },
    { key: "C", does: "compare the joins", run: () => view.compare() },
    { key: "+ or =", does: "zoom in", run: zoom(1) }, { key: "-", does: "zoom out", run: zoom(-1) },
    { key: "0", does: "show the whole map", run: () => view.board.fit() },
    ...undoKeys(view.document),
  ];
}
