/** Pictures of all patterns in one image, side by side. */

import { picture } from "../app/api.js";

export class Atlas {
  /**
   * @param {ImageBitmap} image
   * @param {number} columns pictures in a row
   * @param {number} width of a picture
   * @param {number} height of a picture
   * @param {number} count patterns
   */
  constructor(image, columns, width, height, count) {
    this.image = image;
    this.columns = columns;
    this.width = width;
    this.height = height;
    this.count = count;
    const [means, covers] = meanColours(this);
    this.means = means;
    this._covers = covers;
    this._most = covers.reduce((most, each) => Math.max(most, each), 0);
  }

  /** The atlas of a tile set. @param {any} tileset from the service @param {AbortSignal} [signal] */
  static async load({ atlas: { url, columns, width, height }, pattern_count: count }, signal) {
    return new Atlas(await picture(url, signal), columns, width, height, count);
  }

  /** Draw a pattern with its top left at (x, y). */
  draw(/** @type {CanvasRenderingContext2D|OffscreenCanvasRenderingContext2D} */ ink, /** @type {number} */ pattern,
       /** @type {number} */ x, /** @type {number} */ y, width = this.width, height = this.height) {
    const left = (pattern % this.columns) * this.width, top = Math.floor(pattern / this.columns) * this.height;
    ink.drawImage(this.image, left, top, this.width, this.height, x, y, width, height);
  }

  /** Whether what is below a picture shines through it. @param {number} pattern */
  hasHoles(pattern, isSquare = true) { return this._covers[pattern] < (isSquare ? 255 : this._most - 2); }

  /** Its pixels (ABGR), with pictures of this size side by side as they are here. @param {number} size */
  readPixels(size) {
    const ink = newInk(this.columns * size, Math.ceil(this.count / this.columns) * size);
    if (size === this.width) ink.drawImage(this.image, 0, 0);
    else for (let pattern = 0; pattern < this.count; pattern++)
      this.draw(ink, pattern, (pattern % this.columns) * size, Math.floor(pattern / this.columns) * size, size, size);
    return new Uint32Array(ink.getImageData(0, 0, ink.canvas.width, ink.canvas.height).data.buffer);
  }
}

/** A canvas to be read. @param {number} width @param {number} height */
export const newInk = (width, height) =>
  /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true }));

/**
 * Uint8 [pattern, rgb]: the mean colour of each picture, as undecided cells blend them; and how opaque each one is.
 * @param {Atlas} atlas
 */
function meanColours({ image, columns, width, height, count }) {
  const rows = Math.ceil(count / columns), ink = newInk(columns, rows);
  ink.imageSmoothingQuality = "high";
  for (let pattern = 0; pattern < count; pattern++) {
    const column = pattern % columns, row = Math.floor(pattern / columns);
    ink.drawImage(image, column * width, row * height, width, height, column, row, 1, 1);
  }
  const pixels = ink.getImageData(0, 0, columns, rows).data;
  const means = new Uint8ClampedArray(3 * count), covers = new Uint8Array(count);
  for (let pattern = 0; pattern < count; pattern++) {
    means.set(pixels.subarray(4 * pattern, 4 * pattern + 3), 3 * pattern);
    covers[pattern] = pixels[4 * pattern + 3];
  }
  return /** @type {const} */ ([means, covers]);
}
