/** Picture: draw a sample pixel by pixel; the map grown from it changes with every stroke. */

import { post, remove, request } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { exportItems, makeMap } from "../app/export.js";
import { setShortcuts } from "../app/keyboard.js";
import { findRecent, newId, saveRecent } from "../app/recent.js";
import { attempt, decodeDocument, download, shareItems } from "../app/share.js";
import { menuButton } from "../parts/bar.js";
import { button, choice, section, slider, toggle } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { Brush, flood, paint } from "../parts/pixels.js";
import { firstSample, importPicture, resize } from "./picture/sample.js";

/** @typedef {import("./picture/sample.js").Sample} Sample */

const SETTINGS = { n: 3, symmetry: "auto", periodic: true, ground: false, width: 48, height: 48, wraps: false, seed: 7 };
const set = (/** @type {any} */ state, /** @type {any} */ { key, value }) => ({ ...state, settings: { ...state.settings, [key]: value } });
const sample = (/** @type {any} */ state, /** @type {any} */ command) => ({ ...state, sample: command.sample });

/** A picture from elsewhere, until the view opens. @type {Sample|null} */
let remembered = null;

/** @param {File} file @returns {Promise<string>} the address of the view */
export async function rememberPicture(file) {
  remembered = await importPicture(file);
  return "imported=1";
}

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const view = new PictureView(shell);
  await view.begin(address);
  return () => view.close();
}

class PictureView {
  /** @param {import("../app/shell.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.id = newId();
    this.brush = new Brush(() => this._showInspector());
    this.answer = /** @type {any} */ (null);
    this.document = new StudioDocument("picture", { sample: firstSample(), settings: SETTINGS }, { set, sample });
    this.document.addEventListener("change", () => this._changed());
    this.drawing = h("canvas", { class: "sample", tabindex: 0, role: "application", "aria-label": "Sample: draw with the pointer" });
    this.grown = h("canvas", { class: "grown", role: "img", "aria-label": "The map grown from the sample" });
    this.note = h("p", { class: "quiet small" });
    shell.stage.append(h("div", { class: "page picture" },
      h("figure", {}, this.drawing, h("figcaption", {}, "Your sample: draw here")),
      h("figure", {}, this.grown, h("figcaption", {}, "The map grown from it", this.note))));
    this._listen();
    setShortcuts(this._shortcuts());
  }

  /** @param {URLSearchParams} address */
  async begin(address) {
    const shared = address.get("open"), recent = findRecent(address.get("document") ?? "");
    if (shared) this.document.load(await decodeDocument(shared));
    else if (recent) { this.id = recent.id; this.document.load(recent.document); }
    else {
      if (remembered) this.document.beginning = { sample: remembered, settings: { ...SETTINGS, periodic: false } };
      remembered = null;
      this._changed();
    }
  }

  get sample() { return /** @type {Sample} */ (this.document.state.sample); }
  get settings() { return this.document.state.settings; }

  close() {
    this._asking?.abort();
    this._stop?.abort();
  }

  _changed() {
    this._showBar();
    this._showInspector();
    this._drawSample(this.sample);
    this._grow(this.sample);
    saveRecent({ id: this.id, view: "picture", title: `Picture, ${this.sample.width} × ${this.sample.height}`, when: Date.now(), document: this.document.toJSON() });
  }

  /** Ask for a map; a newer question ends the older. @param {Sample} sample */
  async _grow(sample) {
    this._asking?.abort();
    const asking = (this._asking = new AbortController()), started = performance.now();
    try {
      const answer = await post("/sketches", { sample, ...this.settings }, asking.signal);
      this.answer = answer;
      this._drawMap(sample);
      const ms = Math.round(performance.now() - started);
      this.note.textContent = `${answer.counts.length} patterns · ${ms} ms`;
      this.grown.dataset.milliseconds = String(ms);
      this.shell.closeCard();
    } catch (error) {
      const problem = /** @type {any} */ (error);
      if (problem.name === "AbortError") return;
      const retry = button("Another seed", () => this._set("seed", this.settings.seed + 1), { kind: "main", symbol: "dice" });
      const title = problem.name === "OutOfBudget" ? "No map was found in time" : problem.document?.title ?? "That did not work";
      this.shell.showCard("warn", title, `${problem.message} Draw something less strict, or choose a smaller N.`, [retry]);
    }
  }

  _set(/** @type {string} */ key, /** @type {any} */ value) {
    this.document.apply({ do: "set", key, value, merge: `set ${key}` });
  }

  // Drawing

  _drawSample(/** @type {Sample} */ { width, height, palette, pixels }) {
    const size = Math.max(4, Math.floor(448 / Math.max(width, height))), ink = this.drawing.getContext("2d");
    this.drawing.width = width * size;
    this.drawing.height = height * size;
    pixels.forEach((colour, index) => { ink.fillStyle = palette[colour]; ink.fillRect((index % width) * size, Math.floor(index / width) * size, size, size); });
    if (size < 8) return;
    ink.fillStyle = "rgb(0 0 0 / .10)";
    for (let x = 1; x < width; x++) ink.fillRect(x * size, 0, 1, height * size);
    for (let y = 1; y < height; y++) ink.fillRect(0, y * size, width * size, 1);
  }

  _drawMap(/** @type {Sample} */ { palette }) {
    const { width, height } = this.settings, ink = this.grown.getContext("2d"), { patterns, colours } = this.answer;
    this.grown.width = width;
    this.grown.height = height;
    const image = ink.createImageData(width, height), words = new Uint32Array(image.data.buffer);
    const table = palette.map((each) => { const value = parseInt(each.slice(1), 16); return 0xff000000 | ((value & 255) << 16) | (value & 0xff00) | (value >> 16); });
    for (let cell = 0; cell < words.length; cell++) words[cell] = table[colours[patterns[cell]]];
    ink.putImageData(image, 0, 0);
  }

  _listen() {
    this._stop = new AbortController();
    const { signal } = this._stop, canvas = this.drawing;
    let draft = /** @type {Sample|null} */ (null);
    this.brush.listen(canvas, {
      size: () => this.sample,
      pick: (x, y) => this.brush.choose({ colour: this.sample.pixels[y * this.sample.width + x] }),
      fill: (x, y) => this.document.apply({ do: "sample", sample: flood(this.sample, x, y, this.brush.colour) }),
      stroke: (cells) => {
        draft = paint(draft ?? this.sample, cells, this.brush.colour);
        this._drawSample(draft);
        this._grow(draft);
      },
      finish: () => { if (draft) this.document.apply({ do: "sample", sample: draft }); draft = null; },
    }, signal);
    this.grown.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this._showSource(event), { signal });
    this.grown.addEventListener("pointerleave", () => this._drawSample(this.sample), { signal });
  }

  /** Where in the sample a cell of the map comes from. */
  _showSource(/** @type {PointerEvent} */ event) {
    if (!this.answer) return;
    const box = this.grown.getBoundingClientRect(), { width, height, n } = this.settings;
    const x = Math.floor(((event.clientX - box.left) / box.width) * width), y = Math.floor(((event.clientY - box.top) / box.height) * height);
    const pattern = this.answer.patterns[y * width + x], source = this.answer.sources[pattern];
    if (!source) return;
    this._drawSample(this.sample);
    const ink = this.drawing.getContext("2d"), size = this.drawing.width / this.sample.width;
    ink.lineWidth = 3; ink.strokeStyle = "#000"; ink.strokeRect(source[0] * size, source[1] * size, n * size, n * size);
    ink.lineWidth = 1.5; ink.strokeStyle = "#fff"; ink.strokeRect(source[0] * size, source[1] * size, n * size, n * size);
    this.shell.hover(`${x}, ${y} · pattern ${pattern}, seen ${this.answer.counts[pattern]} times`);
  }

  // Bar and inspector

  _showBar() {
    const { document } = this, solve = async () => {
      const { width, height, wraps, seed } = this.settings, { id, isNew } = await this._upload(), path = await makeMap(this.shell, { tileset: id, topology: { width, height, wraps }, seed, refine: false });
      return { path, tidy: () => isNew && remove(path.replace("/result.", "")).then(() => remove(`/tilesets/${id}`)) };
    };
    const exports = () => [{ text: "Sample", note: ".png", run: () => this._saveSample() }, ...exportItems(this.shell, solve)];
    const share = () => shareItems(this.shell, document, [["Python", () => this._toPython()]]);
    fill(this.shell.bar,
      button("Import a picture", () => this._import(), { symbol: "drop" }),
      h("span", { class: "divider" }),
      button("Another seed", () => this._set("seed", this.settings.seed + 1), { symbol: "dice", key: "S" }),
      h("span", { class: "divider" }),
      button("Undo", () => document.undo(), { symbol: "undo", isIconOnly: true, key: "Ctrl+Z", isDisabled: !document.canUndo }),
      button("Redo", () => document.redo(), { symbol: "redo", isIconOnly: true, key: "Ctrl+Shift+Z", isDisabled: !document.canRedo }),
      h("span", { class: "spring" }),
      button("Use as tile set", () => this._keep(), { kind: "main", symbol: "map" }), menuButton("Share", "share", share), menuButton("Export", "export", exports));
  }

  _showInspector() {
    const { sample: current, settings } = this;
    fill(this.shell.inspector,
      section("Draw", ...this.brush.controls(current.palette, (colour) => this._addColour(colour))),
      section("Sample", slider("Width", { min: 3, max: 64, value: current.width }, (width, isFinal) => isFinal && this.document.apply({ do: "sample", sample: resize(current, width, current.height) })),
        slider("Height", { min: 3, max: 64, value: current.height }, (height, isFinal) => isFinal && this.document.apply({ do: "sample", sample: resize(current, current.width, height) })),
        toggle("Opposite edges touch", settings.periodic, (value) => this._set("periodic", value)),
        toggle("The bottom row is ground", settings.ground, (value) => this._set("ground", value))),
      section("Map", slider("N: pixels that must fit together", { min: 1, max: 4, value: settings.n }, (value, isFinal) => isFinal && this._set("n", value)),
        choice("Symmetry", [["auto", "as in the sample"], ["1", "none"], ["2", "mirrored"], ["4", "four turns"], ["8", "turned and mirrored"]], String(settings.symmetry), (value) => this._set("symmetry", value === "auto" ? value : Number(value))),
        slider("Size", { min: 8, max: 128, step: 4, value: settings.width, show: (value) => `${value} × ${value}` }, (value, isFinal) => { if (isFinal) { this.document.apply({ do: "set", key: "width", value }); this.document.apply({ do: "set", key: "height", value }); } })));
  }

  _addColour(/** @type {string} */ colour) {
    const { sample: current } = this;
    this.brush.colour = current.palette.length;
    this.document.apply({ do: "sample", sample: { ...current, palette: [...current.palette, colour.toLowerCase()] } });
  }

  _import() {
    const input = h("input", { type: "file", accept: "image/*", onchange: async () => {
      if (input.files?.[0]) this.document.apply({ do: "sample", sample: await importPicture(input.files[0]) });
    } });
    input.click();
  }

  /** The sample as a small picture. @returns {OffscreenCanvas} */
  _asPicture() {
    const { width, height, palette, pixels } = this.sample, canvas = new OffscreenCanvas(width, height), ink = canvas.getContext("2d");
    pixels.forEach((colour, index) => { if (ink) { ink.fillStyle = palette[colour]; ink.fillRect(index % width, Math.floor(index / width), 1, 1); } });
    return canvas;
  }

  async _saveSample() {
    download("sample.png", await this._asPicture().convertToBlob());
  }

  /** Upload the sample as a tile set, and open its map. */
  async _keep() {
    await attempt(this.shell, async () => { location.hash = `#/map?tileset=${(await this._upload()).id}`; });
  }

  /** The sample as a tile set on the server, and whether it is new there. */
  async _upload() {
    const { n, symmetry, periodic, ground } = this.settings, query = new URLSearchParams({ n, periodic, ground, name: "My picture", ...(symmetry === "auto" ? {} : { symmetry }) });
    const answer = await request(`/tilesets?${query}`, { method: "POST", headers: { "Content-Type": "image/png" }, body: await this._asPicture().convertToBlob() });
    return { id: (await answer.json()).id, isNew: answer.status === 201 };
  }

  _toPython() {
    const { n, symmetry, periodic, ground, width, height, seed } = this.settings, name = (/** @type {boolean} */ each) => (each ? "True" : "False");
    return `import wavefold as wf

tiles = wf.learn("sample.png", n=${n}, symmetry=${JSON.stringify(symmetry)}, periodic=${name(periodic)}, ground=${name(ground)})
solution = wf.generate(tiles, wf.SquareGrid(${width}, ${height}), seed=${seed})
solution.image().save("map.png")
`;
  }

  _shortcuts() {
    return [
      ...this.brush.shortcuts,
      { key: "S", does: "another seed", run: () => this._set("seed", this.settings.seed + 1) },
      { key: "Ctrl+Z", does: "undo", run: () => this.document.undo() }, { key: "Ctrl+Shift+Z or Ctrl+Y", does: "redo", run: () => this.document.redo() },
    ];
  }
}
