/** Small pictures of few colours that are drawn by hand: plain data, never changed in place; and the brush for them. */

import { button, toggle } from "./controls.js";
import { h } from "./element.js";

/** @typedef {{width: number, height: number, palette: string[], pixels: number[]}} Sample */

/** @param {Sample} sample @param {Iterable<number[]>} cells @param {number} colour @returns {Sample} */
export function paint(sample, cells, colour) {
  const pixels = sample.pixels.slice();
  for (const [x, y] of cells) if (x >= 0 && y >= 0 && x < sample.width && y < sample.height) pixels[y * sample.width + x] = colour;
  return { ...sample, pixels };
}

/** All pixels joined to one of the same colour. @param {Sample} sample @param {number} x @param {number} y @param {number} colour @returns {Sample} */
export function flood(sample, x, y, colour) {
  const { width, height } = sample, pixels = sample.pixels.slice(), old = pixels[y * width + x], waiting = [[x, y]];
  if (old === colour) return sample;
  while (waiting.length) {
    const [cx, cy] = /** @type {number[]} */ (waiting.pop());
    if (cx < 0 || cy < 0 || cx >= width || cy >= height || pixels[cy * width + cx] !== old) continue;
    pixels[cy * width + cx] = colour;
    waiting.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]);
  }
  return { ...sample, pixels };
}

/** The cells between two, both included. @param {number[]} from @param {number[]} to @returns {number[][]} */
function line([x0, y0], [x1, y1]) {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
  return Array.from({ length: steps + 1 }, (_, index) => [Math.round(x0 + ((x1 - x0) * index) / steps), Math.round(y0 + ((y1 - y0) * index) / steps)]);
}

/** Frequent colours that differ; others become the nearest of them. @param {ImageData} image @param {number} most @returns {Sample} */
export function reduceColours({ data, width, height }, most) {
  const counts = new Map(), keys = [...new Uint32Array(data.buffer)].map((each) => (each >>> 24 ? each : 0)); // ABGR
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const far = (/** @type {number} */ a, /** @type {number} */ b) => [24, 16, 8, 0].reduce((sum, shift) => sum + (((a >>> shift) & 255) - ((b >>> shift) & 255)) ** 2, 0);
  const found = [...counts].map(([key, count]) => ({ key, count, near: Infinity, index: 0 })), kept = /** @type {number[]} */ ([]);
  for (let next = found.reduce((best, each) => (each.count > best.count ? each : best)); next.near && kept.length < most;) {
    for (const each of found) {
      const distance = far(each.key, next.key);
      if (distance < each.near) [each.near, each.index] = [distance, kept.length];
    }
    kept.push(next.key);
    next = found.reduce((best, each) => (each.near * each.count > best.near * best.count ? each : best)); // what many pixels miss most
  }
  const index = new Map(found.map((each) => [each.key, each.index]));
  return { width, height, palette: kept.map(spell), pixels: keys.map((key) => index.get(key) ?? 0) };
}

/** #rrggbb, or #rrggbbaa where it is not opaque. @param {number} key as ABGR */
function spell(key) {
  const hex = [0, 8, 16, 24].map((shift) => ((key >>> shift) & 255).toString(16).padStart(2, "0")).join("");
  return `#${hex.endsWith("ff") ? hex.slice(0, 6) : hex}`;
}

/** A file as a picture in a canvas; transparent parts become `ground`. @param {Blob} file @param {number} largest pixels across @param {string} [ground] */
export async function readPicture(file, largest, ground) {
  const image = await createImageBitmap(file), shrink = Math.max(1, Math.ceil(Math.max(image.width, image.height) / largest));
  const width = Math.max(1, Math.floor(image.width / shrink)), height = Math.max(1, Math.floor(image.height / shrink));
  const ink = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext("2d"));
  ink.imageSmoothingEnabled = false;
  if (ground) { ink.fillStyle = ground; ink.fillRect(0, 0, width, height); }
  ink.drawImage(image, 0, 0, width, height);
  return ink;
}

/** What the hand draws with, and its controls. */
export class Brush {
  /** @param {() => void} onchange another tool or colour was chosen */
  constructor(onchange) {
    this.tool = "brush";
    this.colour = 1;
    this.mirrors = false;
    this._onchange = onchange;
  }

  /** @param {Partial<Brush>} what */
  choose(what) {
    Object.assign(this, what);
    this._onchange();
  }

  /** Tools, colours and the mirror. @param {string[]} palette @param {(colour: string) => void} add */
  controls(palette, add) {
    const tools = [["brush", "Brush", "brush"], ["fill", "Fill", "fill"], ["pick", "Pick", "pipette"]];
    const swatches = palette.map((colour, index) => {
      const made = h("button", { type: "button", class: "swatch colour", "aria-label": `Colour ${index + 1}, ${colour}`, "aria-pressed": String(index === this.colour), onclick: () => this.choose({ colour: index }) });
      made.style.setProperty("--colour", colour);
      return made;
    });
    const more = h("label", { class: "swatch add", title: "Add a colour" }, "+", h("input", { type: "color", class: "hidden", "aria-label": "Add a colour", onchange: (/** @type {any} */ event) => add(event.target.value) }));
    return [h("div", { class: "group", role: "group", "aria-label": "Tools" }, ...tools.map(([tool, label, symbol]) => button(label, () => this.choose({ tool }), { symbol, isPressed: this.tool === tool }))),
      h("div", { class: "swatches", role: "group", "aria-label": "Colours" }, ...swatches, more),
      toggle("Mirror left and right", this.mirrors, (mirrors) => { this.mirrors = mirrors; })];
  }

  /** @returns {import("../app/keyboard.js").Shortcut[]} */
  get shortcuts() {
    return [{ key: "B", does: "brush", run: () => this.choose({ tool: "brush" }) }, { key: "F", does: "fill", run: () => this.choose({ tool: "fill" }) },
      { key: "I", does: "pick a colour", run: () => this.choose({ tool: "pick" }) }, { key: "M", does: "mirror left and right", run: () => this.choose({ mirrors: !this.mirrors }) }];
  }

  /**
   * Hands on a canvas that shows a picture.
   * @param {HTMLCanvasElement} canvas
   * @param {{size: () => {width: number, height: number}, pick: (x: number, y: number) => void, fill: (x: number, y: number) => void,
   *   stroke: (cells: number[][]) => void, finish: () => void, point?: (x: number, y: number) => void}} hands point: a key has moved there
   * @param {AbortSignal} signal
   */
  listen(canvas, hands, signal) {
    let isDown = false, last = [0, 0];
    const at = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect(), { width, height } = hands.size();
      return [Math.floor(((event.clientX - box.left) / box.width) * width), Math.floor(((event.clientY - box.top) / box.height) * height)];
    };
    const draw = (/** @type {number[]} */ to) => {
      const cells = line(last, to), { width } = hands.size();
      hands.stroke(this.mirrors ? [...cells, ...cells.map(([x, y]) => [width - 1 - x, y])] : cells);
      last = to;
    };
    const on = (/** @type {string} */ kind, /** @type {(event: any) => void} */ listener) => canvas.addEventListener(kind, listener, { signal });
    const use = (isPicking = this.tool === "pick") => {
      if (isPicking) hands.pick(last[0], last[1]);
      else if (this.tool === "fill") hands.fill(last[0], last[1]);
      else { isDown = true; draw(last); }
    };
    const end = () => { if (isDown) hands.finish(); isDown = false; };
    on("pointerdown", (event) => {
      last = at(event);
      use(this.tool === "pick" || event.altKey || event.button === 2);
      if (isDown) canvas.setPointerCapture(event.pointerId);
    });
    on("pointermove", (event) => { const now = at(event); if (isDown && (now[0] !== last[0] || now[1] !== last[1])) draw(now); });
    on("pointerup", end);
    on("pointercancel", end);
    on("contextmenu", (event) => event.preventDefault());
    on("keydown", (event) => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[/** @type {string} */ (event.key)], { width, height } = hands.size();
      if (!hands.point || (!move && event.key !== "Enter")) return;
      event.preventDefault();
      event.stopPropagation();
      if (move) last = [(last[0] + move[0] + width) % width, (last[1] + move[1] + height) % height];
      else { use(); end(); }
      hands.point(last[0], last[1]);
    });
  }
}
