// An endless world on a map: pan, zoom, choose a tile and click to place it, undo. What others change shows up, too.

import { Server } from "./api.js";
import { CellPlane, geometryOf, outline } from "./geometry.js";
import { WorldLayer } from "./world_layer.js";

const query = new URLSearchParams(location.search);
const address = query.get("server") ?? "http://localhost:8317";
const server = new Server(address, takeKey(address));
const find = (id) => document.getElementById(id);

const map = L.map("map", { crs: CellPlane, minZoom: -8, maxZoom: 4, attributionControl: false });
// The world that is shown, how its cells lie, its map tiles, its changes, and the tile to place.
let world, geometry, layer, feed, chosen;
const seen = new Set(); // revisions whose changes are shown

// The API key of the address, which is for this window and this server only: people who get the address must not
// get the key, nor may a server that another link names.
function takeKey(address) {
  if (query.has("key")) {
    sessionStorage.setItem(`key ${address}`, query.get("key"));
    query.delete("key");
    history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  }
  return sessionStorage.getItem(`key ${address}`);
}

// --- which world -------------------------------------------------------------------------------------

async function start() {
  const { tilesets } = await server.json("/tilesets");
  const endless = tilesets.filter((each) => each.worlds);
  find("tileset").replaceChildren(...endless.map(({ id, name }) => new Option(name, id)));
  const [id, zoom, x, y] = location.hash.slice(1).split("/");
  map.setView([Number(y ?? 0), Number(x ?? 0)], Number(zoom ?? 0));
  if (id) show(await server.json(`/worlds/${id}`));
  else await create("terrain", 7);
}

// Terrain is driven by noise, so that there are continents to see from far away.
const OPTIONS = { terrain: { preset: "terrain" } };

async function create(tileset, seed) {
  show(await server.json("/worlds", { method: "POST", body: { tileset, seed, ...OPTIONS[tileset] } }));
}

function show(next) {
  world = next;
  geometry = geometryOf(world.topology);
  layer?.remove();
  layer = new WorldLayer(server, world).on("load", showStatus).addTo(map);
  find("tileset").value = world.tileset;
  find("seed").value = world.seed;
  remember();
  listen();
  showPalette();
}

// The address of the page names the world and the view, so that it can be shared and opened again.
function remember() {
  const { lat, lng } = map.getCenter();
  history.replaceState(null, "", `#${world.id}/${map.getZoom()}/${lng.toFixed(1)}/${lat.toFixed(1)}`);
}

// --- edits ------------------------------------------------------------------------------------------

async function showPalette() {
  choose();
  find("filter").value = "";
  const { tiles, atlas } = await server.json(`/tilesets/${world.tileset}`);
  const picture = URL.createObjectURL(await (await server.send(atlas.url)).blob());
  find("palette").replaceChildren(...tiles.map((tile) => makeChoice(tile, atlas, picture)));
}

// A tile is a part of the atlas: pattern n is in column n % columns, row n / columns.
function makeChoice({ name, patterns }, atlas, picture) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = name;
  button.ariaLabel = name;
  button.role = "option";
  const column = patterns[0] % atlas.columns, row = Math.floor(patterns[0] / atlas.columns);
  const share = (number, all) => `${all > 1 ? (100 * number) / (all - 1) : 0}%`;
  const drawing = document.createElement("i");
  drawing.style.aspectRatio = `${atlas.width} / ${atlas.height}`;
  drawing.style.background = `url(${picture})`;
  drawing.style.backgroundSize = `${100 * atlas.columns}% ${100 * atlas.rows}%`;
  drawing.style.backgroundPosition = `${share(column, atlas.columns)} ${share(row, atlas.rows)}`;
  button.append(drawing);
  button.onclick = () => (chosen === name ? choose() : choose(name, button));
  return button;
}

function choose(name, button) {
  chosen = name;
  for (const each of find("palette").children) each.setAttribute("aria-selected", name && each === button);
  find("map").classList.toggle("can-edit", Boolean(name));
}

async function change(path, body) {
  try {
    apply(await server.json(`/worlds/${world.id}/${path}`, { method: "POST", body }));
  } catch (error) {
    complain(error);
  }
}

// Every change of this world, by any client, with the rectangle of cells that it changed.
function listen() {
  feed?.abort();
  seen.clear();
  feed = new AbortController();
  server.follow(`/worlds/${world.id}/events?since=${world.revision}`, "change", apply, feed.signal);
}

function apply({ revision, box }) {
  if (seen.has(revision)) return; // our own, which the feed tells, too
  seen.add(revision);
  world.revision = Math.max(world.revision, revision);
  showStatus();
  if (!box) return;
  const corners = outline(geometry, box);
  layer.change(L.latLngBounds(corners));
  const mark = L.polygon(corners, { className: "changed", color: "#fff", weight: 2, interactive: false });
  mark.addTo(map);
  setTimeout(() => mark.remove(), 1200);
}

// --- the rest ----------------------------------------------------------------------------------------

let pointer = null; // the cell under the pointer

function showStatus() {
  const cell = pointer ? `cell ${pointer.join(", ")} · ` : "";
  const rough = layer?.isRough() ? " · parts are not made yet: zoom in" : "";
  find("status").textContent = `${cell}zoom ${map.getZoom()} · revision ${world?.revision ?? 0}${rough}`;
}

function complain(error) {
  find("message").textContent = [error.message, error.advice].filter(Boolean).join(" — ");
  find("message").hidden = false;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => (find("message").hidden = true), 6000);
}

const cellAt = ({ lat, lng }) => geometry.cellAt(lng, lat);
map.on("mousemove", ({ latlng }) => { if (world) pointer = cellAt(latlng); showStatus(); });
map.on("moveend", () => { if (world) remember(); showStatus(); });
map.on("click", ({ latlng }) => { if (chosen) change("edits", { cells: [[...cellAt(latlng), chosen]] }); });
find("filter").oninput = ({ target }) => {
  for (const each of find("palette").children) each.hidden = !each.title.includes(target.value.trim());
};
find("undo").onclick = () => change("undo");
find("redo").onclick = () => change("redo");
find("worlds").onsubmit = (event) => {
  event.preventDefault();
  create(find("tileset").value, Number(find("seed").value)).catch(complain);
};
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  change(event.shiftKey ? "redo" : "undo");
});
start().catch(complain);
