/** The map that grows from the sample: another one with every stroke, and refined once the hand rests. */

import { post } from "../../app/api.js";
import { LatestQuestion } from "../../app/latest-question.js";
import { count } from "../../app/names.js";
import { button } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { drawColours } from "./patterns.js";

/** @typedef {import("../../parts/pixels.js").Sample} Sample */
/** @typedef {{sample: Sample, settings: any, isRefined: boolean}} Shown what the map on the screen was made of */

const PATIENCE = 300; // milliseconds after which a map is not waited for if the sample has changed
const REST = 500; // milliseconds after the last change, after which the map is refined
const SLOW = 300; // milliseconds after which the old map is shown as such
const RETRY = 2_000; // milliseconds until a server that was away is asked again
const FRAMES = 14; // in which a map becomes the refined one

/** In which frame a cell changes: in no order that one could see. @param {number} cell */
const findFrame = (cell) => ((Math.imul(cell, 2654435761) >>> 16) * FRAMES) / 65536;

export class GrownMap {
  /** @param {import("../picture.js").PictureView} view */
  constructor(view) {
    this._view = view;
    const { width, height } = view.settings, name = "The map grown from the sample";
    this.canvas = h("canvas", { class: "grown", role: "img", width, height, "aria-label": name });
    this.note = h("p", { class: "quiet small" });
    this.answer = /** @type {any} of the service */ (null);
    this.shown = /** @type {Shown|null} */ (null);
    this._timer = 0;
    this._refining = new AbortController();
    this._question = new LatestQuestion((/** @type {Sample} */ sample, signal) => this._grow(sample, signal), PATIENCE);
    const on = (/** @type {string} */ kind, /** @type {(event: any) => void} */ listener) =>
      this.canvas.addEventListener(kind, listener, { signal: view.signal });
    on("pointermove", (event) => this._showSource(event));
    on("pointerleave", () => view.drawing.show());
    on("click", (event) => this._offerChanges(event));
  }

  close() {
    this._stop();
    this._question.close();
  }

  /** The colours of banned patterns, as texts. */
  get banned() { return new Set(this.shown?.settings.banned.map(String)); }

  /** The numbers of banned patterns. @returns {number[]} */
  get bannedNumbers() {
    const { banned } = this;
    return [...this.answer.cells.keys()].filter((each) => banned.has(String(this.answer.cells[each])));
  }

  /** Grow a map. @param {Sample} sample */
  ask(sample) {
    this._stop();
    this._question.ask(sample);
  }

  /** Neither refine nor ask again. */
  _stop() {
    clearTimeout(this._timer);
    this._refining.abort();
  }

  async _grow(/** @type {Sample} */ sample, /** @type {AbortSignal} */ signal) {
    const { _view: view, canvas: { classList } } = this, { settings } = view, began = performance.now();
    const slow = setTimeout(() => { classList.add("old"); this.note.textContent = "growing …"; }, SLOW);
    try {
      this.answer = await post("/sketches", { sample, ...settings, refine: false }, signal);
      this.shown = { sample, settings, isRefined: false };
      this._draw();
      classList.remove("old");
      this.canvas.dataset.milliseconds = String(Math.round(performance.now() - began));
      this._describe(`${this.canvas.dataset.milliseconds} ms`);
      view.shell.closeCard();
      if (this._question.isOutdated) return;
      view.settle();
      if (settings.refine) this._timer = setTimeout(() => this._refine(), REST);
    } catch (error) {
      view.fail(error);
      if (/** @type {any} */ (error).name === "Offline") this._timer = setTimeout(() => this.ask(view.sample), RETRY);
      if (!signal.aborted) this.note.textContent = "There is no map of this sample yet.";
    } finally {
      clearTimeout(slow);
    }
  }

  async _refine() {
    const { sample, settings } = /** @type {Shown} */ (this.shown), before = this.answer;
    const { signal } = (this._refining = new AbortController());
    this._describe("refining …");
    try {
      this.answer = await post("/sketches", { sample, ...settings, refine: true }, signal);
      this.shown = { sample, settings, isRefined: true };
      this._describe("refined");
      await this._dissolve(before, signal);
      this._view.settle();
    } catch (error) {
      if (signal.aborted) return;
      this._describe("not refined");
      this._view.shell.say(`The map was not refined. ${/** @type {any} */ (error).message}`, "warn");
    }
  }

  _describe(/** @type {string} */ state) {
    const { answer: { counts: { length } }, bannedNumbers } = this, left = length - bannedNumbers.length;
    const number = bannedNumbers.length ? `${left} of ${count(length, "pattern")}` : count(length, "pattern");
    this.note.textContent = `${number} · ${state}`;
    this.canvas.dataset.refined = String(this.shown?.isRefined);
  }

  // What is shown

  /** Let a map become the one that is shown now, cell by cell. @param {any} before @param {AbortSignal} signal */
  async _dissolve(before, signal) {
    const isQuick = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden, { patterns } = this.answer;
    for (let frame = isQuick ? FRAMES : 1; frame < FRAMES && !signal.aborted; frame++) {
      this._draw(-1, patterns.map((/** @type {number} */ each, /** @type {number} */ cell) =>
        (findFrame(cell) < frame ? each : before.patterns[cell])));
      await new Promise(requestAnimationFrame);
    }
    this._draw();
  }

  /** @param {number} pattern that stands out; -1: none */
  _draw(pattern = -1, patterns = this.answer.patterns) {
    const { settings: { width, height }, sample } = /** @type {Shown} */ (this.shown), { colours } = this.answer;
    Object.assign(this.canvas, { width, height });
    const isFaint = pattern < 0 ? undefined : (/** @type {number} */ cell) => patterns[cell] !== pattern;
    drawColours(this.canvas, patterns.map((/** @type {number} */ each) => colours[each]), sample.palette, isFaint);
  }

  /** Whether the map is about another sample than the one that is drawn. */
  get _isOld() { return this.shown?.sample !== this._view.sample; }

  /** Show where a pattern is, in the sample and on the map; -1: none. @param {number} pattern */
  highlight(pattern) {
    const { windows, variants } = this.answer, { sample, drawing } = this._view;
    this._draw(pattern);
    if (this._isOld) return;
    const corners = [...windows.keys()].filter((at) => variants[windows[at]]?.includes(pattern));
    drawing.show(sample, corners.map((at) => [at % sample.width, Math.floor(at / sample.width)]));
  }

  /** The cell under the pointer and its pattern. @param {PointerEvent} event */
  _find(event) {
    const box = this.canvas.getBoundingClientRect(), { width, height } = this.canvas;
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * height);
    return { x, y, pattern: this._isOld ? undefined : this.answer?.patterns[y * width + x] };
  }

  /** Where in the sample a cell of the map comes from. @param {PointerEvent} event */
  _showSource(event) {
    const { x, y, pattern } = this._find(event), { drawing, sample, shell } = this._view;
    if (pattern === undefined) return;
    drawing.show(sample, [this.answer.sources[pattern]]);
    shell.hover(`${x}, ${y} · from the marked window, seen ${count(this.answer.counts[pattern], "time")}`);
  }

  /** What can be done about a spot of the map. @param {PointerEvent} event */
  _offerChanges(event) {
    const { pattern } = this._find(event), { _view: view } = this;
    if (pattern === undefined) return;
    const cells = this.answer.cells[pattern], side = Math.sqrt(cells.length);
    const picture = h("canvas", { class: "spot", width: side, height: side, "aria-hidden": "true" });
    drawColours(picture, cells, view.sample.palette);
    const close = (/** @type {() => void} */ work) => () => { view.shell.closeCard("spot"); work(); };
    const text = "Ban its pattern from the whole map, or paint and regrow parts of the map by hand.";
    view.shell.showCard("info", "Change this spot", text, [picture,
      button("Ban this pattern", close(() => view.ban(cells)), { kind: "main" }),
      button("Edit this map", close(() => view.edit()), { symbol: "map" })], "spot");
  }
}
