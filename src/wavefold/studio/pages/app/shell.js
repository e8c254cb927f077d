/** The frame around every view: rail, bar, stage, timeline, inspector and status line. */

import { button } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { icon } from "../parts/icons.js";

const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.querySelector(`.${name}`));

export class Shell {
  constructor() {
    this.rail = find("rail");
    this.bar = find("bar");
    this.stage = find("stage");
    this.timeline = find("timeline");
    this.inspector = find("inspector");
    this.canWrite = true; // what the key of this browser allows; known when `session` is
    this.session = /** @type {Promise<void>|null} */ (null);
    this._message = find("status").querySelector(".message");
    this._hover = find("status").querySelector(".hover");
    this._title = h("h1", { class: "unseen" });
    find("skip").addEventListener("click", (event) => { event.preventDefault(); this.stage.focus(); }); // the address names views
  }

  /** Links to the views, and what is everywhere. @param {{name: string, title: string}[]} views @param {() => void} showKeys */
  showViews(views, showKeys) {
    const links = views.map(({ name, title }) => h("a", { href: `#/${name}`, "data-view": name }, icon(name), title));
    const theme = h("button", { type: "button", onclick: switchTheme }, icon("theme"), "Theme");
    const keys = h("button", { type: "button", onclick: showKeys, "aria-keyshortcuts": "?" }, icon("help"), "Keys");
    fill(this.rail, this._title, ...links, h("span", { class: "spring" }), theme, keys);
  }

  /** A way out for those who came in with a key. @param {() => void} run */
  offerSignOut(run) {
    if (!this.rail.querySelector(".sign-out")) this.rail.append(h("button", { type: "button", class: "sign-out", onclick: run }, icon("lock"), "Sign out"));
  }

  /** Mark a view as the open one and empty the frame for it. @param {string} name @param {string} title */
  clear(name, title) {
    for (const link of this.rail.querySelectorAll("a")) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    for (const part of [this.bar, this.stage, this.timeline, this.inspector]) part.replaceChildren();
    this._title.textContent = title;
    document.title = `${title} – wavefold studio`;
    this.say("");
    this.hover("");
  }

  /** What just happened, in words. @param {string} text @param {""|"warn"|"error"} kind */
  say(text, kind = "") {
    fill(/** @type {Element} */ (this._message), h("span", { "data-kind": kind }, text));
  }

  /** What is under the cursor. @param {string} text */
  hover(text) {
    /** @type {Element} */ (this._hover).textContent = text;
  }

  /** A card in a corner of the stage, until it is closed or replaced. @param {string} kind @param {string} title @param {string} text @param {Node[]} actions */
  showCard(kind, title, text, actions = []) {
    this.closeCard();
    if (this.stage.querySelector(".key-page")) return; // nothing works without a key
    const close = button("Close", () => this.closeCard(), { symbol: "close", isIconOnly: true, kind: "plain" });
    const head = h("div", { class: "row" }, h("h2", { class: "grow" }, title), close);
    this.stage.append(h("div", { class: `card ${kind}`, role: kind === "error" ? "alert" : "group", "aria-label": title },
      head, h("p", {}, text), actions.length ? h("div", { class: "row" }, ...actions) : null));
  }

  closeCard() {
    this.stage.querySelector(".card")?.remove();
  }
}

function switchTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", next);
  document.documentElement.dataset.theme = next;
  dispatchEvent(new Event("theme"));
}
