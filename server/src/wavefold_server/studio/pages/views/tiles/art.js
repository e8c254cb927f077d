/** Pictures of tiles and patterns: cut from the sheet of a set, or drawn here. */

import { Atlas, newInk } from "../../board/atlas.js";
import { hexGeometry } from "../../board/geometry.js";
import { h } from "../../parts/element.js";
import { reduceColours } from "../../parts/pixels.js";

/** @typedef {import("./set.js").TileSet} TileSet */
/** @typedef {import("../../parts/pixels.js").Sample} Sample */

/** @type {WeakMap<Sample, OffscreenCanvas>} */
const canvases = new WeakMap();

/** @param {Sample} sample */
function toCanvas(sample) {
  const known = canvases.get(sample), ink = newInk(sample.width, sample.height);
  if (known) return known;
  sample.pixels.forEach((colour, index) => { ink.fillStyle = sample.palette[colour]; ink.fillRect(index % sample.width, Math.floor(index / sample.width), 1, 1); });
  canvases.set(sample, ink.canvas);
  return ink.canvas;
}

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
    const [width, height] = this.size(set), { drawn, at, colour } = set.tiles[tile], cell = Array.isArray(at?.[0]) ? at[picture] ?? at[0] : at;
    if (drawn) return ink.drawImage(toCanvas(drawn), x, y, width, height);
    if (cell && this.sheet) return ink.drawImage(this.sheet, cell[0] * width, cell[1] * height, width, height, x, y, width, height);
    ink.fillStyle = colour ?? `hsl(${tile * 137} 40% 60%)`;
    ink.fillRect(x, y, width, height);
  }

  /** The picture of a tile as pixels, to be drawn on. @param {TileSet} set @param {number} tile @returns {Sample} */
  sample(set, tile) {
    const [width, height] = this.size(set), ink = newInk(width, height);
    this.draw(ink, set, tile);
    return set.tiles[tile].drawn ?? reduceColours(ink.getImageData(0, 0, width, height), 256);
  }

  /** All patterns side by side. @param {TileSet} set @param {any[]} patterns as the service describes them */
  atlas(set, patterns) {
    const [width, height] = this.size(set), columns = Math.ceil(Math.sqrt(patterns.length)), ink = newInk(columns * width, Math.ceil(patterns.length / columns) * height);
    let number = 0;
    patterns.forEach(({ tile, orientation }, index) => {
      number = patterns[index - 1]?.tile === tile ? number + 1 : 0;
      const hasOwn = Array.isArray(set.tiles[tile].at?.[0]);
      this.place(ink, set, tile, hasOwn ? number : 0, hasOwn ? "0" : orientation, (index % columns) * width, Math.floor(index / columns) * height);
    });
    return new Atlas(/** @type {any} */ (ink.canvas), columns, width, height, patterns.length);
  }

  /** Draw a tile turned and mirrored, cut to its cell. @param {any} ink @param {TileSet} set @param {number} tile @param {number} picture @param {string} orientation as "m90" */
  place(ink, set, tile, picture, orientation, x = 0, y = 0) {
    const [width, height] = this.size(set), isHex = set.tables.topology === "hex", turn = Number(orientation.replace("m", ""));
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
  thumbnail(set, tile, orientation = "0") {
    const [width, height] = this.size(set), canvas = h("canvas", { width, height });
    this.place(canvas.getContext("2d"), set, tile, 0, orientation);
    return canvas;
  }

  /**
   * A picture for these sockets: at each side, the part of another tile that has this socket there.
   * @param {TileSet} set @param {any} rules @param {Atlas} atlas @param {string[]} sockets @returns {Sample}
   */
  compose(set, rules, atlas, sockets) {
    const [width, height] = this.size(set), ink = newInk(width, height), step = (2 * Math.PI) / sockets.length;
    sockets.forEach((socket, side) => {
      const donor = rules.patterns.findIndex((/** @type {any} */ each) => each.sockets?.[side] === socket), angle = (side - 1) * step;
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
