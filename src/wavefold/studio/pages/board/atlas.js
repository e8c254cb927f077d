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
    this.means = meanColours(image, columns, width, height, count);
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
}

/** Uint8 [pattern, rgb]: the mean colour of each picture, as undecided cells blend them. */
function meanColours(/** @type {ImageBitmap} */ image, /** @type {number} */ columns, /** @type {number} */ width,
                     /** @type {number} */ height, /** @type {number} */ count) {
  const rows = Math.ceil(count / columns), canvas = new OffscreenCanvas(columns, rows);
  const ink = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  ink.imageSmoothingQuality = "high";
  for (let pattern = 0; pattern < count; pattern++) {
    const column = pattern % columns, row = Math.floor(pattern / columns);
    ink.drawImage(image, column * width, row * height, width, height, column, row, 1, 1);
  }
  const pixels = ink.getImageData(0, 0, columns, rows).data, means = new Uint8ClampedArray(3 * count);
  for (let pattern = 0; pattern < count; pattern++) means.set(pixels.subarray(4 * pattern, 4 * pattern + 3), 3 * pattern);
  return means;
}
