/** Passing documents on as links, files and code, and opening what others have passed on. The service packs and opens them. */

import { post, Problem, request } from "./api.js";
import { newId, saveRecent } from "./recent.js";

export const ENDING = ".wavefold", LONGEST_LINK = 8_192;

/** @typedef {import("./document.js").StudioDocument} StudioDocument */
/** @typedef {import("./shell.js").Shell} Shell */

/** Why what was opened may look different. @type {string[]} */
let changes = [];

/** The same, said once. */
export const takeChanges = () => changes.splice(0);

const pack = (/** @type {any} */ document, /** @type {string|undefined} */ tileset) => post("/documents", { document, tileset });
const unpack = (/** @type {any} */ answer) => { changes = answer.changes; return answer.document; };

/** A document as text for a link. @param {any} document @returns {Promise<string>} */
export const encodeDocument = async (document) => (await pack(document, document.beginning?.request?.tileset)).link ?? "x".repeat(LONGEST_LINK);

/** Inverse of `encodeDocument`; a tile set in it is on this server afterwards. @param {string} link @returns {Promise<any>} */
export const decodeDocument = async (link) => unpack(await post("/documents/open", { link }));

/** Open a saved file: it becomes recent work. @param {File} file */
export async function openFile(file) {
  const answer = await request("/documents/open", { method: "POST", headers: { "Content-Type": "application/json" }, body: file });
  const document = unpack(await answer.json()), id = newId();
  if (!saveRecent({ id, view: document.view, title: file.name, when: Date.now(), document }))
    throw new Problem({ title: "There is no room for it", detail: "The storage of this browser is full.", advice: "Forget some recent work on the start page." });
  location.hash = `#/${document.view}?document=${id}`;
}

/** Saved files that are dropped anywhere are opened. @param {Shell} shell */
export function listenToDrops(shell) {
  addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
  addEventListener("drop", (event) => {
    const file = [...event.dataTransfer?.files ?? []].find(({ name }) => name.endsWith(ENDING));
    event.preventDefault();
    if (!file) return;
    event.stopImmediatePropagation(); // the start page listens, too
    attempt(shell, () => openFile(file));
  });
}

/** Do something, and say in words what goes wrong. @param {Shell} shell @param {() => any} work */
export async function attempt(shell, work) {
  try {
    return await work();
  } catch (error) {
    const { message, advice = "", document } = /** @type {any} */ (error);
    shell.showCard("error", document?.title ?? "That did not work", `${message} ${advice}`);
  }
}

/** Save bytes as a file of the user's. @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Copy a text; where the browser does not allow it, show it. @param {Shell} shell @param {string} text @param {string} said */
async function copy(shell, text, said = "Copied.") {
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (isCopied) return shell.say(said);
  const area = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, rows: 6, ariaLabel: "Text to copy" });
  shell.showCard("info", "Copy this", "The browser does not let the page copy by itself.", [area]);
  area.select();
}

/** Save a document as a file. @param {StudioDocument} document @param {object} more what else is in it */
export async function saveDocument(document, more = {}) {
  const packed = await pack({ ...document.toJSON(), ...more }, document.state.request?.tileset);
  download(`${document.view}${ENDING}`, new Blob([JSON.stringify(packed.document)], { type: "application/json" }));
}

/**
 * Items of the menu "Share" of a view.
 * @param {Shell} shell
 * @param {StudioDocument} document its tile set, if it has one, is `state.request.tileset`
 * @param {[string, () => string|null|undefined|Promise<string|null|undefined>][]} codes name and text, as ["Python", toPython]; nothing: it was said why there is none
 * @param {() => object} more what a file has besides: `{ solve }`, the body of POST /solves, lets the command line make its map
 * @returns {import("../parts/menu.js").Item[]}
 */
export function shareItems(shell, document, codes = [], more = () => ({})) {
  const link = async () => {
    const { link: text, whole } = await pack(document.toJSON(), document.state.request?.tileset), address = `${location.origin}${location.pathname}#/${document.view}?open=${text}`;
    if (text) return copy(shell, address, whole ? "Link copied: it reproduces what you see." : "Link copied, for this server only. For others, save a file: it contains the tile set.");
    await saveDocument(document, more());
    shell.say("This is too long for a link, so it was saved as a file.", "warn");
  };
  const item = (/** @type {string} */ text, /** @type {() => any} */ work, /** @type {string} */ note = "") => ({ text, note, run: () => attempt(shell, work) });
  return [item("Copy link", link, "reproduces what you see"),
    ...codes.map(([name, write]) => item(`Copy as ${name}`, async () => { const text = await write(); if (text) await copy(shell, text); })),
    item("Save as file", () => saveDocument(document, more()), ENDING)];
}
