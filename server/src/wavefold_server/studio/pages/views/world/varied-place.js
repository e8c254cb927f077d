/** Where a land is worth seeing: a coast, not the middle of an ocean. */

import { API } from "../../app/api.js";
import { planeMiddle } from "../../board/plane.js";

const ZOOM = -4, CELLS = 1024; // tiles so coarse show what the fields ask for, whatever has been made
const SIDE = 12, STEP = 4; // pixels of a square that is looked at, and between two of them
const ENOUGH = 0.5; // of the most varied place, to be worth going there

/** A land of hills and seas is first seen at a coast. @param {import("../world.js").WorldView} view */
export async function goWhereItVaries({ layer, middle, signal, world }) {
  const found = await findVariedPlace(world, planeMiddle(world.topology, ...middle), signal);
  if (found) layer.lookAt(...found);
}

/**
 * The nearest point to one at which the colours of the land differ much; null: it is as good as anywhere.
 * @param {any} world @param {[number, number]} from a point of the plane @param {AbortSignal} signal
 * @returns {Promise<[number, number]|null>}
 */
async function findVariedPlace(world, from, signal) {
  const [x, y] = from.map((each) => Math.floor(each / CELLS));
  const answer = await fetch(`${API}/worlds/${world.id}/tiles/${ZOOM}/${x}/${y}.png`, { signal });
  if (!answer.ok) return null;
  const image = await createImageBitmap(await answer.blob()), { width } = image, size = CELLS / width; // cells of a pixel
  const ink = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, width).getContext("2d"));
  ink.drawImage(image, 0, 0);
  const { data } = ink.getImageData(0, 0, width, width), places = [];
  for (let top = 0; top + SIDE <= width; top += STEP)
    for (let left = 0; left + SIDE <= width; left += STEP) {
      const at = /** @type {[number, number]} */ ([x * CELLS + (left + SIDE / 2) * size, y * CELLS + (top + SIDE / 2) * size]);
      places.push({ at, far: Math.hypot(at[0] - from[0], at[1] - from[1]), varies: measure(data, width, left, top) });
    }
  const most = Math.max(...places.map(({ varies }) => varies)), good = places.filter(({ varies }) => varies >= ENOUGH * most);
  const nearest = good.reduce((best, each) => (each.far < best.far ? each : best));
  return most > 0 && nearest.far > SIDE * size / 2 ? nearest.at : null;
}

/**
 * How much colours differ in a square.
 * @param {Uint8ClampedArray} data @param {number} width @param {number} left @param {number} top
 */
function measure(data, width, left, top) {
  const sums = [0, 0, 0], squares = [0, 0, 0], count = SIDE * SIDE;
  for (let y = top; y < top + SIDE; y++)
    for (let x = left; x < left + SIDE; x++)
      for (let part = 0; part < 3; part++) {
        const value = data[4 * (y * width + x) + part];
        sums[part] += value;
        squares[part] += value * value;
      }
  return squares.reduce((total, square, part) => total + square / count - (sums[part] / count) ** 2, 0);
}
