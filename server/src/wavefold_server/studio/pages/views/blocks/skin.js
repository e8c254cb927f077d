/**
 * What the faces of blocks look like: one texture for all patterns, and the rectangles that show it. A slice of a pattern,
 * seen from one side, has a tile of the texture with the colours of its voxels, darkened where others are near: so a wall
 * is one rectangle.
 */

import { SIDES } from "./grid.js";

/** @typedef {{position: Float32Array, normal: Float32Array, uv: Float32Array, index: Uint32Array}} Faces */
/** @typedef {[u0: number, v0: number, u1: number, v1: number]} Box voxels of a slice */
/** @typedef {{side: number, at: number, boxes: Box[], tile: number}} Slice what is seen of the voxels at one depth */

const SHADES = [0.5, 0.68, 0.84, 1]; // of a corner by how many of the three voxels around it are free
const SEEN_SIDES = 5; // nobody looks from below
const FINEST = 4, COARSEST = 2, MOST_TEXELS = 1 << 22; // texels across a voxel; in all, unless they are too coarse
const CORNERS = [[0, 0], [1, 0], [1, 1], [0, 1]]; // of a face

/** A colour as light, which is what shading computes with; and the inverse, of light in 4,095 steps. */
const LIGHT = Float32Array.from({ length: 256 }, (_, value) =>
  (value < 11 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
const COLOUR = Uint8Array.from({ length: 4096 }, (_, step) => {
  const light = step / 4095;
  return Math.round(step < 13 ? light * 3294.6 : 255 * (1.055 * light ** (1 / 2.4) - 0.055));
});
const numbers = () => /** @type {number[]} */ ([]);

/** [side]: the axis that it looks along, and the two along its faces. */
const AXES = SIDES.map((side) => [...[0, 1, 2].filter((axis) => side[axis]), ...[0, 1, 2].filter((axis) => !side[axis])]);

export class Skin {
  /** @param {import("./models.js").Models} models */
  constructor(models) {
    this.models = models;
    let tiles = 0;
    /** [pattern]: what is seen of it. */
    this.slices = Array.from({ length: models.count }, (_, pattern) => this._list(pattern, () => tiles++));
    this._side = Math.max(...models.size) + 1; // of a tile, in voxels; half a one all around is a margin
    this.fine = FINEST;
    while (this.fine > COARSEST && tiles * (this._side * this.fine) ** 2 > MOST_TEXELS) this.fine /= 2;
    this._columns = 2 ** Math.ceil(Math.log2(Math.sqrt(tiles) || 1));
    this.width = this._columns * this._side * this.fine;
    this.height = Math.max(1, Math.ceil(tiles / this._columns)) * this._side * this.fine;
    this.texels = new Uint8Array(4 * this.width * this.height);
    this.slices.forEach((slices, pattern) => slices.forEach((slice) => this._paint(pattern, slice)));
  }

  /** The faces of a pattern as triangles in a box of 1, y up; sides of `hidden` (a bit each) are left out. @returns {Faces} */
  faces(/** @type {number} */ pattern, /** @type {number} */ hidden) {
    const position = numbers(), normal = numbers(), uv = numbers(), index = numbers(), { size } = this.models, voxel = [0, 0, 0];
    for (const { side, at, boxes, tile } of this.slices[pattern]) {
      const step = SIDES[side], [axis, u, v] = AXES[side], isFar = step[axis] > 0, [left, top] = this._origin(tile);
      if (hidden >> side & 1 && at === (isFar ? size[axis] - 1 : 0)) continue;
      for (const box of boxes) {
        const first = position.length / 3;
        for (const [du, dv] of CORNERS) {
          voxel[axis] = at + (isFar ? 1 : 0);
          voxel[u] = box[2 * du];
          voxel[v] = box[2 * dv + 1];
          position.push(voxel[0] / size[0], voxel[2] / size[2], voxel[1] / size[1]);
          normal.push(step[0], step[2], step[1]);
          uv.push((left + voxel[u] * this.fine) / this.width, (top + voxel[v] * this.fine) / this.height);
        }
        for (const each of isFar !== (axis === 1) ? [0, 2, 1, 0, 3, 2] : [0, 1, 2, 0, 2, 3]) index.push(first + each);
      }
    }
    const [positions, normals, places] = [position, normal, uv].map((each) => Float32Array.from(each));
    return { position: positions, normal: normals, uv: places, index: Uint32Array.from(index) };
  }

  _origin(/** @type {number} */ tile) {
    return [tile % this._columns, Math.floor(tile / this._columns)].map((each) => (each * this._side + 0.5) * this.fine);
  }

  /** @returns {Slice[]} */
  _list(/** @type {number} */ pattern, /** @type {() => number} */ nextTile) {
    const found = [];
    for (let side = 0; side < SEEN_SIDES; side++)
      for (let at = 0; at < this.models.size[AXES[side][0]]; at++) {
        const boxes = this._cover(pattern, side, at);
        if (boxes.length) found.push({ side, at, boxes, tile: nextTile() });
      }
    return found;
  }

  /** Rectangles that cover what is seen of a slice: as wide as can be, then as high. @returns {Box[]} */
  _cover(/** @type {number} */ pattern, /** @type {number} */ side, /** @type {number} */ at) {
    const [, u, v] = AXES[side], { [u]: width, [v]: height } = this.models.size, boxes = /** @type {Box[]} */ ([]);
    let open = /** @type {Box[]} */ ([]); // that end in the row before
    for (let row = 0; row < height; row++) {
      const longer = /** @type {Box[]} */ ([]);
      for (let from = 0, to = 0; from < width; from = to + 1) {
        for (to = from; to < width && this._isSeen(pattern, side, at, [to, row]);) to++;
        if (to === from) continue;
        const above = open.find((box) => box[0] === from && box[2] === to), box = above ?? [from, row, to, row];
        box[3] = row + 1;
        if (!above) boxes.push(box);
        longer.push(box);
      }
      open = longer;
    }
    return boxes;
  }

  /**
   * Whether there is a voxel at a place of a slice, and none before it.
   * @param {number} pattern @param {number} side @param {number} at @param {number[]} place along and across
   */
  _isSeen(pattern, side, at, [along, across]) {
    const { models } = this, [axis, u, v] = AXES[side], step = SIDES[side], voxel = [0, 0, 0];
    voxel[axis] = at; voxel[u] = along; voxel[v] = across;
    const [x, y, z] = voxel;
    return models.at(pattern, x, y, z) >= 0 && models.at(pattern, x + step[0], y + step[1], z + step[2]) < 0;
  }

  /** Paint the tile of a slice, and its margin. What is not seen of it has the mean colour. */
  _paint(/** @type {number} */ pattern, /** @type {Slice} */ { side, at, boxes, tile }) {
    const { models, fine } = this, [axis, u, v] = AXES[side], [left, top] = this._origin(tile), voxel = [0, 0, 0];
    const sum = [0, 0, 0], texels = new Uint32Array(this.texels.buffer), colours = new DataView(new ArrayBuffer(4));
    const find = (/** @type {number} */ x, /** @type {number} */ y) => (top + y) * this.width + left + x;
    const mix = (/** @type {number[]} */ light, /** @type {number} */ shade) => {
      light.forEach((each, channel) => colours.setUint8(channel, COLOUR[Math.round(4095 * each * shade)]));
      colours.setUint8(3, 255);
      return colours.getUint32(0, true);
    };
    let count = 0;
    voxel[axis] = at;
    for (const [u0, v0, u1, v1] of boxes)
      for (voxel[v] = v0; voxel[v] < v1; voxel[v]++)
        for (voxel[u] = u0; voxel[u] < u1; voxel[u]++) {
          const found = models.at(pattern, voxel[0], voxel[1], voxel[2]);
          const light = [0, 1, 2].map((channel) => LIGHT[models.sheet.data[found + channel]]);
          const [a, b, c, d] = CORNERS.map((corner) => SHADES[this._openings(pattern, voxel, side, corner)]);
          light.forEach((each, channel) => { sum[channel] += each; });
          count++;
          for (let y = 0; y < fine; y++)
            for (let x = 0; x < fine; x++) {
              const right = (x + 0.5) / fine, down = (y + 0.5) / fine;
              const shade = (a * (1 - right) + b * right) * (1 - down) + (d * (1 - right) + c * right) * down;
              texels[find(voxel[u] * fine + x, voxel[v] * fine + y)] = mix(light, shade);
            }
        }
    const mean = mix(sum, 1 / count), width = models.size[u] * fine, height = models.size[v] * fine, margin = fine / 2;
    const clamp = (/** @type {number} */ value, /** @type {number} */ end) => Math.min(end - 1, Math.max(0, value));
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) texels[find(x, y)] ||= mean;
    for (let y = -margin; y < height + margin; y++)
      for (let x = -margin; x < width + margin; x++) texels[find(x, y)] ||= texels[find(clamp(x, width), clamp(y, height))];
  }

  /**
   * How many of the three voxels that touch a face's corner from outside are free. A block stands on something: below it none is.
   * @param {number} pattern @param {number[]} voxel @param {number} side @param {number[]} corner
   */
  _openings(pattern, voxel, side, [du, dv]) {
    const [, u, v] = AXES[side], step = SIDES[side], at = [0, 0, 0];
    const isFree = (/** @type {number} */ alongU, /** @type {number} */ alongV) => {
      for (let axis = 0; axis < 3; axis++) at[axis] = voxel[axis] + step[axis];
      at[u] += alongU; at[v] += alongV;
      return at[2] >= 0 && this.models.at(pattern, at[0], at[1], at[2]) < 0 ? 1 : 0;
    };
    const one = isFree(2 * du - 1, 0), other = isFree(0, 2 * dv - 1);
    return one || other ? one + other + isFree(2 * du - 1, 2 * dv - 1) : 0;
  }
}
