/** Blocks: cube maps in space. Walk around them, look inside, and build. */

import { get } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { count } from "../app/names.js";
import { thumbnail } from "../app/recent.js";
import { download } from "../app/share.js";
import { chooseTileset, nameTilesets } from "../app/tilesets.js";
import { findDocument, View } from "../app/view.js";
import { divider, menuButton, spring, undoButtons } from "../parts/bar.js";
import { button, choice, numberField, relabel } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { BlockHands } from "./blocks/hands.js";
import { buildBlockPanels } from "./blocks/panels.js";
import { beginning, blockReducers, findCut, isBlocks } from "./blocks/reducers.js";
import { BlockSession } from "./blocks/session.js";
import { describeMap, listMapExports, listMapShares } from "./map/sharing.js";

const THREE = new URL("../three.bundle.js", import.meta.url).href; // empty if it was not built
const LONGEST = /** @type {Record<string, number>} sides, in cells */ ({ width: 64, height: 64, depth: 32 });
const MOST = 1 << 16; // cells of a live session, as a server has it that is not set up otherwise
const SECONDS = 1.4; // in which a map appears
const NO_THREE = "The bundle of three.js was not built in this checkout, so the map is shown from above, layer by layer. Run `make bundles` there, which needs npm, then reload this page.";
const NO_WEBGL = "This browser has no WebGL, so the map is shown from above, layer by layer.";

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const given = await findDocument(address), [{ tilesets }, three] = await Promise.all([get("/tilesets", shell.signal), import(THREE)]);
  await new BlocksView(shell, tilesets.filter((/** @type {any} */ { topology }) => topology === "cube"), three.DataTexture ? three : null).open(address, given);
}

export class BlocksView extends View {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets @param {any} three the library, if it was built */
  constructor(shell, tilesets, three) {
    super(shell, new StudioDocument("blocks", {}, blockReducers, isBlocks));
    this.tilesets = tilesets;
    this.three = three;
    this.session = new BlockSession((models) => this._draw(models));
    this._patterns = /** @type {Uint16Array|null} of cells, after the last change */ (null);
    this.hands = new BlockHands(this);
    this.panels = buildBlockPanels(this);
    this.session.addEventListener("status", () => this._showStatus());
    this.session.addEventListener("lost", () => shell.say("The connection to the server was lost; trying again …", "warn"));
    this.document.addEventListener("change", (event) => this._follow(/** @type {CustomEvent} */ (event).detail));
    addEventListener("theme", () => this.blocks?.showTheme(), { signal: this.signal });
    setShortcuts(this.hands.shortcuts());
  }

  /** What draws the map: in space, or layer by layer. @returns {any} */
  get blocks() { return this.session.blocks; }
  get canvas() { return /** @type {HTMLCanvasElement|null} */ (this.shell.stage.querySelector("canvas.blocks")); }
  get state() { return /** @type {any} */ (this.document.state); }
  get isFinished() { return this.session.status.status === "solved"; }

  /** A new map of a tile set. @param {URLSearchParams} address */
  async begin(address) {
    const tileset = chooseTileset(this.shell, this.tilesets, address.get("tileset"));
    this.document.beginning = beginning(tileset, Number(address.get("seed") ?? 7));
    await this._follow({ do: "load" });
  }

  close() {
    super.close();
    this.hands.close();
    this.session.close();
    this.blocks?.close();
  }

  /** @param {any} command of the document */
  apply(command) { this.document.apply(command); }
  anotherSeed() { this.apply({ do: "seed", seed: (this.state.request.seed + 1) % 1_000_000 }); }

  async toggleRun() {
    if (this.session.isRunning) return this.session.pause();
    if (!this.isFinished) return this.guard(() => this.session.run("max"));
    this.session.forget();
    return this._follow({ do: "again" });
  }

  /** @param {() => Promise<any>} work */
  guard(work) {
    this.shell.closeCard();
    return super.guard(work);
  }

  /** @param {any} problem */
  showProblem(problem) {
    if (problem.name !== "Contradiction") return super.showProblem(problem);
    this.shell.showCard("warn", "Nothing fits there", `${problem.message} ${problem.advice}`);
  }

  /** @param {import("./blocks/models.js").Models} models */
  async _draw(models) {
    const canvas = h("canvas", { class: "blocks", tabindex: 0, role: "application",
      "aria-label": "Blocks: drag to turn, arrow keys and page keys move the cursor, Enter builds" });
    this.canvas?.remove();
    this.shell.stage.prepend(canvas);
    const { BlockScene } = await import("./blocks/scene.js"), { BlockLayers } = await import("./blocks/layers.js");
    this.signal.throwIfAborted();
    const space = this.three && tryTo(() => new BlockScene(canvas, this.three, models));
    this.isFlat = !space;
    if (!space) this.shell.showCard("warn", "Layers instead of space", this.three ? NO_WEBGL : NO_THREE);
    this.hands.listen(canvas);
    return space ?? new BlockLayers(canvas, models);
  }

  /** The document changed: bring the session there, and show it everywhere. */
  async _follow(/** @type {any} */ command) {
    await this.guard(async () => {
      if (command.do !== "cut") await this.session.show(this.state);
      this.blocks.setCut(findCut(this.state));
      this._showBar();
      this.panels.update();
      if (this.isFinished) return;
      const { width, height, depth } = this.state.request.topology;
      await (this.state.commands.length ? this.session.run("max", "boards") : this.session.run(Math.ceil(width * height * depth / SECONDS)));
      if (command.do === "load" || command.do === "size") this.blocks.fit();
    });
    this._showBar();
    this.panels.update();
    if (this.isFinished) this._sayChange(command.do);
  }

  /** How many cells are others since the last change. @param {string} kind of it */
  _sayChange(kind) {
    const { _patterns: before, blocks: { patterns }, hands: { tool } } = this;
    this._patterns = patterns.slice();
    const edit = { build: "Built", replace: "Replaced", remove: "Removed" }[tool];
    const what = { edit, undo: "Undone", redo: "Done again" }[kind];
    if (!what || !before || before.length !== patterns.length) return;
    const cells = before.filter((each, index) => each !== patterns[index]).length;
    this.shell.say(`${what}: ${count(cells, "cell")} changed.`);
  }

  get subject() { return describeMap(this.state.request, this.session.tileset); }
  takePicture() { return this.blocks ? thumbnail(this.blocks.takePicture()) : ""; }

  _showStatus() {
    const { status, isRunning } = this.session, what = { solved: "Built", impossible: "Impossible" }[/** @type {string} */ (status.status)] ?? (isRunning ? "Building" : "Paused");
    this.shell.say(`${what} · ${status.decided} of ${status.cells} cells`, status.status === "impossible" ? "error" : "");
    if (this.isFinished) this.saveLater(); // with its picture
    if (this._run) relabel(this._run, isRunning ? "Pause" : this.isFinished ? "Watch again" : "Run", isRunning ? "pause" : this.isFinished ? "replay" : "run");
  }

  /** Save the picture that is seen. */
  _saveView() {
    this.blocks.takePicture().convertToBlob().then((/** @type {Blob} */ blob) => download(`${this.fileName}-view.png`, blob));
  }

  _showBar() {
    const { request } = this.state, { document, shell } = this;
    const { width, height, depth } = request.topology;
    const size = (/** @type {string} */ label, /** @type {string} */ axis) => {
      const now = request.topology[axis], max = Math.min(LONGEST[axis], Math.floor(MOST * now / (width * height * depth)));
      const set = (/** @type {number} */ value) => this.apply({ do: "size", topology: { [axis]: value } });
      return numberField(label, now, set, { min: 2, max, isInline: true });
    };
    fill(shell.bar,
      choice("Tiles", nameTilesets(this.tilesets), request.tileset, (id) => { location.hash = `#/blocks?tileset=${encodeURIComponent(id)}`; }, true),
      numberField("Seed", request.seed, (seed) => this.apply({ do: "seed", seed }), { isInline: true }),
      button("Another seed", () => this.anotherSeed(), { symbol: "dice", isIconOnly: true, key: "S" }), divider(),
      size("Width", "width"), size("Depth", "height"), size("Height", "depth"), divider(),
      this._run = button("Run", () => this.toggleRun(), { symbol: "run", kind: "run", key: "Space" }), divider(),
      ...undoButtons(document), spring(),
      button("Whole map", () => this.blocks.fit(), { symbol: "fit", isIconOnly: true, key: "0" }),
      menuButton("Share", "share", () => listMapShares(this)),
      menuButton("Export", "export", () => [...listMapExports(this, "cube"), { text: "This view", note: ".png", run: () => this._saveView() }]));
    this._showStatus();
  }
}

/** @template T @param {() => T} make @returns {T|null} null if it fails */
function tryTo(make) {
  try { return make(); } catch { return null; }
}
