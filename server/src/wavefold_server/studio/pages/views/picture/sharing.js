/** What becomes of a picture: a tile set for other views, files and code, all of the very map on the screen. */

import { get, post, Problem, remove, request } from "../../app/api.js";
import { exportItems, makeMap } from "../../app/export.js";
import { count } from "../../app/names.js";
import { attempt, download, saveTiles, shareItems } from "../../app/share.js";
import { button } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { drawColours } from "./patterns.js";

/** @typedef {import("../picture.js").PictureView} View */

const SAMPLE = "sample.png", OWNER = "save";

/** What is on the screen. @param {View} view */
function findShown({ map: { shown } }) {
  if (shown) return shown;
  const detail = "No map has grown from this sample.", advice = "Draw something less strict.";
  throw new Problem({ title: "There is no map yet", detail, advice });
}

/** A sample as a file. @param {import("../../parts/pixels.js").Sample} sample */
function encodeSample({ width, height, palette, pixels }) {
  const canvas = new OffscreenCanvas(width, height);
  drawColours(canvas, pixels, palette);
  return canvas.convertToBlob();
}

/** The map as a request without its tile set. @param {View} view */
function findRequest(view) {
  const { settings: { width, height, wraps, seed }, isRefined } = findShown(view);
  return { topology: { width, height, wraps }, seed, refine: isRefined ? "auto" : false };
}

/** Store what is shown as a tile set on the server, without banned patterns. @param {View} view */
async function upload(view, name = view.name) {
  const { sample, settings: { symmetry, periodic, ground, ...settings } } = findShown(view);
  const without = view.map.bannedNumbers.join();
  const query = new URLSearchParams(/** @type {any} */ ({ name, n: Math.min(settings.n, sample.width, sample.height),
    symmetry, periodic, ground, ...(without ? { without } : {}) }));
  const headers = { "Content-Type": "image/png" };
  const answer = await request(`/tilesets?${query}`, { method: "POST", headers, body: await encodeSample(sample) });
  return { ...(await answer.json()), isNew: answer.status === 201 };
}

/** Remove a tile set that was only stored for a file. @param {{id: string, isNew: boolean}} stored */
function forget({ id, isNew }) {
  if (isNew) remove(`/tilesets/${id}`).catch(() => {});
}

// Other views

/** Open the very map that is shown, to be painted. @param {View} view */
export const editMap = (view) => attempt(view.shell, async () => openMap(view, (await upload(view)).id));

function openMap(/** @type {View} */ view, /** @type {string} */ tileset) {
  const { topology, ...request } = findRequest(view);
  location.hash = `#/map?${new URLSearchParams(/** @type {any} */ ({ tileset, ...topology, ...request }))}`;
}

/** A name that no tile set has yet. @param {string} name */
async function suggestName(name) {
  const { tilesets } = await get("/tilesets"), used = new Set(tilesets.map((/** @type {any} */ each) => each.name));
  let number = 1;
  while (used.has(number === 1 ? name : `${name} ${number}`)) number++;
  return number === 1 ? name : `${name} ${number}`;
}

/** Ask for a name, and save a tile set. @param {View} view */
export const askForName = (view) => attempt(view.shell, async () => {
  const { shell } = view, name = await suggestName(view.name);
  const input = h("input", { type: "text", value: name, maxlength: 200, required: true });
  const save = () => attempt(shell, async () => {
    if (!input.value.trim()) return input.focus();
    showSaved(view, await upload(view, input.value.trim()));
  });
  const form = h("form", { class: "row", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); save(); } },
    h("label", { class: "field inline" }, h("span", {}, "Name"), input), h("button", { class: "button main" }, "Save"));
  const text = "For maps, worlds and patchworks, without patterns that you have banned.";
  shell.showCard("info", "Save as tile set", text, [form], OWNER);
  input.select();
});

/** @param {View} view @param {any} set */
function showSaved(view, { id, name, worlds, certificate, pattern_count }) {
  const { shell } = view, go = (/** @type {string} */ to) =>
    (to === "map" ? openMap(view, id) : location.assign(`#/${to}?tileset=${id}`));
  const open = (/** @type {string} */ to, /** @type {string} */ title, kind = "") =>
    button(`Open in ${title}`, () => go(to), { kind, symbol: to });
  const text = `${count(pattern_count, "pattern")}. It is in the lists of tile sets from now on.`;
  shell.say(`“${name}” is saved.`);
  shell.showCard("info", `“${name}” is saved`, worlds ? text : `${text} There is no endless world of it: ${certificate.text}`,
    [open("map", "Map", "main"), ...(worlds ? [open("world", "World")] : []), open("patchwork", "Patchwork")], OWNER);
}

// Files and code

/** Items of the menu "Export". @param {View} view */
export function listExports(view) {
  const make = async () => {
    const stored = await upload(view);
    try {
      const path = await makeMap(view.shell, { tileset: stored.id, ...findRequest(view) });
      return { path, tidy: () => stored.isNew && remove(path.replace("/result.", "")).then(() => forget(stored)) };
    } catch (error) {
      forget(stored);
      throw error;
    }
  };
  const sample = { text: "Sample", note: ".png", run: async () => download(SAMPLE, await encodeSample(view.sample)) };
  return [...exportItems(view.shell, make, { name: view.fileName, hasSizes: true }), sample];
}

/** Items of the menu "Share". Code reads the sample or, if the command cannot ban patterns, the tile set. @param {View} view */
export function listShares(view) {
  const ask = () => {
    const { sample, settings, isRefined } = findShown(view);
    return post("/sketches/code", { sample, ...settings, refine: isRefined });
  };
  const saveFile = async (/** @type {string} */ name) => {
    if (name === SAMPLE) return download(name, await encodeSample(findShown(view).sample));
    const stored = await upload(view);
    try { await saveTiles(stored.id, name); } finally { forget(stored); }
  };
  return shareItems(view, ask, { saveFile });
}
