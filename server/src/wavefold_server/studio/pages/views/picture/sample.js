/** The document of the picture view: a sample, and how a map is made of it. */

import { flood, paint } from "../../parts/pixels.js";

/** @typedef {import("../../parts/pixels.js").Sample} Sample */

/** How a map is made. `banned`: patterns, as their colours row by row; `refine`: whether it is refined when the hand rests. */
export const SETTINGS = {
  n: 3, symmetry: "auto", periodic: true, ground: false, width: 48, height: 48, wraps: false, seed: 7,
  banned: /** @type {number[][]} */ ([]), refine: true,
};

/** A first sample: something that already makes a good map. @returns {Sample} */
export function firstSample() {
  const rows = [
    "gggggggggggggggg", "gggttggggggggggg", "ggttttgggggggggg", "ggttttgggggwwwgg",
    "gggttgggggwwwwwg", "gggggggggwwwwwwg", "ggssssssgwwwwwgg", "ggsggggsggwwwggg",
    "ggsggggsgggggggg", "ggsggggsssssssgg", "ggsssgggggggggsg", "ggggsgggttgggggs",
    "ggggsggttttggggs", "wwggsggttttgggss", "wwwgsgggttgggsgg", "wwggssssssssssgg",
  ];
  const pixels = [...rows.join("")].map((each) => "gtws".indexOf(each));
  return { width: 16, height: 16, palette: ["#7cb342", "#33691e", "#4fa3d1", "#d7b377"], pixels };
}

/** Another size; what is new is of the first colour. @param {Sample} sample @param {number} width @param {number} height */
function resize(sample, width, height) {
  const pixels = Array.from({ length: width * height }, (_, index) => {
    const x = index % width, y = Math.floor(index / width);
    return x < sample.width && y < sample.height ? sample.pixels[y * sample.width + x] : 0;
  });
  return { ...sample, width, height, pixels };
}

/** Where pixels are, by their numbers. @param {Sample} sample @param {number[]} cells */
const locate = ({ width }, cells) => cells.map((cell) => [cell % width, Math.floor(cell / width)]);

/** @type {Record<string, (state: any, command: any) => any>} */
export const pictureReducers = {
  set: (state, { key, value }) => {
    const changed = key === "size" ? { width: value, height: value } : { [key]: value };
    return { ...state, settings: { ...state.settings, ...changed } };
  },
  paint: (state, { cells, colour }) => ({ ...state, sample: paint(state.sample, locate(state.sample, cells), colour) }),
  fill: (state, { x, y, colour }) => ({ ...state, sample: flood(state.sample, x, y, colour) }),
  colour: (state, { colour }) => ({ ...state, sample: { ...state.sample, palette: [...state.sample.palette, colour] } }),
  resize: (state, { width, height }) => ({ ...state, sample: resize(state.sample, width, height) }),
  /** A picture from elsewhere: other patterns, so none is banned. */
  sample: (state, { sample, name, periodic = state.settings.periodic, ground = false }) => (
    { ...state, sample, name, settings: { ...state.settings, periodic, ground, banned: [] } }),
};

/** How a picture from elsewhere seems to be meant: with ground at the bottom, or as a part that repeats. @param {Sample} _ */
export function guessEdges({ width, height, pixels }) {
  const row = (/** @type {number} */ y) => pixels.slice(y * width, (y + 1) * width), top = row(0), bottom = row(height - 1);
  const ground = bottom.every((each) => each === bottom[0]) && !top.includes(bottom[0]);
  const isAlike = String(top) === String(bottom) && pixels.every((each, at) => at % width || each === pixels[at + width - 1]);
  return { ground, periodic: ground || isAlike };
}

/** Whether a state has all that is drawn. @param {any} state */
export const isPicture = ({ sample: { width, height, palette, pixels }, settings }) => settings && Array.isArray(palette)
  && pixels.length === width * height && pixels.every((/** @type {number} */ each) => each in palette);
