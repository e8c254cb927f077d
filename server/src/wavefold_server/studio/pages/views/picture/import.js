/** Pictures from elsewhere as samples: undo their scale, cut them, reduce their colours. */

import { readPicture, reduceColours } from "../../parts/pixels.js";

/**
 * What becomes of a picture. x, y: where it is cut, in blocks; scale: pixels across a block.
 * @typedef {{scale: number, x: number, y: number, size: number, colours: number}} Cut
 */

export const LARGEST = 64, ROUGHEST = 32, MOST = 32; // pixels of a sample, and of a block; colours
const WIDEST = 1024; // pixels of a picture that is read
const USUAL = 6; // colours of a photograph
const ENOUGH = 0.5; // of all change from pixel to pixel lies between blocks, beyond what chance puts there: the rest is noise
const NEARLY = 0.9; // of the most that any size of blocks explains
const ALIKE = 18 ** 2; // square of the distance of two colours that mean the same

/** @param {Blob} file @returns {Promise<ImageData>} */
export async function readImage(file) {
  const ink = await readPicture(file, WIDEST, "#ffffff").catch(() => {
    throw new Error("This file is not a picture that the browser can read. Pictures are PNG, JPEG, GIF, WebP or BMP files.");
  });
  return ink.getImageData(0, 0, ink.canvas.width, ink.canvas.height);
}

export const countColours = (/** @type {ImageData} */ { data }) => new Set(new Uint32Array(data.buffer)).size;

/** Square of the distance of two pixels. @param {Uint8ClampedArray} data @param {number} one @param {number} other */
const measure = (data, one, other) =>
  [0, 1, 2].reduce((sum, each) => sum + (data[4 * one + each] - data[4 * other + each]) ** 2, 0);

/** How many pixels were drawn for one: all change lies between blocks, most of it if there is noise. @param {ImageData} image */
function findScale(image) {
  const { data, width, height } = image, across = new Float64Array(width), down = new Float64Array(height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const here = y * width + x;
      if (x) across[x] += measure(data, here, here - 1);
      if (y) down[y] += measure(data, here, here - width);
    }
  const sum = (/** @type {Float64Array} */ changes, step = 1) =>
    changes.reduce((all, each, at) => all + (at % step ? 0 : each), 0);
  const all = sum(across) + sum(down), scales = Array.from({ length: 15 }, (_, at) => 16 - at);
  const shares = scales.map((scale) => ((sum(across, scale) + sum(down, scale)) / all - 1 / scale) / (1 - 1 / scale));
  const least = countColours(image) > MOST ? Math.max(ENOUGH, NEARLY * Math.max(...shares)) : 1 - 1e-9;
  return scales.find((_, at) => shares[at] >= least) ?? 1;
}

/** How many colours of a sample differ by more than noise. @param {import("../../parts/pixels.js").Sample} sample */
function countMeant({ palette, pixels }) {
  const colours = palette.map((each) => [1, 3, 5].map((at) => parseInt(each.slice(at, at + 2), 16)));
  const counts = palette.map(() => 0), kept = /** @type {number[]} */ ([]);
  for (const each of pixels) counts[each]++;
  for (const next of [...colours.keys()].sort((one, other) => counts[other] - counts[one])) {
    const measureTo = (/** @type {number} */ each) =>
      colours[each].reduce((all, value, at) => all + (value - colours[next][at]) ** 2, 0);
    if (kept.every((each) => measureTo(each) > ALIKE)) kept.push(next);
  }
  return Math.max(2, kept.length);
}

/** What is best done at first; `isPlain`: that needs no look. @param {ImageData} image @returns {Cut & {isPlain: boolean}} */
export function suggestCut(image) {
  const large = Math.max(image.width, image.height), found = findScale(image);
  const colours = countColours(image), isNoisy = colours > MOST;
  const scale = isNoisy && found === 1 ? Math.min(ROUGHEST, Math.ceil(large / LARGEST)) : found; // of a photograph, its outlines
  const cut = { scale, x: 0, y: 0, size: LARGEST, colours: Math.min(MOST, colours) };
  const meant = isNoisy ? countMeant(cutSample(image, cut).sample) : colours;
  return { ...cut, colours: meant < MOST / 2 || !isNoisy ? meant : USUAL, isPlain: large / scale <= LARGEST && !isNoisy };
}

/** Part of a picture, one pixel for each block; and the part, in pixels. @param {ImageData} image @param {Cut} cut */
export function cutSample({ data, width, height }, { scale, x, y, size, colours }) {
  const [columns, rows] = [width, height].map((each) => Math.max(1, Math.floor(each / scale)));
  const across = Math.min(size, columns), down = Math.min(size, rows), part = new ImageData(across, down);
  const left = Math.max(0, Math.min(x, columns - across)), top = Math.max(0, Math.min(y, rows - down));
  for (let at = 0; at < part.data.length; at++) { // each channel of a pixel is the mean of its block
    const column = left + ((at >> 2) % across), row = top + Math.floor((at >> 2) / across);
    let sum = 0;
    for (let dy = 0; dy < scale; dy++)
      for (let dx = 0; dx < scale; dx++) sum += data[4 * ((row * scale + dy) * width + column * scale + dx) + (at % 4)];
    part.data[at] = sum / scale ** 2;
  }
  return { sample: reduceColours(part, colours), box: [left * scale, top * scale, across * scale, down * scale] };
}
