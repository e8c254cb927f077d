/** What all views with a document have: they open what the address names, save it, end when they are left, and say what goes wrong. */

import { Problem } from "./api.js";
import { toFileName, toTitle } from "./names.js";
import { findRecent, newId, saveRecent } from "./recent.js";
import { decodeDocument } from "./share.js";

/** @typedef {import("./shell.js").Shell} Shell */
/** @typedef {{id: string, document: any}} Given a document, and its name among recent work */

const PAUSE = 300; // milliseconds without a change, after which a document is saved
const SILENT = ["AbortError", "Superseded", "Disconnected"]; // ended on purpose, or said elsewhere
const GONE = { title: "This document is not in this browser", detail: "It was removed here, or made in another browser.",
  advice: "To pass work on, copy a link or save a file with “Share”." };
const FAULT = { title: "The studio has a fault here", detail: "It is not a fault of yours.", advice: "Undo what you did last, or reload the page." };

/**
 * The document that an address names: recent work, or a link whose tile set is on this server afterwards.
 * @param {URLSearchParams} address @returns {Promise<Given|null>}
 */
export async function findDocument(address) {
  const id = address.get("document"), recent = findRecent(id ?? ""), link = address.get("open");
  if (id && !recent && !link) throw new Problem(GONE);
  return recent ?? (link ? { id: newId(), document: await decodeDocument(link) } : null);
}

export class View {
  /** @param {Shell} shell @param {import("./document.js").StudioDocument} document */
  constructor(shell, document) {
    shell.signal.throwIfAborted(); // another view was asked for meanwhile
    this.shell = shell;
    this.document = document;
    this.signal = shell.signal; // aborted when the view ends
    this.id = newId();
    this._isGiven = false;
    this._saving = 0;
    document.addEventListener("change", () => this.saveLater());
    this.signal.addEventListener("abort", () => this.close());
    addEventListener("pagehide", () => this._saveNow(), { signal: this.signal });
  }

  /** Open a document, or begin one as the address says. @param {URLSearchParams} address @param {Given|null} given */
  async open(address, given) {
    this._isGiven = Boolean(given);
    if (given) this.id = given.id;
    await (given ? this.load(given.document) : this.begin(address));
  }

  /** @param {any} data of a document @returns {any} */
  load(data) { this.document.load(data); }

  /** A new document. @param {URLSearchParams} _address @returns {any} */
  begin(_address) {}

  /** End everything; called once, also while the view is being opened. */
  close() { this._saveNow(); }

  // Saving

  /** What is open, for titles and names of files. @returns {import("./names.js").Subject} */
  get subject() { return { name: this.document.view }; }

  /** What its files are called, without an ending. */
  get fileName() { return toFileName(this.subject); }

  /** What recent work shows of it; "": nothing. @returns {string} */
  takePicture() { return ""; }

  /** What an address needs to come back here, besides the document. */
  get place() { return ""; }

  /** Whether anybody has made anything: what a view begins with (commands with `isFirst`) is not work. */
  get isWorthSaving() { return this._isGiven || this.document.commands.some(({ isFirst }) => !isFirst); }

  /** Save once nothing changes any more. The address names the document from now on, so that a reload goes on from here. */
  saveLater(pause = PAUSE) {
    const { signal, isWorthSaving, place } = this;
    if (signal.aborted || !(isWorthSaving || place)) return;
    const parts = [isWorthSaving && `document=${this.id}`, place], address = `#/${this.document.view}?${parts.filter(Boolean).join("&")}`;
    if (location.hash !== address) { // browsers allow few of these a second
      history.replaceState(null, "", address);
      this.shell.rememberAddress(address);
    }
    clearTimeout(this._saving);
    if (isWorthSaving) this._saving = setTimeout(() => this._saveNow(), pause);
  }

  /** What is stored. @returns {any} */
  toJSON() { return this.document.toJSON(); }

  _saveNow() {
    if (!this._saving) return;
    clearTimeout(this._saving);
    this._saving = 0;
    const { id, document: { view }, subject } = this, entry = { id, view, title: toTitle(subject), picture: this.takePicture(), when: Date.now() };
    if (!saveRecent({ ...entry, document: this.toJSON() }))
      this.shell.say("The storage of this browser is full: a reload would lose this. Save it as a file.", "warn");
  }

  // What goes wrong

  /** Do something, and say in words what goes wrong. @param {() => any} work @param {any[]} about what `showProblem` is given besides */
  async guard(work, ...about) {
    try { return await work(); } catch (error) { this.fail(error, ...about); }
  }

  /** @param {any} error @param {any[]} about */
  fail(error, ...about) {
    if (this.signal.aborted || SILENT.includes(error.name) || error.status === 401) return;
    const isOurs = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
    if (isOurs) console.error(error);
    this.showProblem(isOurs ? new Problem(FAULT) : error, ...about);
  }

  /** @param {any} error @param {any[]} _about */
  showProblem({ message, advice = "", document }, ..._about) {
    this.shell.showCard("error", document?.title ?? "That did not work", `${message} ${advice}`);
  }
}
