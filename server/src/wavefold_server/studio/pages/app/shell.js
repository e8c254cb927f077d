/** The frame around every view: rail, bar, stage, timeline, inspector and status line. */

import { button } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { icon } from "../parts/icons.js";
import { addShortcut } from "./keyboard.js";

const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.querySelector(`.${name}`));
const PARTS = /** @type {const} */ (["bar", "stage", "timeline", "inspector"]); // which every view has for itself

const READING_MS = 4_000;
const CORNERS = ["bottom right", "top right", "bottom left", "top left"];
const ADDRESS = "wavefold:address:"; // of what was open last in a view, in this tab

export class Shell {
  constructor() {
    this.rail = find("rail");
    this.bar = find("bar");
    this.stage = find("stage");
    this.timeline = find("timeline");
    this.inspector = find("inspector");
    this._empty = PARTS.map((part) => this[part].cloneNode());
    this._closing = new AbortController();
    this.canWrite = true; // what the key of this browser allows; known when `session` is
    this.session = /** @type {Promise<void>|null} */ (null);
    this._message = find("status").querySelector(".message");
    this._hover = find("status").querySelector(".hover");
    this._announcement = find("status").querySelector(".announcement");
    this._title = h("h1", { class: "unseen" });
    this._fold = button("Tools", () => this.showInspector(document.body.classList.contains("no-inspector")),
      { symbol: "panel", kind: "plain fold", key: "H" });
    find("status").append(this._fold);
    const chosen = localStorage.getItem("inspector"), isLow = matchMedia("(max-height: 500px)").matches;
    this.showInspector(chosen ? chosen === "open" : !isLow, false);
    addShortcut({ key: "H", does: "show or hide the tools beside the map", run: () => this._fold.click() });
    this._until = 0; // when a notice has been read, in milliseconds
    addEventListener("notice", (event) => { // of a field; "": what was wrong is right now
      const { detail } = /** @type {CustomEvent} */ (event);
      if (!detail && !this._until) return;
      this.say(detail, "warn");
      this._until = detail ? performance.now() + READING_MS : 0;
    });
    find("skip").addEventListener("click", (event) => { // the address names views
      event.preventDefault();
      /** @type {HTMLElement} */ (this.stage.querySelector("canvas[tabindex]") ?? this.stage).focus();
    });
  }

  /** Links to the views, and what is everywhere. @param {{name: string, title: string}[]} views @param {() => void} showKeys */
  showViews(views, showKeys) {
    const links = views.map(({ name, title }) =>
      h("a", { href: sessionStorage.getItem(ADDRESS + name) ?? `#/${name}`, "data-view": name }, icon(name), title));
    const theme = h("button", { type: "button", onclick: switchTheme }, icon("theme"), "Theme");
    const keys = h("button", { type: "button", onclick: showKeys, "aria-keyshortcuts": "?" }, icon("help"), "Keys");
    fill(this.rail, this._title, ...links, h("span", { class: "spring" }), theme, keys);
  }

  /** Let the rail lead back to what is open in a view. @param {string} address as #/map?document=… */
  rememberAddress(address) {
    const name = address.split(/[/?]/)[1], link = this.rail.querySelector(`a[data-view="${name}"]`);
    link?.setAttribute("href", address);
    sessionStorage.setItem(ADDRESS + name, address);
  }

  /**
   * Have the tools beside the map, or the whole room for the map.
   * @param {boolean} isOpen @param {boolean} isChosen by somebody, so that it is remembered
   */
  showInspector(isOpen, isChosen = true) {
    if (!isOpen && this.inspector.contains(document.activeElement)) this._fold.focus();
    document.body.classList.toggle("no-inspector", !isOpen);
    this._fold.setAttribute("aria-expanded", String(isOpen));
    if (isChosen) localStorage.setItem("inspector", isOpen ? "open" : "closed");
  }

  /** A way out for those who came in with a key. @param {(anchor: HTMLElement) => void} run */
  offerSignOut(run) {
    if (this.rail.querySelector(".sign-out")) return;
    const made = h("button", { type: "button", class: "sign-out", onclick: () => run(made) }, icon("lock"), "Sign out");
    this.rail.append(made);
  }

  /**
   * Close the view that is open, and make room for another: the same shell, with parts of its own. What a view does
   * too late happens in parts that nobody sees.
   * @param {string} name @param {string} title @returns {Shell}
   */
  open(name, title) {
    this._closing.abort();
    for (const link of this.rail.querySelectorAll("a")) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    this._title.textContent = title;
    document.title = `${title} – wavefold studio`;
    PARTS.forEach((part, index) => {
      const empty = /** @type {HTMLElement} */ (this._empty[index].cloneNode());
      this[part].replaceWith(empty);
      this[part] = empty;
    });
    this._closing = new AbortController();
    this.stage.append(h("p", { class: "opening" }, `Opening ${title} …`));
    this._until = 0;
    this.say("");
    this.hover("");
    const { bar, stage, timeline, inspector, _closing } = this;
    return Object.assign(Object.create(this), { bar, stage, timeline, inspector, _closing });
  }

  /** Aborted when the view is left, or could not be opened. */
  get signal() { return this._closing.signal; }

  /** The view shows something: it need not say any more that it opens. */
  finishOpening() { this.stage.querySelector(".opening")?.remove(); }

  /** End all that the view does; what it shows stays. */
  close() { this._closing.abort(); }

  /** What just happened, in words. @param {string} text @param {""|"warn"|"error"} kind @param {Element|null} action as a button that undoes it */
  say(text, kind = "", action = null) {
    if (!this.stage.isConnected || (!kind && performance.now() < this._until)) return; // of a view that was left, or too soon
    if (text) this.finishOpening();
    fill(/** @type {Element} */ (this._message), h("span", { "data-kind": kind }, text), action ?? "");
  }

  /** What just happened, and a way back. @param {string} text @param {() => void} undo */
  offerUndo(text, undo) {
    this.say(text, "", button("Undo", () => { this.say(""); undo(); }, { kind: "plain" }));
  }

  /** What is under the cursor. @param {string} text */
  hover(text) {
    if (!this.stage.isConnected) return;
    /** @type {Element} */ (this._hover).textContent = text;
  }

  /** As `hover`, where keys have moved the cursor: screen readers say it. @param {string} text */
  announce(text) {
    this.hover(text);
    if (this.stage.isConnected) /** @type {Element} */ (this._announcement).textContent = text;
  }

  /**
   * A card in a corner of the stage, until it is closed or replaced by one of the same owner.
   * @param {string} kind @param {string} title @param {string} text @param {Node[]} actions
   * @param {string} owner "view", or "notice": what a view neither closes nor replaces
   */
  showCard(kind, title, text, actions = [], owner = "view") {
    this.closeCard(owner);
    this.finishOpening();
    const close = button("Close", () => this.closeCard(owner), { symbol: "close", isIconOnly: true, kind: "plain" });
    const head = h("div", { class: "row" }, h("h2", { class: "grow" }, title), close);
    const about = { class: `card ${kind}`, role: kind === "error" ? "alert" : "group", "aria-label": title, "data-owner": owner };
    this.stage.append(h("div", about, head, h("p", {}, text), actions.length ? h("div", { class: "row" }, ...actions) : null));
  }

  /** Put the card where it hides least of what it is about. @param {(x: number, y: number) => boolean} isAbout a point of the page */
  uncover(isAbout) {
    const card = /** @type {HTMLElement|null} */ (this.stage.querySelector(".card[data-owner=view]"));
    if (!card) return;
    const hidden = CORNERS.map((corner) => {
      card.dataset.corner = corner;
      return countPoints(card.getBoundingClientRect(), isAbout);
    });
    card.dataset.corner = CORNERS[hidden.indexOf(Math.min(...hidden))];
  }

  closeCard(owner = "view") {
    this.stage.querySelector(`.card[data-owner=${owner}]`)?.remove();
  }
}

/** @param {DOMRect} box @param {(x: number, y: number) => boolean} isAbout */
function countPoints({ left, top, right, bottom }, isAbout) {
  let count = 0;
  for (let y = top; y < bottom; y += 6) for (let x = left; x < right; x += 6) count += Number(isAbout(x, y));
  return count;
}

function switchTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", next);
  document.documentElement.dataset.theme = next;
  dispatchEvent(new Event("theme"));
}
