/** The sample on its canvas: drawn by hand, with windows of it marked. */

import { h } from "../../parts/element.js";
import { pictureReducers } from "./sample.js";

/** @typedef {import("../../parts/pixels.js").Sample} Sample */

const WIDEST = 448; // pixels of the canvas, about
const OUTLINES = /** @type {[number, string][]} */ ([[3.5, "#000"], [1.5, "#fff"]]); // seen on all colours

export class SampleCanvas {
  /** @param {import("../picture.js").PictureView} view */
  constructor(view) {
    this._view = view;
    this.canvas = h("canvas", { class: "sample", tabindex: 0, role: "application",
      "aria-label": "Sample: draw with the pointer, or move with arrow keys and press Enter" });
    this._listen();
  }

  _listen() {
    const { brush, document, signal, map } = this._view, cells = /** @type {Set<number>} */ (new Set());
    const sample = () => this._view.sample, stroke = () => ({ do: "paint", cells: [...cells], colour: brush.colour });
    brush.listen(this.canvas, {
      size: sample,
      pick: (x, y) => brush.choose({ colour: sample().pixels[y * sample().width + x] }),
      fill: (x, y) => document.apply({ do: "fill", x, y, colour: brush.colour }),
      stroke: (more) => {
        const { width, height } = sample();
        for (const [x, y] of more) if (x >= 0 && y >= 0 && x < width && y < height) cells.add(y * width + x);
        const { sample: next } = pictureReducers.paint(document.state, stroke());
        this.show(next);
        map.ask(next);
      },
      finish: () => {
        if ([...cells].some((cell) => sample().pixels[cell] !== brush.colour)) document.apply(stroke());
        cells.clear();
      },
      point: (x, y) => {
        const { pixels, palette, width } = sample(), colour = pixels[y * width + x];
        this.show(sample(), [[x, y]], 1);
        this._view.shell.announce(`${x}, ${y} · colour ${colour + 1}, ${palette[colour]}`);
      },
    }, signal);
  }

  /** @param {Sample} sample @param {[number, number][]} marks corners of windows @param {number} side of a window, in pixels */
  show({ width, height, palette, pixels } = this._view.sample, marks = [], side = this._view.settings.n) {
    const size = Math.max(4, Math.floor(WIDEST / Math.max(width, height))), ink = this.canvas.getContext("2d");
    Object.assign(this.canvas, { width: width * size, height: height * size });
    pixels.forEach((colour, index) => {
      ink.fillStyle = palette[colour];
      ink.fillRect((index % width) * size, Math.floor(index / width) * size, size, size);
    });
    ink.fillStyle = "rgb(0 0 0 / .10)";
    for (let x = 1; size >= 8 && x < width; x++) ink.fillRect(x * size, 0, 1, height * size);
    for (let y = 1; size >= 8 && y < height; y++) ink.fillRect(0, y * size, width * size, 1);
    for (const [x, y] of marks)
      for (const [line, colour] of OUTLINES) {
        [ink.lineWidth, ink.strokeStyle] = [line, colour];
        for (const dx of [0, -width]) // windows go on at the other edge
          for (const dy of [0, -height]) ink.strokeRect((x + dx) * size, (y + dy) * size, side * size, side * size);
      }
  }
}
