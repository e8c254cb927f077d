// A Leaflet layer of a world's map tiles. Tiles are fetched, not linked, so that requests for tiles that have
// left the screen are cancelled, an API key can be sent, and a tile that changed is replaced without a flicker.

import { CHUNK } from "./geometry.js";

export const WorldLayer = L.GridLayer.extend({
  options: { tileSize: 256, minZoom: -8, maxZoom: 4, keepBuffer: 1, updateWhenZooming: false },

  initialize(server, world, options) {
    L.GridLayer.prototype.initialize.call(this, options);
    Object.assign(this, { server, world });
    this.on("tileunload", ({ tile }) => forget(tile));
  },

  createTile(coords, done) {
    const tile = L.DomUtil.create("img", "world-tile");
    tile.alt = "";
    tile.coords = coords;
    this.load(tile).then(() => done(null, tile), (error) => done(error, tile));
    return tile;
  },

  // A tile of one revision never changes, so that browsers may cache it, if all of its cells are made.
  async load(tile) {
    const { x, y, z } = tile.coords;
    tile.request?.abort();
    tile.request = new AbortController();
    const path = `/worlds/${this.world.id}/tiles/${z}/${x}/${y}.png?revision=${this.world.revision}`;
    const answer = await this.server.send(path, { signal: tile.request.signal });
    tile.how = answer.headers.get("X-Wavefold-Tile");
    const old = tile.src;
    tile.src = URL.createObjectURL(await answer.blob());
    await tile.decode();
    tile.classList.add("ready");
    if (old) URL.revokeObjectURL(old);
  },

  // Whether a tile that is shown was drawn from few chunks or from mean colours, because it shows a large area.
  isRough() {
    return Object.values(this._tiles).some(({ el, current }) => current && el.how && el.how !== "exact");
  },

  // Draw again what an edit changed: the tiles that touch these bounds.
  change(bounds) {
    for (const { el, coords } of Object.values(this._tiles)) {
      const side = CHUNK / 2 ** coords.z;
      const corner = L.latLng(coords.y * side, coords.x * side);
      const covers = L.latLngBounds(corner, L.latLng(corner.lat + side, corner.lng + side));
      if (covers.intersects(bounds)) this.load(el).catch(() => {});
    }
  },
});

function forget(tile) {
  tile.request?.abort();
  if (tile.src) URL.revokeObjectURL(tile.src);
}
