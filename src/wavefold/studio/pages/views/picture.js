/** Picture: draw a sample pixel by pixel; the map grown from it changes with every stroke. */

import { post, remove, request } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { exportItems, makeMap } from "../app/export.js";
import { setShortcuts } from "../app/keyboard.js";
import { LatestQuestion } from "../app/latest-question.js";
import { thumbnail } from "../app/recent.js";
import { attempt, download, shareItems } from "../app/share.js";
import { findDocument, View } from "../app/view.js";
import { divider, menuButton, spring, undoButtons, undoKeys } from "../parts/bar.js";
import { button } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { Brush, flood, paint } from "../parts/pixels.js";
import { cleanUp, readImage } from "./picture/import.js";
import { fillPatterns, showPanel } from "./picture/panel.js";
import { drawColours } from "./picture/patterns.js";
import { firstSample, resize } from "./picture/sample.js";

/** @typedef {import("../parts/pixels.js").Sample} Sample */

const SETTINGS = { n: 3, symmetry: "auto", periodic: true, ground: false, width: 48, height: 48, wraps: false, seed: 7, banned: [] };
const PATIENCE = 300; // milliseconds after which a map is not waited for if the sample has changed
const reducers = /** @type {Record<string, (state: any, command: any) => any>} */ ({
  set: (state, { key, value }) => ({ ...state, settings: { ...state.settings, ...(key === "size" ? { width: value, height: value } : { [key]: value }) } }),
  paint: (state, { cells, colour }) => ({ ...state, sample: paint(state.sample, cells.map((/** @type {number} */ cell) => [cell % state.sample.width, Math.floor(cell / state.sample.width)]), colour) }),
  fill: (state, { x, y, colour }) => ({ ...state, sample: flood(state.sample, x, y, colour) }),
  colour: (state, { colour }) => ({ ...state, sample: { ...state.sample, palette: [...state.sample.palette, colour] } }),
  resize: (state, { width, height }) => ({ ...state, sample: resize(state.sample, width, height) }),
  sample: (state, { sample, periodic }) => ({ sample, settings: periodic === undefined ? state.settings : { ...state.settings, periodic, banned: [] } }),
});

/** Whether a state has all that is drawn. @param {any} state */
const isPicture = ({ sample: { width, height, palette, pixels }, settings }) => settings && Array.isArray(palette) && pixels.length === width * height && pixels.every((/** @type {number} */ each) => each in palette);

/** A picture from elsewhere, until the view opens. @type {ImageData|null} */
let remembered = null;

/** @param {File} file @returns {Promise<string>} the address of the view */
export async function rememberPicture(file) {
  remembered = await readImage(file);
  return `imported=${Date.now()}`;
}

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const given = await findDocument(address);
  await new PictureView(shell).open(address, given);
}

export class PictureView extends View {
  /** @param {import("../app/shell.js").Shell} shell */
  constructor(shell) {
    super(shell, new StudioDocument("picture", { sample: firstSample(), settings: SETTINGS }, reducers, isPicture));
    this.brush = new Brush(() => this.showPanel());
    this.showsPatterns = false;
    this.answer = /** @type {any} of the service */ (null);
    this.document.addEventListener("change", () => this._changed());
    this.drawing = h("canvas", { class: "sample", tabindex: 0, role: "application", "aria-label": "Sample: draw with the pointer, or move with arrow keys and press Enter" });
    this.grown = h("canvas", { class: "grown", role: "img", "aria-label": "The map grown from the sample" });
    this.note = h("p", { class: "quiet small" });
    this.shown = /** @type {any} */ (null); // the sample and settings that `answer` is about
    this._question = new LatestQuestion((/** @type {Sample} */ sample, signal) => this._grow(sample, signal), PATIENCE);
    this._patterns = /** @type {HTMLElement|null} */ (null);
    shell.stage.append(h("div", { class: "page picture" },
      h("figure", {}, this.drawing, h("figcaption", {}, "Your sample: draw here")),
      h("figure", {}, this.grown, h("figcaption", {}, "The map grown from it", this.note,
        button("Edit this map", () => this._keep("map"), { symbol: "map" })))));
    const { signal } = this;
    this._listen(signal);
    this.grown.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this._showSource(event), { signal });
    this.grown.addEventListener("click", () => shell.say("To change a part of this map, press “Edit this map”."), { signal });
    this.grown.addEventListener("pointerleave", () => this.drawSample(this.sample), { signal });
    setShortcuts(this._shortcuts());
  }

  begin() {
    this._changed();
    if (remembered) this.take(remembered);
    remembered = null;
  }

  get sample() { return /** @type {Sample} */ (this.document.state.sample); }
  get settings() { return { ...SETTINGS, ...this.document.state.settings }; }

  close() {
    super.close();
    this._question.close();
  }

  /** Use a picture from elsewhere. @param {ImageData} image */
  take(image) {
    this.brush.colour = 0;
    cleanUp(this.shell, image, (sample) => this.document.apply({ do: "sample", sample, periodic: false }));
  }

  /** @param {string} key of the settings, or "size" @param {any} value */
  set(key, value) {
    this.document.apply({ do: "set", key, value });
  }

  addColour(/** @type {string} */ colour) {
    this.brush.colour = this.sample.palette.length;
    this.document.apply({ do: "colour", colour: colour.toLowerCase() });
  }

  _changed() {
    this._showBar();
    this.showPanel();
    this.drawSample(this.sample);
    this._question.ask(this.sample);
  }

  async _grow(/** @type {Sample} */ sample, /** @type {AbortSignal} */ signal) {
    const { settings } = this, began = performance.now();
    try {
      this.answer = await post("/sketches", { sample, ...settings }, signal);
      this.shown = { sample, settings };
      this._drawMap();
      this.grown.dataset.milliseconds = String(Math.round(performance.now() - began));
      this.note.textContent = `${this.answer.counts.length} patterns · ${this.grown.dataset.milliseconds} ms`;
      this.shell.closeCard();
      if (!this._question.isOutdated) this._settle();
    } catch (error) {
      this.fail(error);
    }
  }

  /** What need not be done while a stroke goes on. */
  _settle() {
    this.showPatterns();
    this.saveLater();
  }

  get subject() { return { name: "Picture", size: [this.settings.width, this.settings.height], seed: this.settings.seed }; }
  takePicture() { return thumbnail(this.grown); }

  showProblem(/** @type {any} */ problem) {
    const actions = [button("Another seed", () => this.set("seed", this.settings.seed + 1), { kind: "main", symbol: "dice" })];
    if (this.settings.banned.length) actions.push(button("Allow all patterns", () => this.set("banned", [])));
    const title = problem.name === "OutOfBudget" ? "No map was found in time" : problem.name === "Contradiction" ? "There is no such map" : problem.document?.title ?? "That did not work";
    this.shell.showCard("warn", title, `${problem.message} Draw something less strict, or choose a smaller N.`, actions);
  }

  // Drawing

  _listen(/** @type {AbortSignal} */ signal) {
    const { brush } = this, cells = /** @type {Set<number>} */ (new Set()), stroke = () => ({ do: "paint", cells: [...cells], colour: brush.colour });
    brush.listen(this.drawing, {
      size: () => this.sample,
      pick: (x, y) => brush.choose({ colour: this.sample.pixels[y * this.sample.width + x] }),
      fill: (x, y) => this.document.apply({ do: "fill", x, y, colour: brush.colour }),
      stroke: (more) => {
        const { width, height } = this.sample;
        for (const [x, y] of more) if (x >= 0 && y >= 0 && x < width && y < height) cells.add(y * width + x);
        const { sample } = reducers.paint(this.document.state, stroke());
        this.drawSample(sample);
        this._question.ask(sample);
      },
      finish: () => { if ([...cells].some((cell) => this.sample.pixels[cell] !== brush.colour)) this.document.apply(stroke()); cells.clear(); },
      point: (x, y) => this.drawSample(this.sample, [[x, y]], 1),
    }, signal);
  }

  /** The sample, with windows of it marked. @param {Sample} sample @param {[number, number][]} [marks] @param {number} [side] of a mark, in pixels */
  drawSample({ width, height, palette, pixels }, marks = [], side = this.settings.n) {
    const size = Math.max(4, Math.floor(448 / Math.max(width, height))), ink = this.drawing.getContext("2d");
    Object.assign(this.drawing, { width: width * size, height: height * size });
    pixels.forEach((colour, index) => { ink.fillStyle = palette[colour]; ink.fillRect((index % width) * size, Math.floor(index / width) * size, size, size); });
    ink.fillStyle = "rgb(0 0 0 / .10)";
    for (let x = 1; size >= 8 && x < width; x++) ink.fillRect(x * size, 0, 1, height * size);
    for (let y = 1; size >= 8 && y < height; y++) ink.fillRect(0, y * size, width * size, 1);
    for (const [x, y] of marks)
      for (const [line, colour] of /** @type {[number, string][]} */ ([[3.5, "#000"], [1.5, "#fff"]])) {
        [ink.lineWidth, ink.strokeStyle] = [line, colour];
        for (const dx of [0, -width]) for (const dy of [0, -height]) ink.strokeRect((x + dx) * size, (y + dy) * size, side * size, side * size); // windows go on at the other edge
      }
  }

  _drawMap(/** @type {number} */ pattern = -1) {
    const { settings: { width, height }, sample } = this.shown, { patterns, colours } = this.answer;
    Object.assign(this.grown, { width, height });
    drawColours(this.grown, patterns.map((/** @type {number} */ each) => colours[each]), sample.palette, pattern < 0 ? undefined : (cell) => patterns[cell] !== pattern);
  }

  /** Whether the map is about another sample than the one that is shown. */
  get _isOld() { return this.shown?.sample !== this.sample; }

  /** Show where a pattern is, in the sample and on the map; -1: none. @param {number} pattern */
  highlight(pattern) {
    const { windows, variants } = this.answer, { width } = this.sample;
    this._drawMap(pattern);
    if (this._isOld) return;
    this.drawSample(this.sample, windows.flatMap((/** @type {number} */ window, /** @type {number} */ at) => (window >= 0 && variants[window].includes(pattern) ? [[at % width, Math.floor(at / width)]] : [])));
  }

  /** Where in the sample a cell of the map comes from. */
  _showSource(/** @type {PointerEvent} */ event) {
    if (this._isOld) return;
    const box = this.grown.getBoundingClientRect(), { width, height } = this.grown, x = Math.floor(((event.clientX - box.left) / box.width) * width), y = Math.floor(((event.clientY - box.top) / box.height) * height);
    const pattern = this.answer.patterns[y * width + x];
    if (pattern === undefined) return;
    this.drawSample(this.sample, [this.answer.sources[pattern]]);
    this.shell.hover(`${x}, ${y} · from the marked window, seen ${this.answer.counts[pattern]} times`);
  }

  // Bar and inspector

  showPanel() {
    this._patterns = showPanel(this);
    this.showPatterns();
  }

  showPatterns() {
    if (this._patterns) fillPatterns(this, this._patterns);
  }

  _showBar() {
    const { document, shell } = this, to = (/** @type {string} */ view, /** @type {string} */ text, /** @type {string} */ note) => ({ text, note, run: () => this._keep(view) });
    fill(shell.bar,
      button("Import a picture", () => this._import(), { symbol: "drop" }), divider(),
      button("Another seed", () => this.set("seed", this.settings.seed + 1), { symbol: "dice", key: "S" }), divider(),
      ...undoButtons(document), spring(),
      menuButton("Save as tile set", "map", () => [to("map", "Open in Map", "paint and solve"), to("world", "Open in World", "endless"), to("patchwork", "Open in Patchwork", "piece by piece")]),
      menuButton("Share", "share", () => shareItems(this, () => post("/sketches/code", { sample: this.sample, ...this.settings }),
        { saveFile: async (name) => download(name, await this._toBlob()) })),
      menuButton("Export", "export", () => this._listExports()));
  }

  /** Files of the map and the sample; with banned patterns, which only the studio has, of the map's picture alone. */
  _listExports() {
    const { width, height, wraps, seed, banned } = this.settings, solve = async () => {
      const { id, isNew } = await this._upload(), path = await makeMap(this.shell, { tileset: id, topology: { width, height, wraps }, seed, refine: false });
      return { path, tidy: () => isNew && remove(path.replace("/result.", "")).then(() => remove(`/tilesets/${id}`)) };
    };
    const shown = { text: "Picture", note: ".png", run: () => this.grown.toBlob((/** @type {Blob} */ blob) => download(`${this.fileName}.png`, blob)) };
    return [{ text: "Sample", note: ".png", run: async () => download("sample.png", await this._toBlob()) }, ...(banned.length ? [shown] : exportItems(this.shell, solve, { name: this.fileName }))];
  }

  _import() {
    const input = h("input", { type: "file", accept: "image/*", onchange: () => input.files?.[0] && readImage(input.files[0]).then((image) => this.take(image), (error) => this.shell.showCard("error", "This picture cannot be used", error.message)) });
    input.click();
  }

  _toBlob() {
    const { width, height, palette, pixels } = this.sample, canvas = new OffscreenCanvas(width, height);
    drawColours(canvas, pixels, palette);
    return canvas.convertToBlob();
  }

  /** Open the sample as a tile set in another view. @param {string} view */
  _keep(view) {
    return attempt(this.shell, async () => {
      const { id, worlds, certificate } = await this._upload();
      if (view === "map") return this._openMap(id);
      if (view !== "world" || worlds) { location.hash = `#/${view}?tileset=${id}`; return; }
      const toMap = button("Open in Map", () => this._openMap(id), { kind: "main" });
      this.shell.showCard("warn", "There is no endless world of this sample", certificate.text, [toMap]);
    });
  }

  /** The very map that is shown, unless patterns are banned. */
  _openMap(/** @type {string} */ tileset) {
    const { width, height, wraps, seed } = this.settings;
    location.hash = `#/map?${new URLSearchParams(/** @type {any} */ ({ tileset, seed, width, height, wraps, refine: false }))}`;
  }

  /** The sample as a tile set on the server, and whether it is new there. */
  async _upload() {
    const { n, symmetry, periodic, ground } = this.settings, query = new URLSearchParams(/** @type {any} */ ({ n, periodic, ground, name: "My picture", ...(symmetry === "auto" ? {} : { symmetry }) }));
    const answer = await request(`/tilesets?${query}`, { method: "POST", headers: { "Content-Type": "image/png" }, body: await this._toBlob() });
    return { ...(await answer.json()), isNew: answer.status === 201 };
  }

  _shortcuts() {
    return [
      ...this.brush.shortcuts, { key: "S", does: "another seed", run: () => this.set("seed", this.settings.seed + 1) },
      ...undoKeys(this.document),
    ];
  }
}
