/** The voxels of a cube set's patterns, and their pictures from above. */

import { picture } from "../../app/api.js";
import { SIDES } from "./grid.js";

export class Models {
  /** @param {any} tileset from the service */
  static async load(tileset) {
    const { url, ...layout } = tileset.voxels, image = await picture(url);
    const ink = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true }));
    ink.drawImage(image, 0, 0);
    return new Models(layout, ink.getImageData(0, 0, image.width, image.height), tileset.pattern_count);
  }

  /** @param {{columns: number, width: number, height: number, depth: number}} layout @param {ImageData} sheet @param {number} count */
  constructor({ columns, width, height, depth }, sheet, count) {
    this.columns = columns;
    this.sheet = sheet;
    this.count = count;
    this.size = [width, height, depth];
    this.isEmpty = Array.from({ length: count }, (_, pattern) => !this._some(pattern, () => true));
    /** Whether nothing is seen through a side of a pattern: what touches it there is hidden. */
    this.isFull = Array.from({ length: count }, (_, pattern) => SIDES.map((side) => this._isFull(pattern, side)));
  }

  /** Where in the sheet a voxel's colour is; -1: there is nothing. */
  at(/** @type {number} */ pattern, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) {
    const [width, height, depth] = this.size;
    if (x < 0 || y < 0 || z < 0 || x >= width || y >= height || z >= depth) return -1;
    const column = (pattern % this.columns) * width * depth + z * width + x, row = Math.floor(pattern / this.columns) * height + y;
    const start = 4 * (row * this.sheet.width + column);
    return this.sheet.data[start + 3] > 127 ? start : -1;
  }

  /** Every pattern from above, side by side in one row; what lies deeper is darker. */
  picturesFromAbove() {
    const [width, height, depth] = this.size, image = new ImageData(width * this.count, height);
    for (let pattern = 0; pattern < this.count; pattern++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          let z = depth - 1;
          while (z >= 0 && this.at(pattern, x, y, z) < 0) z--;
          if (z < 0) continue;
          const from = this.at(pattern, x, y, z), to = 4 * (y * image.width + pattern * width + x), light = 0.55 + 0.45 * (z + 1) / depth;
          for (let channel = 0; channel < 3; channel++) image.data[to + channel] = this.sheet.data[from + channel] * light;
          image.data[to + 3] = 255;
        }
    return image;
  }

  /** Whether a condition holds for a voxel that is there. */
  _some(/** @type {number} */ pattern, /** @type {(x: number, y: number, z: number) => boolean} */ holds) {
    const [width, height, depth] = this.size;
    for (let z = 0; z < depth; z++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) if (this.at(pattern, x, y, z) >= 0 && holds(x, y, z)) return true;
    return false;
  }

  _isFull(/** @type {number} */ pattern, /** @type {number[]} */ side) {
    const axis = side.findIndex(Boolean), edge = side[axis] > 0 ? this.size[axis] - 1 : 0, at = [0, 0, 0], [u, v] = [0, 1, 2].filter((each) => each !== axis);
    at[axis] = edge;
    for (at[u] = 0; at[u] < this.size[u]; at[u]++)
      for (at[v] = 0; at[v] < this.size[v]; at[v]++) if (this.at(pattern, at[0], at[1], at[2]) < 0) return false;
    return true;
  }
}
