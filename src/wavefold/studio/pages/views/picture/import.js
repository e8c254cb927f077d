/** A picture from elsewhere: undo its scale, cut it, reduce its colours, with a preview of what comes out. */

import { button, slider } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { readPicture, reduceColours } from "../../parts/pixels.js";
import { drawColours } from "./patterns.js";

/** @typedef {import("../../parts/pixels.js").Sample} Sample */

const LARGEST = 64, WIDEST = 1024, ROUGHEST = 32; // pixels of a sample, of a picture that is read, of a block
const USUAL = 6, MOST = 32; // colours

/** @param {Blob} file @returns {Promise<ImageData>} */
export async function readImage(file) {
  const ink = await readPicture(file, WIDEST, "#ffffff").catch(() => { throw new Error("This file is not a picture that the browser can read. Try a PNG."); });
  return ink.getImageData(0, 0, ink.canvas.width, ink.canvas.height);
}

/** How many pixels were drawn for one: the largest blocks that are all of one colour. @param {ImageData} image */
function findScale({ data, width, height }) {
  const words = new Uint32Array(data.buffer);
  for (let scale = 16; scale > 1; scale--) {
    if (width % scale || height % scale) continue;
    if (words.every((each, index) => { const x = index % width, y = (index - x) / width; return each === words[(y - (y % scale)) * width + x - (x % scale)]; })) return scale;
  }
  return 1;
}

/** Part of a picture, one pixel for each block. @param {ImageData} image @param {{scale: number, x: number, y: number, size: number, colours: number}} how x and y in blocks */
export function cut({ data, width, height }, { scale, x, y, size, colours }) {
  const across = Math.min(size, Math.max(1, Math.floor(width / scale))), down = Math.min(size, Math.max(1, Math.floor(height / scale))), part = new ImageData(across, down);
  const left = Math.max(0, Math.min(x, Math.floor(width / scale) - across)), top = Math.max(0, Math.min(y, Math.floor(height / scale) - down));
  for (let at = 0; at < part.data.length; at++) { // each channel of a pixel is the mean of its block
    const channel = at % 4, column = left + ((at >> 2) % across), row = top + Math.floor((at >> 2) / across);
    let sum = 0;
    for (let dy = 0; dy < scale; dy++) for (let dx = 0; dx < scale; dx++) sum += data[4 * ((row * scale + dy) * width + column * scale + dx) + channel];
    part.data[at] = sum / scale ** 2;
  }
  return { sample: reduceColours(part, colours), box: [left * scale, top * scale, across * scale, down * scale] };
}

/**
 * The sample of a picture: at once if it is small and has few colours, otherwise after a look.
 * @param {import("../../app/shell.js").Shell} shell @param {ImageData} image @param {(sample: Sample) => void} take
 */
export function cleanUp(shell, image, take) {
  const scale = findScale(image), large = Math.max(image.width, image.height), colours = new Set(new Uint32Array(image.data.buffer)).size;
  const how = { scale, x: 0, y: 0, size: LARGEST, colours: colours <= MOST ? colours : USUAL };
  if (large / scale <= LARGEST && colours <= MOST) {
    take(cut(image, how).sample);
    return shell.say(scale > 1 ? `Each pixel of this picture was drawn ${scale} × ${scale}: that was undone.` : "This is your sample now.");
  }
  if (scale === 1 && colours > MOST) how.scale = Math.min(ROUGHEST, Math.ceil(large / LARGEST)); // a photograph: its outlines
  const whole = h("canvas", { width: image.width, height: image.height, tabindex: 0, role: "img", "aria-label": "Your picture; click to move the frame" }), result = h("canvas", { role: "img", "aria-label": "The sample" });
  let sample = /** @type {Sample|null} */ (null);
  const show = () => {
    const made = cut(image, how), ink = whole.getContext("2d"), [x, y, width, height] = made.box;
    sample = made.sample;
    ink.putImageData(image, 0, 0);
    ink.fillStyle = "rgb(0 0 0 / .55)";
    ink.fill(new Path2D(`M0 0H${image.width}V${image.height}H0zM${x} ${y}v${height}h${width}v${-height}z`));
    ink.strokeStyle = "#fff";
    ink.lineWidth = Math.max(2, image.width / 300);
    ink.strokeRect(x, y, width, height);
    Object.assign(result, { width: sample.width, height: sample.height });
    drawColours(result, sample.pixels, sample.palette);
    caption.textContent = `Your sample: ${sample.width} × ${sample.height}, ${sample.palette.length} colours`;
  };
  const caption = h("figcaption", {}), change = (/** @type {"size"|"colours"|"scale"} */ name) => (/** @type {number} */ value) => { how[name] = value; show(); };
  whole.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => { if (event.buttons) move(event); });
  whole.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => move(event));
  const move = (/** @type {PointerEvent} */ event) => {
    const box = whole.getBoundingClientRect(), middle = how.size / 2;
    how.x = Math.round(((event.clientX - box.left) / box.width) * (image.width / how.scale) - middle);
    how.y = Math.round(((event.clientY - box.top) / box.height) * (image.height / how.scale) - middle);
    show();
  };
  const page = h("section", { class: "page import", "aria-label": "Clean up a picture" },
    h("header", {}, h("h2", { class: "title" }, "Make a sample of this picture"), h("p", { class: "quiet" }, "A sample is small and has few colours, so that its patterns repeat. Click where the frame should be.")),
    h("div", { class: "both" }, h("figure", {}, whole, h("figcaption", {}, `Your picture: ${image.width} × ${image.height}, ${colours.toLocaleString()} colours`)), h("figure", {}, result, caption)),
    h("div", { class: "sliders" },
      slider("Size of the frame", { min: 8, max: LARGEST, value: how.size, show: (value) => `${value} pixels` }, change("size")),
      slider("Colours", { min: 2, max: MOST, value: how.colours }, change("colours")),
      slider("Pixels drawn for one", { min: 1, max: ROUGHEST, value: how.scale, show: (value) => (value === scale && scale > 1 ? `${value}, as found` : String(value)), help: "Larger for pictures that were enlarged, or have more detail than you need" }, change("scale"))),
    h("div", { class: "row" }, button("Use this sample", () => { page.remove(); if (sample) take(sample); }, { kind: "main" }), button("Cancel", () => page.remove())));
  shell.stage.append(page);
  show();
}
