/** Passing documents on as links, files and code, and opening what others have passed on. The service packs and opens them. */

import { h } from "../parts/element.js";
import { post, Problem, request } from "./api.js";
import { newId, saveRecent } from "./recent.js";

export const ENDING = ".wavefold";
const FULL = { title: "There is no room for it", detail: "The storage of this browser is full.",
  advice: "Remove some recent work on the start page." };
const NO_COMMAND = { title: "There is no command for this", detail: "The options of the command line cannot say all of it.",
  advice: "Copy it as Python." };

/** What is passed on: a document of the studio, or something like it. `tileset`: the one that it needs. */
/** @typedef {{view: string, tileset?: string, toJSON: () => any}} Shareable */
/** What is open, and what its files are called, without an ending. @typedef {{shell: Shell, document: Shareable, fileName: string}} Sharer */
/** @typedef {import("./shell.js").Shell} Shell */

/** Why what was opened may look different. @type {string[]} */
let changes = [];

/** The same, said once. */
export const takeChanges = () => changes.splice(0);

const pack = async (/** @type {Shareable} */ document, more = {}) =>
  post("/documents", { document: { ...(await document.toJSON()), ...more }, tileset: document.tileset });
const unpack = (/** @type {any} */ answer) => { changes = answer.changes; return answer.document; };

/** The document in a link; a tile set in it is on this server afterwards. @param {string} link @returns {Promise<any>} */
export const decodeDocument = async (link) => unpack(await post("/documents/open", { link }));

/** Open a saved file: it becomes recent work. @param {File} file */
export async function openFile(file) {
  const answer = await request("/documents/open", { method: "POST", headers: { "Content-Type": "application/json" }, body: file });
  const document = unpack(await answer.json()), id = newId();
  if (!saveRecent({ id, view: document.view, title: file.name, when: Date.now(), document })) throw new Problem(FULL);
  location.hash = `#/${document.view}?document=${id}`;
}

/** The card of the last attempt that failed. @type {Element|null} */
let failure = null;

/** Do something, and say in words what goes wrong. @param {Shell} shell @param {() => any} work */
export async function attempt(shell, work) {
  failure?.remove();
  try {
    return await work();
  } catch (error) {
    const { name, message, advice = "", document } = /** @type {any} */ (error);
    if (name === "AbortError") return;
    const title = document?.title ?? "That did not work";
    shell.say(title, "error");
    shell.showCard("error", title, `${message} ${advice}`);
    failure = shell.stage.querySelector(".card.error[data-owner=view]");
  }
}

/** Save bytes as a file of the user's. @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/**
 * Copy a text; where the browser does not allow it, show it.
 * @param {Shell} shell @param {string} text @param {string} said @param {string} [file] that it reads
 */
export async function copy(shell, text, said = "Copied.", file) {
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  const note = file ? `It reads ${file}, which was saved in your downloads: run it in that folder. ` : "";
  if (isCopied) {
    if (note) shell.showCard("info", "Copied, and a file was saved", note);
    return shell.say(file ? `${said} ${file} was saved in your downloads.` : said);
  }
  const area = h("textarea", { readonly: true, rows: 6, "aria-label": "Text to copy" }, text);
  shell.showCard("info", "Copy this", `${note}The browser does not let the page copy by itself.`, [area]);
  area.select();
}

/** Save a document as a file. @param {Shareable} document @param {object} more what else is in it @param {string} name */
async function saveDocument(document, more, name) {
  download(name, new Blob([JSON.stringify((await pack(document, more)).document)], { type: "application/json" }));
}

/** Save the files of a tile set. @param {string} id @param {string} name of the file */
export async function saveTiles(id, name) {
  download(name, await (await request(`/tilesets/${encodeURIComponent(id)}/tiles.zip`)).blob());
}

/**
 * Copy what is shown as code. The service writes it, and names the file that it reads, which goes into the downloads.
 * @param {Shell} shell @param {"python"|"command"|"comparison"} kind @param {() => Promise<any>} ask the answer of a route "…/code"
 * @param {(name: string) => any} saveFile
 */
export async function copyCode(shell, kind, ask, saveFile, said = "Copied.") {
  const answer = await ask(), text = answer[kind], file = answer[`${kind}_needs`];
  if (!text) throw new Problem(NO_COMMAND);
  if (file) await saveFile(file);
  await copy(shell, text, said, file);
}

/**
 * Items of the menu "Share" of a view.
 * @param {Sharer} sharer @param {() => Promise<any>} ask for it as code: the answer of a route "…/code" of the service
 * @param {{more?: () => object, where?: () => string, onlyHere?: string, saveFile?: (name: string) => any}} options
 *   `more` is what a file has besides: `{ solve }`, the body of POST /solves, lets the command line make its map;
 *   `where` is what a link has besides, as `at=3,4&`; `onlyHere` says why another server cannot show it;
 *   `saveFile` saves the file that code reads, if that is neither the document nor its tile set
 * @returns {import("../parts/menu.js").Item[]}
 */
export function shareItems({ shell, document, fileName }, ask, { more = () => ({}), where = () => "", onlyHere = "", saveFile } = {}) {
  const save = async (reason = "Saved") => {
    await saveDocument(document, more(), fileName + ENDING);
    const said = onlyHere ? `, for this server only: ${onlyHere}` : ". Drop the file on any page of the studio to open it.";
    shell.say(`${reason}${said}`, onlyHere ? "warn" : "");
  };
  const link = async () => {
    const { link: text, whole } = await pack(document);
    if (!text) return save("This is too long for a link, so it was saved as a file");
    const said = onlyHere ? `Link copied, for this server only: ${onlyHere}` : whole ? "Link copied: it reproduces what you see."
      : "Link copied, for this server only. For others, save a file: it contains the tile set.";
    await copy(shell, `${location.origin}${location.pathname}#/${document.view}?${where()}open=${text}`, said);
  };
  const saveNeeded = (/** @type {string} */ name) =>
    (name.endsWith(ENDING) ? saveDocument(document, more(), name) : saveTiles(document.tileset ?? "", name));
  const item = (/** @type {string} */ text, /** @type {() => any} */ work, note = "") => ({ text, note, run: () => attempt(shell, work) });
  const code = (/** @type {"python"|"command"} */ kind) => () => copyCode(shell, kind, ask, saveFile ?? saveNeeded);
  return [item("Copy link", link, onlyHere ? "for this server" : "reproduces what you see"),
    item("Copy as Python", code("python")), item("Copy as command", code("command")),
    item("Save as file", () => save(), ENDING)];
}
