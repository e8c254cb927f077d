/** The voxels of a cube set's patterns, and what is seen of them: faces for space, pictures from above. */

import { picture } from "../../app/api.js";
import { SIDES } from "./grid.js";

const SHADES = [0.5, 0.68, 0.84, 1]; // of a corner by how many of the three voxels around it are free

const CORNERS = [[0, 0], [1, 0], [1, 1], [0, 1]], SPACE = [0, 2, 1]; // of a face; and where an axis of the map is in space

/** @typedef {{position: Float32Array, normal: Float32Array, color: Float32Array, index: Uint32Array}} Faces */

/** A colour as light, which is what shading computes with. */
const LINEAR = Float32Array.from({ length: 256 }, (_, value) => (value < 11 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));

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

  /** The faces of a pattern as triangles in a box of 1, y up; sides of `hidden` (a bit each) are left out, and those that look down. @returns {Faces} */
  faces(/** @type {number} */ pattern, /** @type {number} */ hidden) {
    const position = /** @type {number[]} */ ([]), normal = /** @type {number[]} */ ([]), color = /** @type {number[]} */ ([]), index = /** @type {number[]} */ ([]);
    const { size, sheet } = this, voxel = [0, 0, 0];
    for (let side = 0; side < 5; side++) {
      const step = SIDES[side], axis = step.findIndex(Boolean), [u, v] = [0, 1, 2].filter((each) => each !== axis), isHidden = hidden >> side & 1;
      const edge = step[axis] > 0 ? size[axis] - 1 : 0, isTurned = (step[axis] > 0) !== (axis === 1); // which way around its corners go
      for (voxel[axis] = 0; voxel[axis] < size[axis]; voxel[axis]++) {
        if (isHidden && voxel[axis] === edge) continue;
        for (voxel[v] = 0; voxel[v] < size[v]; voxel[v]++) {
          let before = ""; // the look of the last face, if it can be made longer
          for (voxel[u] = 0; voxel[u] < size[u]; voxel[u]++) {
            const found = this.at(pattern, voxel[0], voxel[1], voxel[2]), first = position.length / 3;
            if (found < 0 || this.at(pattern, voxel[0] + step[0], voxel[1] + step[1], voxel[2] + step[2]) >= 0) { before = ""; continue; }
            const shades = CORNERS.map(([du, dv]) => SHADES[this._openings(pattern, voxel, step, u, v, du, dv)]), look = `${sheet.data.subarray(found, found + 3)} ${shades}`;
            if (look === before) {
              for (const corner of [first - 3, first - 2]) position[3 * corner + SPACE[u]] = (voxel[u] + 1) / size[u];
              continue;
            }
            before = shades[0] === shades[1] && shades[2] === shades[3] ? look : "";
            CORNERS.forEach(([du, dv], each) => {
              const corner = [...voxel];
              corner[u] += du; corner[v] += dv;
              if (step[axis] > 0) corner[axis]++;
              position.push(corner[0] / size[0], corner[2] / size[2], corner[1] / size[1]);
              normal.push(step[0], step[2], step[1]);
              for (let channel = 0; channel < 3; channel++) color.push(LINEAR[sheet.data[found + channel]] * shades[each]);
            });
            // Cut along the diagonal that keeps a dark corner to itself.
            const [a, b, c, d] = shades[0] + shades[2] > shades[1] + shades[3] ? [0, 1, 2, 3] : [1, 2, 3, 0];
            for (const each of isTurned ? [a, c, b, a, d, c] : [a, b, c, a, c, d]) index.push(first + each);
          }
        }
      }
    }
    return { position: Float32Array.from(position), normal: Float32Array.from(normal), color: Float32Array.from(color), index: Uint32Array.from(index) };
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

  /** How many of the three voxels that touch a face's corner from outside are free. A block stands on something, so below it is none. */
  _openings(/** @type {number} */ pattern, /** @type {number[]} */ voxel, /** @type {number[]} */ step, /** @type {number} */ u, /** @type {number} */ v,
            /** @type {number} */ du, /** @type {number} */ dv) {
    const isFree = (/** @type {number} */ alongU, /** @type {number} */ alongV) => {
      const at = voxel.map((each, axis) => each + step[axis]);
      at[u] += alongU; at[v] += alongV;
      return at[2] >= 0 && this.at(pattern, at[0], at[1], at[2]) < 0 ? 1 : 0;
    };
    const one = isFree(2 * du - 1, 0), other = isFree(0, 2 * dv - 1);
    return one || other ? one + other + isFree(2 * du - 1, 2 * dv - 1) : 0;
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
