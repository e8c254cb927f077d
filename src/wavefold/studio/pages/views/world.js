/** World: wander through an endless map, and change it. */

import { API, get, picture, post } from "../app/api.js";
import { setShortcuts } from "../app/keyboard.js";
import { Atlas } from "../board/atlas.js";
import { planeCellAt, planeMiddle, planeOutline } from "../board/plane.js";
import { TileLayer } from "../board/tile-layer.js";
import { listenToPlane } from "../board/plane-pointer.js";
import { button, choice, numberField, section, toggle } from "../parts/controls.js";
import { fill, h } from "../parts/element.js";

/** @param {import("../app/shell.js").Shell} shell @param {URLSearchParams} address */
export async function open(shell, address) {
  const { tilesets } = await get("/tilesets"), possible = tilesets.filter((/** @type {any} */ each) => each.worlds);
  const id = address.get("id"), tileset = address.get("tileset") ?? "meadow";
  const world = id ? await get(`/worlds/${id}`) : await findWorld(tileset, Number(address.get("seed") ?? 7));
  const view = new WorldView(shell, possible, world);
  await view.begin(address);
  return () => view.close();
}

/** The world of a tile set and seed that was made before, or a new one. @param {string} tileset @param {number} seed */
async function findWorld(tileset, seed) {
  const { worlds } = await get("/worlds");
  const known = worlds.find((/** @type {any} */ each) => each.tileset === tileset && each.seed === seed);
  return known ? get(`/worlds/${known.id}`) : post("/worlds", { tileset, seed });
}

class WorldView {
  /** @param {import("../app/shell.js").Shell} shell @param {any[]} tilesets @param {any} world */
  constructor(shell, tilesets, world) {
    this.shell = shell;
    this.tilesets = tilesets;
    this.world = world;
    this.revision = world.revision;
    this.tile = "";
    this.showsChunks = false;
    this.hovered = /** @type {[number, number]|null} */ (null);
    this.pending = /** @type {Map<string, [number, number]>} */ (new Map());
    const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "World: drag to move, wheel to zoom" });
    shell.stage.append(canvas);
    this.layer = new TileLayer(canvas, (z, x, y) => `${API}/worlds/${world.id}/tiles/${z}/${x}/${y}.png?revision=${this.revision}`);
    this.layer.overlays.push((ink) => this._drawMarks(ink));
    this._stop = listenToPlane(this.layer, {
      hover: (x, y) => this._hover(x, y),
      press: (x, y) => this._press(x, y),
      stroke: (x, y) => this._paint(x, y),
      release: () => this._commit(),
    });
    this._feed = new EventSource(`${API}/worlds/${world.id}/events`);
    this._feed.onmessage = ({ data }) => this._follow(JSON.parse(data));
    this._feed.addEventListener("change", (event) => this._follow(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    setShortcuts(this._shortcuts());
  }

  /** @param {URLSearchParams} address */
  async begin(address) {
    const [x, y] = (address.get("at") ?? "0,0").split(",").map(Number);
    this.layer.camera.scale = Number(address.get("scale") ?? 8) * devicePixelRatio;
    this.jump(x || 0, y || 0);
    this._showBar();
    this.tileset = await get(`/tilesets/${encodeURIComponent(this.world.tileset)}`);
    const { url, columns, width, height } = this.tileset.atlas;
    this.atlas = new Atlas(await picture(url.replace(/^.*\/api\/v1/, "")), columns, width, height, this.tileset.pattern_count);
    this._showInspector();
    this.shell.say("Drag to move, turn the wheel to zoom. Choose a tile on the right to paint.");
  }

  close() {
    this._feed.close();
    this._stop();
    this.layer.close();
  }

  /** Put a cell into the middle. @param {number} x @param {number} y */
  jump(x, y) {
    const { camera, canvas } = this.layer, [px, py] = planeMiddle(this.world.topology, x, y);
    camera.x = px - canvas.width / 2 / camera.scale;
    camera.y = py - canvas.height / 2 / camera.scale;
    this.layer.draw();
  }

  async undo(path = "undo") {
    await this._guard(async () => this._follow(await post(`/worlds/${this.world.id}/${path}`, {})));
  }

  _follow(/** @type {any} */ change) {
    if (change.revision === undefined || change.revision <= this.revision) return;
    this.revision = change.revision;
    this.layer.invalidate(change.box ?? null);
    this.shell.say(`Revision ${change.revision}: ${change.kind}, ${change.cells} cells changed.`);
  }

  _hover(/** @type {number} */ x, /** @type {number} */ y) {
    this.hovered = planeCellAt(this.world.topology, x, y);
    this.shell.hover(this.hovered.join(", "));
    this.layer.draw();
  }

  _press(/** @type {number} */ x, /** @type {number} */ y) {
    if (!this.tile) return false;
    this._paint(x, y);
    return true;
  }

  _paint(/** @type {number} */ x, /** @type {number} */ y) {
    const cell = planeCellAt(this.world.topology, x, y);
    this.pending.set(cell.join(","), cell);
    this.layer.draw();
  }

  async _commit() {
    const cells = [...this.pending.values()].map((cell) => [...cell, this.tile]);
    if (!cells.length) return;
    await this._guard(async () => this._follow(await post(`/worlds/${this.world.id}/edits`, { cells })));
    this.pending.clear();
    this.layer.draw();
  }

  async _guard(/** @type {() => Promise<any>} */ work) {
    try {
      this.shell.closeCard();
      await work();
    } catch (error) {
      const { message, advice = "", document } = /** @type {any} */ (error);
      this.shell.showCard("error", document?.title ?? "That did not work", `${message} ${advice}`);
    }
  }

  _drawMarks(/** @type {CanvasRenderingContext2D} */ ink) {
    const { camera, canvas } = this.layer, topology = this.world.topology;
    const trace = (/** @type {[number, number]} */ cell) => {
      ink.beginPath();
      planeOutline(topology, ...cell).forEach(([x, y], index) => { const at = camera.toScreen(x, y); if (index) ink.lineTo(...at); else ink.moveTo(...at); });
      ink.closePath();
    };
    if (this.showsChunks && topology !== "hex") this._drawChunks(ink);
    ink.fillStyle = `color-mix(in srgb, ${getComputedStyle(canvas).getPropertyValue("--accent")} 45%, transparent)`;
    for (const cell of this.pending.values()) { trace(cell); ink.fill(); }
    if (!this.hovered || camera.scale < 6) return;
    trace(this.hovered);
    ink.lineWidth = 3 * devicePixelRatio; ink.strokeStyle = "rgb(0 0 0 / .55)"; ink.stroke();
    ink.lineWidth = 1.5 * devicePixelRatio; ink.strokeStyle = "#fff"; ink.stroke();
  }

  _drawChunks(/** @type {CanvasRenderingContext2D} */ ink) {
    const { camera, canvas } = this.layer, side = this.world.chunk, [right, bottom] = camera.toMap(canvas.width, canvas.height);
    ink.strokeStyle = "rgb(255 255 255 / .55)";
    ink.lineWidth = devicePixelRatio;
    ink.beginPath();
    for (let x = Math.ceil(camera.x / side) * side; x < right; x += side) { const [px] = camera.toScreen(x, 0); ink.moveTo(px + 0.5, 0); ink.lineTo(px + 0.5, canvas.height); }
    for (let y = Math.ceil(camera.y / side) * side; y < bottom; y += side) { const [, py] = camera.toScreen(0, y); ink.moveTo(0, py + 0.5); ink.lineTo(canvas.width, py + 0.5); }
    ink.stroke();
  }

  _showBar() {
    const go = (/** @type {string} */ tileset, /** @type {number} */ seed) => { location.hash = `#/world?tileset=${encodeURIComponent(tileset)}&seed=${seed}`; };
    let x = 0, y = 0;
    fill(this.shell.bar,
      choice("World of", this.tilesets.map(({ id, name }) => [id, name]), this.world.tileset, (id) => go(id, this.world.seed), true),
      numberField("Seed", this.world.seed, (seed) => go(this.world.tileset, seed), { isInline: true }),
      button("Another world", () => go(this.world.tileset, this.world.seed + 1), { symbol: "dice", isIconOnly: true, key: "S" }),
      h("span", { class: "divider" }),
      numberField("Go to x", 0, (value) => { x = value; this.jump(x, y); }, { isInline: true }),
      numberField("y", 0, (value) => { y = value; this.jump(x, y); }, { isInline: true }),
      h("span", { class: "divider" }),
      button("Undo", () => this.undo(), { symbol: "undo", isIconOnly: true, key: "Ctrl+Z" }),
      button("Redo", () => this.undo("redo"), { symbol: "redo", isIconOnly: true, key: "Ctrl+Shift+Z" }),
      h("span", { class: "spring" }),
      button("Copy link", () => navigator.clipboard.writeText(this._link()).then(() => this.shell.say("Copied.")), { symbol: "share" }));
  }

  _link() {
    const { camera, canvas } = this.layer, [x, y] = planeCellAt(this.world.topology, ...camera.toMap(canvas.width / 2, canvas.height / 2));
    return `${location.origin}${location.pathname}#/world?id=${this.world.id}&at=${x},${y}&scale=${(camera.scale / devicePixelRatio).toFixed(2)}`;
  }

  _showInspector() {
    const palette = h("div", { class: "swatches", role: "group", "aria-label": "Tiles to paint" });
    const show = () => fill(palette, ...this.tileset.tiles.map((/** @type {any} */ tile) => {
      const canvas = h("canvas", { width: this.atlas?.width, height: this.atlas?.height });
      this.atlas?.draw(canvas.getContext("2d"), tile.patterns[0], 0, 0);
      return h("button", { type: "button", class: "swatch", title: tile.name, "aria-label": tile.name, "aria-pressed": String(this.tile === tile.name),
        onclick: () => { this.tile = this.tile === tile.name ? "" : tile.name; show(); } }, canvas);
    }));
    show();
    fill(this.shell.inspector,
      section("Paint", h("p", { class: "quiet small" }, "Choose a tile, then draw on the world. The cells around it change to fit."), palette),
      section("Show", toggle("Borders of chunks", this.showsChunks, (value) => { this.showsChunks = value; this.layer.draw(); })));
  }

  _shortcuts() {
    const zoom = (/** @type {number} */ factor) => () => { const { camera, canvas } = this.layer; camera.zoomTo(camera.scale * factor, canvas.width / 2, canvas.height / 2); this.layer.draw(); };
    const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => () => { this.layer.camera.pan(dx * devicePixelRatio, dy * devicePixelRatio); this.layer.draw(); };
    return [
      { key: "ArrowLeft", does: "move left", run: pan(120, 0) }, { key: "ArrowRight", does: "move right", run: pan(-120, 0) },
      { key: "ArrowUp", does: "move up", run: pan(0, 120) }, { key: "ArrowDown", does: "move down", run: pan(0, -120) },
      { key: "+ or =", does: "zoom in", run: zoom(2) }, { key: "-", does: "zoom out", run: zoom(0.5) },
      { key: "0", does: "back to the origin", run: () => this.jump(0, 0) },
      { key: "S", does: "another world", run: () => { location.hash = `#/world?tileset=${this.world.tileset}&seed=${this.world.seed + 1}`; } },
      { key: "Ctrl+Z", does: "undo", run: () => this.undo() }, { key: "Ctrl+Shift+Z or Ctrl+Y", does: "redo", run: () => this.undo("redo") },
    ];
  }
}
