/** World: wander through an endless map, see how it is made, and change it. */

import { API, get, insist, post, remove } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { LatestQuestion } from "../app/latest-question.js";
import { count } from "../app/names.js";
import { thumbnail } from "../app/recent.js";
import { findDocument, View } from "../app/view.js";
import { Atlas } from "../board/atlas.js";
import { planeCellAt, planeMiddle } from "../board/plane.js";
import { listenToPlane } from "../board/plane-pointer.js";
import { TileLayer } from "../board/tile-layer.js";
import { TileStore } from "../board/tile-store.js";
import { h } from "../parts/element.js";
import { buildWorldBar, listWorldShortcuts } from "./world/bar.js";
import { ChunkOverlay } from "./world/chunks.js";
import { WorldFeed } from "./world/feed.js";
import { buildWorldInspector } from "./world/inspector.js";
import { findNamed, findWorld, sayMadeAgain, showWaiting } from "./world/opening.js";
import { Painter } from "./world/painter.js";
import { beginWorld, isWorld, toRequest, worldReducers } from "./world/request.js";
import { goWhereItVaries } from "./world/varied-place.js";

const PAUSE = 350; // milliseconds without a change, after which figures are asked for
const LONG = 800; // milliseconds: tiles that take longer are announced in words

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const wait = showWaiting(shell, address.get("tileset") ?? "");
  await shell.session;
  const given = await findDocument(address), data = given?.document, { signal } = shell;
  const { tilesets } = await get("/tilesets", signal), possible = tilesets.filter((/** @type {any} */ each) => each.worlds);
  const beginning = beginWorld(address.get("tileset") ?? "meadow", Number(address.get("seed") ?? 7));
  const document = new StudioDocument("world", beginning, worldReducers, isWorld);
  if (data) document.load(data);
  const find = (/** @type {string} */ name) => get(`/tilesets/${encodeURIComponent(name)}`, signal);
  const tileset = await find(document.state.request.tileset);
  const id = address.get("id") ?? data?.world, known = await findNamed(id, Boolean(data || address.get("tileset")), signal);
  const world = known || (await insist(() => findWorld(shell, document.state, tileset, data?.edits)));
  const { settings, seed } = world;
  if (!given) document.beginning = { ...beginning, request: { ...settings, tileset: world.tileset, seed, draft: false } };
  wait.remove();
  const shown = tileset.id === world.tileset ? tileset : await find(world.tileset);
  const view = new WorldView(shell, possible, document, world, shown);
  await view.open(address, given);
  if (id && !known && !data?.edits) sayMadeAgain(view);
}

export class WorldView extends View {
  /**
   * @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets @param {StudioDocument} document
   * @param {any} world of the document, as the service describes it @param {any} tileset of the world, likewise
   */
  constructor(shell, tilesets, document, world, tileset) {
    super(shell, document);
    this.tilesets = tilesets;
    this.world = world;
    this.revision = world.revision;
    this._tileset = tileset;
    this.tileset = this.atlas = /** @type {any} */ (null); // when both are there
    this.budget = Infinity; // milliseconds to wait for a chunk, before a provisional one is shown
    this.latencies = /** @type {number[]} */ ([]); // milliseconds of the last tiles
    const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "World: arrow keys or drag to move, plus and minus or wheel to zoom" });
    shell.stage.append(canvas);
    const tiles = new TileStore((z, x, y, before) => {
      const budget = this.budget < Infinity && (!before || before.kind === "exact") ? `&budget=${this.budget}` : "";
      return `${API}/worlds/${this.world.id}/tiles/${z}/${x}/${y}.png?revision=${this.revision}${budget}`;
    });
    this.feed = new WorldFeed(this);
    tiles.addEventListener("tile", (event) => this._count(/** @type {CustomEvent} */ (event).detail.milliseconds));
    tiles.addEventListener("fault", (event) => this.feed.lose(/** @type {CustomEvent} */ (event).detail));
    this.layer = new TileLayer(canvas, tiles);
    this.layer.onlimit = () => shell.say(this.world.fields.length ? "This is as far out as it goes."
      : "This is as far out as it goes: from farther away, all of it looks the same. With hills (Land), there is more to see.");
    this.chunks = new ChunkOverlay(this);
    this.painter = new Painter(this);
    this._stop = listenToPlane(this.layer, this.painter.hands);
    this.layer.overlays.push(() => { this._later(); this._sayProgress(); });
    this._said = 0; // when tiles were counted last
    this._field = "";
    this._land = this._made = JSON.stringify(this.state.land); // what is wanted, and what is shown
    this._known = new Map([[this._land, world.id]]); // worlds that stay, by their land
    this._question = new LatestQuestion(() => this.guard(() => this._makeWorld()));
    this._showWorld();
    document.addEventListener("change", () => this._apply());
  }

  get state() { return this.document.state; }

  /** The cell in the middle. */
  get middle() {
    const { camera, canvas } = this.layer;
    return planeCellAt(this.world.topology, ...camera.toMap(canvas.width / 2, canvas.height / 2));
  }

  /** CSS pixels of a cell. */
  get scale() { return this.layer.camera.scale / devicePixelRatio; }

  load() {} // done before: the world depends on it

  /** @param {URLSearchParams} address @param {import("../app/view.js").Given|null} given */
  async open(address, given) {
    await super.open(address, given);
    const [x, y] = (address.get("at") ?? "0,0").split(",").map(Number);
    const atlas = Atlas.load(this._tileset, this.signal); // before the tiles, which keep the server busy
    this.jump(x || 0, y || 0, Number(address.get("scale")) || 16);
    [this.tileset, this.atlas] = [this._tileset, await atlas];
    this.bar = buildWorldBar(this);
    this.inspector = buildWorldInspector(this);
    setShortcuts(listWorldShortcuts(this));
    this.sayLasting(this.shell.canWrite ? "Drag to move, turn the wheel to zoom. Choose a tile to paint with it."
      : "Read-only: your key lets you look around, but not paint.");
  }

  /** Say something that is also there after tiles were counted. */
  sayLasting(/** @type {string} */ text) { this.shell.say((this._lasting = text)); }

  close() {
    super.close();
    clearTimeout(this._timer);
    this._question.close();
    this.feed.close();
    this._stop();
    this.layer.close();
  }

  /** Put a cell into the middle. @param {number} x @param {number} y @param {number} scale CSS pixels of a cell */
  jump(x, y, scale = this.scale) {
    this.layer.lookAt(...planeMiddle(this.world.topology, x, y), scale * devicePixelRatio);
  }

  /** Go to a cell, and say so. @param {number} x @param {number} y @param {number} [scale] CSS pixels of a cell */
  visit(x, y, scale) {
    this.jump(x, y, scale);
    this.sayLasting(`Here is ${x}, ${y}.`);
  }

  /** Another world of another set or seed. @param {string} tileset @param {number} seed */
  go(tileset, seed) {
    location.hash = `#/world?tileset=${encodeURIComponent(tileset)}&seed=${seed}&at=${this.middle}&scale=${this.scale}`;
  }

  /** A change of the world, of this tab or another one. @param {any} change */
  takeChange(change) {
    if (change.kind === "edit" && !change.box) this.sayLasting("There is nothing to restore: this is as it was generated.");
    if (change.revision === undefined || change.revision <= this.revision) return;
    const { document } = this, next = document.commands[document.applied], isNext = change.revision === this.revision + 1;
    this.revision = change.revision;
    if (isNext) this.painter.count(change.kind);
    else this.painter.countEdits(); // some were missed
    this.painter.forget();
    this.layer.invalidate(change.box ?? null, this.world.topology === "hex");
    if (change.kind === "undo" && document.commands[document.applied - 1]?.do === "edit") document.undo();
    else if (change.kind === "redo" && next?.do === "edit") document.redo();
    else if (change.kind !== "undo") document.apply({ do: "edit" });
    this.bar?.update();
    const edit = this.painter.tool === "erase" ? "Restored" : "Painted";
    const what = { edit, undo: "Undone", redo: "Done again" }[/** @type {string} */ (change.kind)] ?? "Changed";
    this.sayLasting(`${what}: ${count(change.cells, "cell")} changed.`);
    this.shell.stage.dataset.revision = change.revision;
    this._later();
  }

  /** Show a field over the map. @param {string} name "": none */
  showField(name = this._field) {
    const { world } = this;
    this._field = world.fields.some((/** @type {any} */ each) => each.name === name) ? name : "";
    const path = `${API}/worlds/${world.id}/fields/${encodeURIComponent(name)}`;
    this.layer.veil = this._field ? new TileStore((z, x, y) => `${path}/${z}/${x}/${y}.png`) : null;
  }

  get field() { return this._field; }

  /** Something in the document changed. */
  _apply() {
    this.bar?.update();
    this.inspector?.update();
    const land = JSON.stringify(this.state.land);
    if (land !== this._land) this.replaceWorld();
    this._land = land;
  }

  /** Another land needs another world; one at a time, and the last one wins. */
  replaceWorld() { this._question.ask(null); }

  /** A draft of what the document says. What is visible stays until its tiles are there. */
  async _makeWorld() {
    this.shell.say("Making this land …");
    const { world: before, revision, signal, state, _known: known } = this, isKept = !before.draft || revision > 0;
    const land = JSON.stringify(state.land), id = known.get(land), isOtherKind = JSON.parse(this._made).kind !== state.land.kind;
    const world = (id && (await get(`/worlds/${id}`, signal).catch(() => null)))
      || (await post("/worlds", { ...toRequest(state, this.tileset), draft: true }, signal));
    signal.throwIfAborted();
    if (isKept) known.set(this._made, before.id);
    else remove(`/worlds/${before.id}`).catch(() => {}); // nobody has painted on it
    this._made = land;
    Object.assign(this, { world, revision: world.revision });
    this._showWorld();
    const note = isKept ? " The world before is kept: Undo brings it back." : "";
    this.sayLasting(world.draft ? `Another land, with the same seed.${note}` : "Back in the world before.");
    if (isOtherKind && state.land.kind === "own") await goWhereItVaries(this);
  }

  /** All that depends on which world it is. */
  _showWorld() {
    this.layer.setReach(this.world.topology === "hex", !this.world.fields.length);
    this.feed.listen();
    this.painter.forget();
    this.painter.countEdits();
    this.chunks.states.clear();
    this.layer.invalidate();
    this.showField();
    this.inspector?.update();
  }

  /** How much of what is in view is there, where that takes long. */
  _sayProgress() {
    const { shown, total, since } = this.layer.progress, now = performance.now();
    if (since && now - since > LONG && now - this._said > LONG) {
      this._said = now;
      this.shell.say(`Making what is in view: ${Math.floor((100 * shown) / total)} % …`);
    } else if (!since && this._said) {
      this._said = 0;
      this.shell.say(this._lasting ?? "");
    }
  }

  _count(/** @type {number} */ milliseconds) {
    this.latencies = [...this.latencies.slice(-199), milliseconds];
    this._later();
  }

  /** When all has been quiet for a moment: figures, states of chunks, and where we are, for a reload. */
  _later() {
    clearTimeout(this._timer);
    if (this.signal.aborted) return;
    this._timer = setTimeout(() => {
      this.chunks.refresh();
      this.inspector?.showFigures();
      this.saveLater();
    }, PAUSE);
  }

  /** A small picture of what is visible. */
  takePicture(width = 240, height = 160) { return thumbnail(this.layer.canvas, width, height); }

  get place() {
    const { id, tileset, seed } = this.world;
    const made = this.isWorthSaving ? "" : `&tileset=${encodeURIComponent(tileset)}&seed=${seed}`;
    return `id=${id}${made}&at=${this.middle}&scale=${Number(this.scale.toFixed(3))}`;
  }

  get subject() {
    const { tileset, seed } = this.world;
    return { name: this.tileset?.name ?? tileset, seed, place: `at ${this.middle.join(", ")}` };
  }
  toJSON() { return { ...super.toJSON(), world: this.world.id }; }
}
