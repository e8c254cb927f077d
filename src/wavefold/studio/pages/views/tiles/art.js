/** Pictures of tiles and patterns: cut from the sheet of a set, or drawn here. */

import { Atlas } from "../../board/atlas.js";
import { hexGeometry } from "../../board/geometry.js";
import { h } from "../../parts/element.js";
import { reduceColours } from "../../parts/pixels.js";

/** @typedef {import("./set.js").TileSet} TileSet */
/** @typedef {import("./set.js").Tile} Tile */
/** @typedef {import("../../parts/pixels.js").Sample} Sample */

/** @type {WeakMap<Sample, OffscreenCanvas>} */
const canvases = new WeakMap();
const newInk = (/** @type {number} */ width, /** @type {number} */ height) =>
  /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true }));

/** @param {Sample} sample */
function toCanvas(sample) {
  const known = canvases.get(sample);
  if (known) return known;
  const ink = newInk(sample.width, sample.height);
  sample.pixels.forEach((colour, index) => { ink.fillStyle = sample.palette[colour]; ink.fillRect(index % sample.width, Math.floor(index / sample.width), 1, 1); });
  canvases.set(sample, ink.canvas);
  return ink.canvas;
}

/** Whether a tile has a picture for each of its patterns. @param {Tile} tile */
export const hasEach = (tile) => (Array.isArray(tile.at?.[0]) && tile.at.length > 1) || Object.keys(tile.drawn ?? {}).length > 1;

export class Art {
  /** @param {ImageBitmap|null} sheet */
  constructor(sheet = null) { this.sheet = sheet; }

  /** The art of what the service gives. @param {Record<string, string>} files in base64 */
  static async read(files) {
    const sheet = files["tiles.png"];
    return new Art(sheet ? await createImageBitmap(new Blob([Uint8Array.from(atob(sheet), (each) => each.charCodeAt(0))])) : null);
  }

  /** Width and height of a tile. @param {TileSet} set @returns {[number, number]} */
  size({ tables }) { return tables.sheet?.size ?? [16, 16]; }

  /** Draw one of the pictures of a tile, as it was drawn. @param {any} ink @param {TileSet} set @param {number} tile */
  draw(ink, set, tile, picture = 0, x = 0, y = 0) {
    const [width, height] = this.size(set), { drawn, at, colour } = set.tiles[tile], sample = drawn?.[picture] ?? (at ? null : drawn?.[0]);
    if (sample) return ink.drawImage(toCanvas(sample), x, y, width, height);
    const cell = Array.isArray(at?.[0]) ? at[picture] ?? at[0] : at;
    if (cell && this.sheet) return ink.drawImage(this.sheet, cell[0] * width, cell[1] * height, width, height, x, y, width, height);
    ink.fillStyle = (Array.isArray(colour) ? colour[picture] : colour) ?? `hsl(${tile * 137} 40% 60%)`;
    ink.fillRect(x, y, width, height);
  }

  /** One of the pictures of a tile as pixels, to be drawn on. @param {TileSet} set @param {number} tile @returns {Sample} */
  sample(set, tile, picture = 0, size = this.size(set)) {
    const known = set.tiles[tile].drawn?.[picture], [width, height] = this.size(set), ink = newInk(size[0], size[1]);
    if (known && size[0] === known.width) return known;
    ink.imageSmoothingEnabled = false;
    ink.scale(size[0] / width, size[1] / height);
    this.draw(ink, set, tile, picture);
    return reduceColours(ink.getImageData(0, 0, size[0], size[1]), 256);
  }

  /** All patterns side by side. @param {TileSet} set @param {any[]} patterns as the service describes them */
  atlas(set, patterns) {
    const [width, height] = this.size(set), columns = Math.ceil(Math.sqrt(patterns.length)), ink = newInk(columns * width, Math.ceil(patterns.length / columns) * height), seen = new Map();
    patterns.forEach(({ tile, orientation }, index) => {
      const number = seen.get(tile) ?? 0, isEach = hasEach(set.tiles[tile]);
      seen.set(tile, number + 1);
      this.place(ink, set, tile, isEach ? number : 0, isEach ? "0" : orientation, (index % columns) * width, Math.floor(index / columns) * height);
    });
    return new Atlas(/** @type {any} */ (ink.canvas), columns, width, height, patterns.length);
  }

  /** Draw a tile turned and mirrored, cut to its cell. @param {any} ink @param {TileSet} set @param {number} tile @param {number} picture @param {string} orientation as "m90" */
  place(ink, set, tile, picture, orientation, x = 0, y = 0) {
    const [width, height] = this.size(set), isHex = set.tables.topology === "hex", turn = Number(orientation.replace("m", "") || 0);
    ink.save();
    ink.translate(x + width / 2, y + height / 2);
    ink.beginPath();
    if (isHex) for (const [cx, cy] of hexGeometry(Int32Array.of(0, 0), width, height).outline) ink.lineTo((cx - width / 2) * 1.05, (cy - height / 2) * 1.05);
    else ink.rect(-width / 2, -height / 2, width, height);
    ink.clip();
    ink.imageSmoothingEnabled = isHex && turn > 0;
    ink.rotate((turn * Math.PI) / 180);
    if (orientation.startsWith("m")) ink.scale(-1, 1);
    this.draw(ink, set, tile, picture, -width / 2, -height / 2);
    ink.restore();
  }

  /** A small picture of a tile. @param {TileSet} set @param {number} tile */
  thumbnail(set, tile, orientation = "0", picture = 0) {
    const [width, height] = this.size(set), canvas = h("canvas", { width, height });
    this.place(canvas.getContext("2d"), set, tile, picture, orientation);
    return canvas;
  }

  /** The most frequent colours. */
  palette(most = 22) {
    const { width = 0, height = 0 } = this.sheet ?? {}, ink = newInk(width || 1, height || 1);
    if (this.sheet) ink.drawImage(this.sheet, 0, 0);
    return reduceColours(ink.getImageData(0, 0, width || 1, height || 1), most).palette.filter((each) => each.length === 7);
  }

  /**
   * A picture for these sockets: at each side, the part of another tile that has this socket there.
   * @param {TileSet} set @param {any} rules @param {Atlas} atlas @param {string[]} sockets @returns {Sample}
   */
  compose(set, rules, atlas, sockets) {
    const [width, height] = this.size(set), ink = newInk(width, height), step = (2 * Math.PI) / sockets.length;
    sockets.forEach((socket, side) => {
      const donor = rules.patterns.findIndex((/** @type {any} */ each) => each.sockets?.[side] === socket), angle = (sockets.length === 4 ? -Math.PI / 2 : -Math.PI / 3) + side * step;
      ink.save();
      ink.beginPath();
      ink.moveTo(width / 2, height / 2);
      for (const turn of [-step / 2, 0, step / 2]) ink.lineTo(width / 2 + 2 * width * Math.cos(angle + turn), height / 2 + 2 * height * Math.sin(angle + turn));
      ink.clip();
      if (donor >= 0) atlas.draw(ink, donor, 0, 0);
      ink.restore();
    });
    return reduceColours(ink.getImageData(0, 0, width, height), 64);
  }
}
