/** The cells of a cube map, and which of them are shown: what both ways to draw it share. */

import { UNDECIDED } from "../../board/board.js";

/** Sides in the order of the service: the step (x, y, z) of the map, y to the south and z up. */
export const SIDES = [[0, -1, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]];

/** @typedef {{top: number, bottom: number, east: number, south: number}} Cut what is shown: layers from bottom to top, up to a column and a row */
/** @typedef {{cell: number, side: number}} Hit a block, and the side of it that is seen */

export class BlockGrid {
  /** @param {HTMLCanvasElement} canvas @param {import("./models.js").Models} models */
  constructor(canvas, models) {
    this.canvas = canvas;
    this.models = models;
    this.size = [0, 0, 0];
    this.patterns = new Uint16Array(0);
    /** @type {Cut} */
    this.cut = { top: 0, bottom: 0, east: 0, south: 0 };
  }

  /** Another map, of this size. @param {number[]} size x, y, z */
  open(size) {
    this.size = size;
    this.patterns = new Uint16Array(size[0] * size[1] * size[2]).fill(UNDECIDED);
  }

  /** @param {number} cell @returns {number[]} x, y, z */
  coordinates(cell) {
    const [width, height] = this.size;
    return [cell % width, Math.floor(cell / width) % height, Math.floor(cell / width / height)];
  }

  /** The cell at coordinates; -1 outside the map. @param {number[]} at */
  cellAt([x, y, z]) {
    const [width, height, depth] = this.size;
    return x < 0 || y < 0 || z < 0 || x >= width || y >= height || z >= depth ? -1 : (z * height + y) * width + x;
  }

  /** The cell beside another; -1 outside the map. @param {number} cell @param {number} side */
  beside(cell, side) {
    return this.cellAt(this.coordinates(cell).map((each, axis) => each + SIDES[side][axis]));
  }

  /** @param {number} cell */
  isShown(cell) {
    const pattern = this.patterns[cell], [x, y, z] = this.coordinates(cell), { top, bottom, east, south } = this.cut;
    return pattern !== UNDECIDED && !this.models.isEmpty[pattern] && z < top && z >= bottom && x < east && y < south;
  }
}
