/** World: wander through an endless map, see how it is made, and change it. */

import { API, get, post, remove } from "../app/api.js";
import { StudioDocument } from "../app/document.js";
import { setShortcuts } from "../app/keyboard.js";
import { findDocument, View } from "../app/view.js";
import { Atlas } from "../board/atlas.js";
import { planeCellAt, planeMiddle } from "../board/plane.js";
import { listenToPlane } from "../board/plane-pointer.js";
import { TileLayer } from "../board/tile-layer.js";
import { TileStore } from "../board/tile-store.js";
import { button } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";
import { buildBar, listShortcuts } from "./world/bar.js";
import { ChunkOverlay } from "./world/chunks.js";
import { buildInspector } from "./world/inspector.js";
import { Painter } from "./world/painter.js";
import { beginning, hasSettings, isWorld, reducers, toRequest } from "./world/request.js";

const PAUSE = 350; // milliseconds without a change, after which figures are asked for

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const wait = showWaiting(shell, address.get("tileset") ?? "");
  await shell.session;
  const given = await findDocument(address), data = given?.document, { signal } = shell;
  const { tilesets } = await get("/tilesets", signal), possible = tilesets.filter((/** @type {any} */ each) => each.worlds);
  const document = new StudioDocument("world", beginning(address.get("tileset") ?? "meadow", Number(address.get("seed") ?? 7)), reducers, isWorld);
  if (data) document.load(data);
  const tileset = await get(`/tilesets/${encodeURIComponent(document.state.request.tileset)}`, signal);
  const id = address.get("id") ?? data?.world, known = id && (await insist(() => get(`/worlds/${id}`, signal)).catch(forgive));
  const world = known || (await insist(() => findWorld(shell, document.state, tileset, data?.edits)));
  if (!given) document.beginning = { ...document.beginning, request: { ...world.settings, tileset: world.tileset, seed: world.seed, draft: false } };
  wait.remove();
  await new WorldView(shell, possible, document, world).open(address, given);
}

/** Ask again while the server is too busy. @param {() => Promise<any>} ask @returns {Promise<any>} */
async function insist(ask, times = 5) {
  try { return await ask(); } catch (error) {
    const { status, document } = /** @type {any} */ (error);
    if (!times || !(status === 503 || document?.limit === "quick_seconds")) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return insist(ask, times - 1);
  }
}

/** A world that was deleted is made again; all else is an error. @param {any} error */
const forgive = (error) => { if (error.status !== 404) throw error; };

/** Never a blank page: what the server does, in words. @param {import("../app/shell.js").Shell} shell @param {string} name */
function showWaiting(shell, name) {
  const page = h("div", { class: "page world-wait", role: "status" }, h("div", { class: "skeleton" }),
    h("div", { class: "card" }, h("h2", {}, `Opening the world${name ? ` of ${name}` : ""} …`), h("progress", { "aria-label": "Opening the world" }),
      h("p", { class: "quiet" }, "The first world of a tile set takes some seconds: the server looks for a map that fits itself on all sides. "
        + "The next ones open at once.")));
  shell.stage.append(page);
  return page;
}

/**
 * The world that a document is about: one that was made before, or a new one.
 * @param {import("../app/shell.js").Shell} shell @param {any} state @param {any} tileset
 * @param {any[][]} [edits] that it has, and no others; without: whatever it has
 */
async function findWorld(shell, state, tileset, edits) {
  const { signal } = shell, { worlds } = await get("/worlds?limit=500", signal), request = toRequest(state, tileset), { seed } = request;
  const known = worlds.filter((/** @type {any} */ each) => each.tileset === request.tileset && each.seed === seed && !each.draft);
  for (const { id } of edits?.length ? [] : known) {
    const world = await get(`/worlds/${id}`, signal);
    if (hasSettings(world, request) && !(edits && world.revision)) return world;
  }
  if (!shell.canWrite) {
    const advice = "Open one of the worlds on the start page.";
    throw Object.assign(new Error("Your key may only read, and this server has no such world yet."), { advice });
  }
  const world = await post("/worlds", request, signal);
  for (const cells of edits ?? []) world.revision = (await post(`/worlds/${world.id}/edits`, { cells }, signal)).revision;
  return world;
}

export class WorldView extends View {
  /**
   * @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets @param {StudioDocument} document
   * @param {any} world of the document, as the service describes it
   */
  constructor(shell, tilesets, document, world) {
    super(shell, document);
    this.tilesets = tilesets;
    this.world = world;
    this.revision = world.revision;
    this.tileset = this.atlas = /** @type {any} */ (null);
    this.budget = Infinity; // milliseconds to wait for a chunk, before a provisional one is shown
    this.latencies = /** @type {number[]} */ ([]); // milliseconds of the last tiles
    const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "World: drag to move, wheel to zoom" });
    shell.stage.append(canvas);
    const tiles = new TileStore((z, x, y, before) => `${API}/worlds/${this.world.id}/tiles/${z}/${x}/${y}.png?revision=${this.revision}${
      this.budget < Infinity && (!before || before.kind === "exact") ? `&budget=${this.budget}` : ""}`);
    tiles.addEventListener("tile", (event) => this._count(/** @type {CustomEvent} */ (event).detail.milliseconds));
    tiles.addEventListener("fault", (event) => this._lose(/** @type {CustomEvent} */ (event).detail));
    this.layer = new TileLayer(canvas, tiles);
    this.chunks = new ChunkOverlay(this);
    this.painter = new Painter(this);
    this._stop = listenToPlane(this.layer, this.painter.hands);
    this.layer.overlays.push(() => this._later());
    this._field = "";
    this._follow();
    this._land = JSON.stringify(this.state.land);
    this._known = new Map([[this._land, world.id]]); // worlds that stay, by their land
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
    this.jump(x || 0, y || 0, Number(address.get("scale")) || 16);
    this.tileset = await get(`/tilesets/${encodeURIComponent(this.world.tileset)}`, this.signal);
    this.atlas = await Atlas.load(this.tileset, this.signal);
    this.bar = buildBar(this);
    this.inspector = buildInspector(this);
    setShortcuts(listShortcuts(this));
    this.shell.say(this.shell.canWrite ? "Drag to move, turn the wheel to zoom. Choose a tile on the right to paint."
      : "Read-only: your key lets you look around, but not paint.");
  }

  close() {
    super.close();
    clearTimeout(this._timer);
    clearTimeout(this._retry);
    this._feed?.close();
    this._stop();
    this.layer.close();
  }

  /** Put a cell into the middle. @param {number} x @param {number} y @param {number} scale CSS pixels of a cell */
  jump(x, y, scale = this.scale) {
    this.layer.lookAt(...planeMiddle(this.world.topology, x, y), scale * devicePixelRatio);
  }

  /** Another world of another set or seed. @param {string} tileset @param {number} seed */
  go(tileset, seed) {
    location.hash = `#/world?tileset=${encodeURIComponent(tileset)}&seed=${seed}&at=${this.middle}&scale=${this.scale}`;
  }

  /** A change of the world, of this tab or another one. @param {any} change */
  follow(change) {
    if (change.revision === undefined || change.revision <= this.revision) return;
    const { document } = this, next = document.commands[document.applied];
    this.revision = change.revision;
    this.painter.forget();
    this.layer.invalidate(change.box ?? null, this.world.topology === "hex");
    if (change.kind === "undo" && document.commands[document.applied - 1]?.do === "edit") document.undo();
    else if (change.kind === "redo" && next?.do === "edit") document.redo();
    else if (change.kind !== "undo") document.apply({ do: "edit" });
    const what = /** @type {Record<string, string>} */ ({ edit: "Painted", undo: "Undone", redo: "Done again" })[change.kind] ?? "Changed";
    this.shell.say(`${what}: ${change.cells} ${change.cells === 1 ? "cell" : "cells"} changed.`);
    this.shell.stage.dataset.revision = change.revision;
    this._later();
  }

  /** Show a field over the map. @param {string} name "": none */
  showField(name = this._field) {
    const { world } = this;
    this._field = world.fields.some((/** @type {any} */ each) => each.name === name) ? name : "";
    this.layer.veil = this._field ? new TileStore((z, x, y) => `${API}/worlds/${world.id}/fields/${encodeURIComponent(name)}/${z}/${x}/${y}.png`) : null;
  }

  get field() { return this._field; }

  /** Something in the document changed. */
  _apply() {
    this.bar?.update();
    this.inspector?.update();
    const land = JSON.stringify(this.state.land);
    if (land !== this._land) this._replaceWorld();
    this._land = land;
  }

  /** Another land needs another world; one at a time, and the last one wins. */
  async _replaceWorld() {
    this._isStale = true;
    if (this._isMaking) return;
    this._isMaking = true;
    try {
      while (this._isStale) {
        this._isStale = false;
        await this._makeWorld();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this._isMaking = false;
    }
  }

  /** A draft of what the document says. What is visible stays until its tiles are there. */
  async _makeWorld() {
    this.shell.say("Making this land …");
    const { world: before, revision, _known: known } = this, isKept = !before.draft || revision > 0;
    const land = JSON.stringify(this.state.land), id = known.get(land);
    const world = (id && (await get(`/worlds/${id}`, this.signal).catch(() => null))) || (await post("/worlds", { ...toRequest(this.state, this.tileset), draft: true }, this.signal));
    Object.assign(this, { world, revision: world.revision });
    if (isKept) known.set(this._made ?? [...known.keys()][0], before.id);
    else remove(`/worlds/${before.id}`).catch(() => {}); // nobody has painted on it
    this._made = land;
    this._follow();
    this.painter.forget();
    this.chunks.states.clear();
    this.layer.invalidate();
    this.showField();
    this.inspector?.update();
    const note = isKept ? " The world before is kept: Undo brings it back." : "";
    this.shell.say(world.draft ? `Another land, with the same seed.${note}` : "Back in the world before.");
  }

  /** Listen to what others change. */
  _follow() {
    this._feed?.close();
    const feed = (this._feed = new EventSource(`${API}/worlds/${this.world.id}/events?since=${this.revision}`));
    feed.addEventListener("change", (event) => this.follow(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    feed.addEventListener("end", () => { feed.close(); this._lose(404); });
    feed.addEventListener("error", () => {
      this._lose(0);
      if (feed.readyState === EventSource.CLOSED) this._retry = setTimeout(() => this._find(), 2_000); // refused: browsers do not try again
    });
    feed.addEventListener("open", () => { if (this._isLost) { this._isLost = false; this.shell.say("Connected again."); this.layer.draw(); } });
  }

  /** Is the world still there? */
  async _find() {
    try {
      this.follow({ ...(await get(`/worlds/${this.world.id}`, this.signal)), kind: "edit", cells: 0 });
      this._follow();
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if (this.signal.aborted) return;
      this._lose(status);
      if (status !== 404) this._retry = setTimeout(() => this._find(), 2_000);
    }
  }

  /** The server is gone, or the world is. @param {number} status */
  _lose(status) {
    if (status === 404 || status === 410) {
      const again = button("Make it again", () => { this.document.seal(); this._replaceWorld(); this.shell.closeCard(); }, { kind: "main" });
      return this.shell.showCard("error", "This world was deleted", "Somebody removed it from the server, with its edits. The same land can be made again.",
        this.shell.canWrite ? [again] : []);
    }
    if (status === 401) return dispatchEvent(new Event("unauthorized"));
    this._isLost = true;
    this.shell.say("The server does not answer. Trying again …", "warn");
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
  takePicture(width = 192, height = 120) {
    const { canvas } = this.layer, small = h("canvas", { width, height }), part = Math.min(canvas.width / width, canvas.height / height);
    const across = width * part, down = height * part;
    small.getContext("2d").drawImage(canvas, (canvas.width - across) / 2, (canvas.height - down) / 2, across, down, 0, 0, width, height);
    return small.toDataURL("image/webp", 0.7);
  }

  get place() { return `${super.place}&id=${this.world.id}&at=${this.middle}&scale=${Number(this.scale.toFixed(3))}`; }
  get isWorthSaving() { return Boolean(this.tileset); } // also where one is
  describe() { return { title: `World of ${this.tileset.name}, seed ${this.world.seed}`, picture: this.takePicture() }; }
  toJSON() { return { ...super.toJSON(), world: this.world.id }; }
}
