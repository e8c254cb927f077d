/** Passing documents on as links, files and code, and opening what others have passed on. The service packs and opens them. */

import { get, post, Problem, request } from "./api.js";
import { newId, saveRecent } from "./recent.js";

export const ENDING = ".wavefold";

/** What is passed on: a document of the studio, or something like it. `tileset`: the one that it needs. @typedef {{view: string, tileset?: string, toJSON: () => any}} Shareable */
/** A text to copy, and the file that it reads, if there is one. @typedef {[text: string, file?: string]} Code */
/** @typedef {import("./shell.js").Shell} Shell */

/** Why what was opened may look different. @type {string[]} */
let changes = [];

/** The same, said once. */
export const takeChanges = () => changes.splice(0);

const pack = async (/** @type {Shareable} */ document, more = {}) => post("/documents", { document: { ...(await document.toJSON()), ...more }, tileset: document.tileset });
const unpack = (/** @type {any} */ answer) => { changes = answer.changes; return answer.document; };

/** The document in a link; a tile set in it is on this server afterwards. @param {string} link @returns {Promise<any>} */
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
    const { name, message, advice = "", document } = /** @type {any} */ (error);
    if (name === "AbortError") return;
    const title = document?.title ?? "That did not work";
    shell.say(title, "error");
    shell.showCard("error", title, `${message} ${advice}`);
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

/** Copy a text; where the browser does not allow it, show it. @param {Shell} shell @param {string} text @param {string} said @param {string} [file] that it reads */
export async function copy(shell, text, said = "Copied.", file) {
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false), note = file ? `It reads ${file}, which is in your downloads. ` : "";
  if (isCopied) shell.say(said);
  if (isCopied && note) shell.showCard("info", "A file belongs to it", note);
  if (isCopied) return;
  const area = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, rows: 6, ariaLabel: "Text to copy" });
  shell.showCard("info", "Copy this", `${note}The browser does not let the page copy by itself.`, [area]);
  area.select();
}

/** Save a document as a file. @param {Shareable} document @param {object} more what else is in it */
export async function saveDocument(document, more = {}, name = `${document.view}${ENDING}`) {
  download(name, new Blob([JSON.stringify((await pack(document, more)).document)], { type: "application/json" }));
}

/** Save the files of a tile set. @param {string} id @param {string} name of the file */
export const saveTiles = async (id, name) => download(name, await (await request(`/tilesets/${encodeURIComponent(id)}/tiles.zip`)).blob());

/** Code about a tile set; one of one's own is saved as a file, which the code reads. @param {string} id @param {(source: string) => string} write @returns {Promise<Code>} */
export async function writeCode(id, write) {
  const { origin, name } = await get(`/tilesets/${encodeURIComponent(id)}`);
  if (origin === "bundled") return [write(id)];
  const file = `${name.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").toLowerCase() || "tiles"}.zip`;
  const text = write(file); // first: it may be refused
  await saveTiles(id, file);
  return [text, file];
}

/**
 * Items of the menu "Share" of a view.
 * @param {Shell} shell @param {Shareable} document
 * @param {[name: string, write: () => Code|Promise<Code>][]} codes as ["Python", toPython]
 * @param {{more?: () => object, where?: () => string, onlyHere?: string}} options `more` is what a file has besides: `{ solve }`, the body of POST /solves, lets the command line make its map;
 *   `where` is what a link has besides, as `at=3,4&`; `onlyHere` says why another server cannot show it
 * @returns {import("../parts/menu.js").Item[]}
 */
export function shareItems(shell, document, codes = [], { more = () => ({}), where = () => "", onlyHere = "" } = {}) {
  const save = async (reason = "Saved") => {
    await saveDocument(document, more());
    shell.say(onlyHere ? `${reason}, for this server only: ${onlyHere}` : `${reason}. Drop the file on any page of the studio to open it.`, onlyHere ? "warn" : "");
  };
  const link = async () => {
    const { link: text, whole } = await pack(document);
    if (!text) return save("This is too long for a link, so it was saved as a file");
    const said = onlyHere ? `Link copied, for this server only: ${onlyHere}` : whole ? "Link copied: it reproduces what you see." : "Link copied, for this server only. For others, save a file: it contains the tile set.";
    await copy(shell, `${location.origin}${location.pathname}#/${document.view}?${where()}open=${text}`, said);
  };
  const item = (/** @type {string} */ text, /** @type {() => any} */ work, /** @type {string} */ note = "") => ({ text, note, run: () => attempt(shell, work) });
  return [item("Copy link", link, onlyHere ? "for this server" : "reproduces what you see"),
    ...codes.map(([name, write]) => item(`Copy as ${name}`, async () => { const [text, file] = await write(); await copy(shell, text, "Copied.", file); })),
    item("Save as file", () => save(), ENDING)];
}
