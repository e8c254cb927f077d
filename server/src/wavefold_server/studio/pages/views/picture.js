/** Picture: draw a sample pixel by pixel; the map grown from it changes with every stroke. */

import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { thumbnail } from "../app/recent.js";
import { findDocument, View } from "../app/view.js";
import { divider, menuButton, spring, undoButtons, undoKeys } from "../parts/bar.js";
import { button } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { Brush } from "../parts/pixels.js";
import { cleanUp } from "./picture/clean-up.js";
import { GrownMap } from "./picture/grown-map.js";
import { readImage } from "./picture/import.js";
import { fillPatterns, showPanel } from "./picture/panel.js";
import { SampleCanvas } from "./picture/sample-canvas.js";
import { firstSample, guessEdges, isPicture, pictureReducers, SETTINGS } from "./picture/sample.js";
import { askForName, editMap, listExports, listShares } from "./picture/sharing.js";

/** A picture from elsewhere. @typedef {{image: ImageData, name: string}} Found */

const UNSOLVED = /** @type {Record<string, string>} */ ({
  OutOfBudget: "No map was found in time", Contradiction: "There is no such map" });

/** Until the view opens. @type {Found|null} */
let remembered = null;

/** @param {File} file @returns {Promise<Found>} */
const readFile = async (file) => ({ image: await readImage(file), name: file.name.replace(/\.[^.]*$/, "") });

/** @param {File} file @returns {Promise<string>} the address of the view */
export async function rememberPicture(file) {
  remembered = await readFile(file);
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
    super(shell, new StudioDocument("picture", { sample: firstSample(), settings: SETTINGS }, pictureReducers, isPicture));
    this.brush = new Brush(() => this.showPanel());
    this.showsPatterns = false;
    this.map = new GrownMap(this);
    this.drawing = new SampleCanvas(this);
    this._patterns = /** @type {HTMLElement|null} */ (null);
    shell.stage.append(h("div", { class: "page picture", ondrop: (/** @type {DragEvent} */ event) => this._takeDrop(event) },
      h("figure", {}, this.drawing.canvas, h("figcaption", {}, "Your sample: draw here")),
      h("figure", {}, this.map.canvas, h("figcaption", {}, "The map grown from it: click a spot to change it", this.map.note,
        button("Edit this map", () => this.edit(), { symbol: "map" })))));
    this.document.addEventListener("change", () => this._follow());
    const seed = { key: "S", does: "another seed", run: () => this.anotherSeed() };
    setShortcuts([...this.brush.shortcuts, seed, ...undoKeys(this.document)]);
  }

  begin() {
    this._follow();
    if (remembered) this.take(remembered);
    remembered = null;
  }

  get sample() { return /** @type {import("../parts/pixels.js").Sample} */ (this.document.state.sample); }
  get settings() { return { ...SETTINGS, ...this.document.state.settings }; }
  get name() { return this.document.state.name || "My picture"; }

  close() {
    super.close();
    this.map.close();
  }

  // Commands

  /** Use a picture from elsewhere. @param {Found} found */
  take({ image, name }) {
    this.brush.colour = 0;
    cleanUp(this.shell, image, (sample) => {
      const edges = guessEdges(sample);
      this.document.apply({ do: "sample", sample, name, ...edges });
      return edges.ground ? "Its bottom row is taken for ground; “Sample” has a switch for it." : "";
    });
  }

  /** @param {string} key of the settings, or "size" @param {any} value */
  set(key, value) { this.document.apply({ do: "set", key, value }); }

  anotherSeed() { this.set("seed", this.settings.seed + 1); }

  /** @param {number[]} cells colours of a pattern */
  ban(cells) {
    this.set("banned", [...this.settings.banned, cells]);
    this.shell.offerUndo("The pattern is banned.", () => this.document.undo());
  }

  edit() { return editMap(this); }

  addColour(/** @type {string} */ colour) {
    const { palette } = this.sample, known = palette.indexOf(colour.toLowerCase());
    this.brush.colour = known < 0 ? palette.length : known;
    if (known < 0) this.document.apply({ do: "colour", colour: colour.toLowerCase() });
    else this.showPanel();
  }

  // What is shown

  _follow() {
    this._showBar();
    this.showPanel();
    this.drawing.show();
    this.map.ask(this.sample);
  }

  /** What need not be done while a stroke goes on. */
  settle() {
    this.showPatterns();
    this.saveLater();
  }

  get subject() {
    const { name, settings: { width, height, seed } } = this;
    return { name, size: [width, height], seed };
  }

  takePicture() { return thumbnail(this.map.canvas); }

  /** @param {any} problem */
  showProblem({ name, message, advice = "", document }) {
    const { banned, ground } = this.settings, isTooMuch = name === "TileSetError" && banned.length > 0;
    const title = isTooMuch ? "Not all of these patterns can be banned"
      : UNSOLVED[name] ?? document?.title ?? "That did not work";
    const help = UNSOLVED[name] ? "Draw something less strict, or choose a smaller N." : isTooMuch ? "" : advice, actions = [];
    if (UNSOLVED[name]) actions.push(button("Another seed", () => this.anotherSeed(), { kind: "main", symbol: "dice" }));
    if (isTooMuch && ground) actions.push(button("Learn without ground", () => this.set("ground", false)));
    if (banned.length) actions.push(button("Allow all patterns", () => this.set("banned", [])));
    this.shell.showCard("warn", title, `${message} ${help}`, actions);
  }

  showPanel() {
    this._patterns = showPanel(this);
    this.showPatterns();
  }

  showPatterns() {
    if (this._patterns) fillPatterns(this, this._patterns);
  }

  _showBar() {
    fill(this.shell.bar,
      button("Import a picture", () => this._import(), { symbol: "open" }), divider(),
      button("Another seed", () => this.anotherSeed(), { symbol: "dice", key: "S" }), divider(),
      ...undoButtons(this.document), spring(),
      button("Save as tile set", () => askForName(this), { symbol: "save", kind: "collapses" }),
      menuButton("Share", "share", () => listShares(this)), menuButton("Export", "export", () => listExports(this)));
  }

  _import() {
    const input = h("input", { type: "file", accept: "image/*", onchange: () => input.files?.[0] && this._read(input.files[0]) });
    input.click();
  }

  /** @param {DragEvent} event */
  _takeDrop(event) {
    const file = event.dataTransfer?.files[0];
    if (!file?.type.startsWith("image/")) return; // the page takes it
    event.preventDefault();
    this._read(file);
  }

  /** @param {File} file */
  async _read(file) {
    try { this.take(await readFile(file)); } catch (error) {
      this.shell.showCard("error", `${file.name} cannot be used`, /** @type {any} */ (error).message);
    }
  }
}
