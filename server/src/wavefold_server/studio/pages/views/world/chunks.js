/** Overlays about chunks: borders, numbers, the stages of the seam scheme, and what there is of each. */

import { get } from "../../app/api.js";
import { planeCellAt, planeCorner } from "../../board/plane.js";

/** @type {Record<string, string>} */
const STATES = { final: "● in memory", stored: "○ in the file", provisional: "◐ only borders", absent: "– not made yet" };
const SMALLEST = 14, MOST = 1_024; // pixels across a chunk; chunks
const WIDE = 130, FAINT = 64; // pixels across a chunk: from here on there is room for words; below, lines are faint
export const STAGES = [["corner", "Corners, made first", "#e0384f"], ["edge", "Edges between corners", "#3b7cff"],
  ["joint", "Joints where these meet", "#ffc400"]];

/** A pattern that differs also without its colour: crossed, striped, dotted. @param {number} kind @param {string} colour */
export function drawHatch(kind, colour) {
  const canvas = document.createElement("canvas"), ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  canvas.width = canvas.height = 8;
  ink.fillStyle = `${colour}4d`;
  ink.fillRect(0, 0, 8, 8);
  ink.strokeStyle = ink.fillStyle = colour;
  ink.beginPath();
  if (kind === 2) ink.rect(2, 2, 3, 3);
  else for (const shift of [-8, 0, 8])
    for (const from of kind ? [8] : [8, 0]) { ink.moveTo(shift, from); ink.lineTo(shift + 8, 8 - from); }
  if (kind === 2) ink.fill(); else ink.stroke();
  return canvas;
}

export class ChunkOverlay {
  /** @param {import("../world.js").WorldView} view */
  constructor(view) {
    this.view = view;
    this.shows = { borders: false, numbers: false, stages: false, states: false };
    /** @type {Map<string, any>} */
    this.states = new Map();
    const { context } = view.layer;
    this._hatches = STAGES.map(([, , colour], kind) => context.createPattern(drawHatch(kind, colour), "repeat"));
    view.layer.overlays.push((ink) => this._draw(ink));
  }

  /** CSS pixels across a chunk. */
  get side() { return this.view.world.chunk * this.view.scale; }

  /** Whether there is room for what is to be shown. */
  get hasRoom() { return this.side >= (this.shows.numbers || this.shows.states ? 3 : 1) * SMALLEST; }

  /** Ask what there is of the chunks in view. */
  async refresh() {
    const { world } = this.view, { x0, y0, width, height } = this._box();
    if (!this.shows.states || width * height > MOST) return;
    const box = `x0=${x0}&y0=${y0}&width=${width}&height=${height}`;
    const { chunks } = await get(`/worlds/${world.id}/chunks?${box}`).catch(() => ({ chunks: [] }));
    for (const each of chunks) this.states.set(`${each.x},${each.y}`, each);
    this.view.layer.draw();
  }

  /** Chunks in view, and for hexagons those of the slanted box around. */
  _box() {
    const { layer, world } = this.view, [left, top, right, bottom] = layer.bounds, side = world.chunk;
    const cells = [[left, top], [right, top], [left, bottom], [right, bottom]].map(([x, y]) => planeCellAt(world.topology, x, y));
    const columns = cells.map(([x]) => Math.floor(x / side)), rows = cells.map(([, y]) => Math.floor(y / side));
    const x0 = Math.min(...columns), y0 = Math.min(...rows);
    return { x0, y0, width: Math.max(...columns) - x0 + 1, height: Math.max(...rows) - y0 + 1 };
  }

  _draw(/** @type {CanvasRenderingContext2D} */ ink) {
    const { borders, numbers, stages, states } = this.shows, side = this.view.world.chunk;
    if (!(borders || numbers || stages || states) || this.side < SMALLEST) return;
    const { x0, y0, width, height } = this._box();
    for (let y = y0; y < y0 + height; y++)
      for (let x = x0; x < x0 + width; x++) {
        if (stages) this._drawStages(ink, x * side, y * side);
        if (borders) this._drawBorder(ink, x, y);
        if (numbers || states) this._drawText(ink, x, y);
      }
  }

  /** Make a path around a rectangle of cells. @param {CanvasRenderingContext2D} ink @param {number[]} box x, y, width, height */
  _trace(ink, [x, y, width, height]) {
    const { layer, world } = this.view;
    ink.beginPath();
    for (const [across, down] of [[0, 0], [width, 0], [width, height], [0, height]]) {
      ink.lineTo(...layer.camera.toScreen(...planeCorner(world.topology, x + across, y + down)));
    }
    ink.closePath();
  }

  _drawBorder(/** @type {CanvasRenderingContext2D} */ ink, /** @type {number} */ x, /** @type {number} */ y) {
    const { chunk } = this.view.world;
    this._trace(ink, [x * chunk, y * chunk, chunk, chunk]);
    const lines = this.side < FAINT ? [[1, "rgb(255 255 255 / .55)"]] : [[3, "rgb(0 0 0 / .4)"], [1, "#fff"]];
    for (const [width, colour] of /** @type {[number, string][]} */ (lines)) {
      ink.lineWidth = width * devicePixelRatio;
      ink.strokeStyle = colour;
      ink.stroke();
    }
  }

  /** The windows that begin at the corner of a chunk: around it, along both borders from it, and where these meet. */
  _drawStages(/** @type {CanvasRenderingContext2D} */ ink, /** @type {number} */ x, /** @type {number} */ y) {
    const { chunk, radius: far, half_width: half, joint: [along, across] } = this.view.world, length = chunk - 2 * far - 1;
    const windows = [[0, x - far, y - far, 2 * far + 1, 2 * far + 1],
      [1, x + far + 1, y - half, length, 2 * half + 1], [1, x - half, y + far + 1, 2 * half + 1, length]];
    if (along) for (const begin of [far - along, chunk - far - along]) {
      const long = 2 * along + 1, short = 2 * across + 1;
      windows.push([2, x + begin, y - across, long, short], [2, x - across, y + begin, short, long]);
    }
    for (const [kind, ...box] of windows) {
      this._trace(ink, box);
      ink.fillStyle = /** @type {CanvasPattern} */ (this._hatches[kind]);
      ink.fill();
    }
  }

  _drawText(/** @type {CanvasRenderingContext2D} */ ink, /** @type {number} */ x, /** @type {number} */ y) {
    const { layer, world } = this.view, side = world.chunk, state = this.states.get(`${x},${y}`), isWide = this.side > WIDE;
    const edits = state?.edits ? `✎ edited${state.edits > 1 ? ` ${state.edits}×` : ""}` : "";
    const what = this.shows.states && state ? [STATES[state.state], edits] : [];
    const number = this.shows.numbers ? `${x}, ${y}` : "", signs = what.map((each) => (isWide ? each : each.slice(0, 1)));
    const lines = [number, ...signs].filter(Boolean);
    if (!lines.length) return;
    const size = (isWide ? 12 : 10) * devicePixelRatio, room = side * layer.camera.scale - 8;
    const [left, top] = layer.camera.toScreen(...planeCorner(world.topology, x * side, y * side));
    ink.font = `${size}px system-ui, sans-serif`;
    ink.textBaseline = "top";
    const widths = lines.map((line) => ink.measureText(line).width + 10);
    if (Math.max(...widths) > room || lines.length * size * 1.5 > room) return; // it would hide the map
    lines.forEach((line, row) => {
      const at = top + 4 + row * size * 1.5;
      ink.fillStyle = "rgb(12 16 20 / .78)";
      ink.fillRect(left + 4, at, widths[row], size * 1.45);
      ink.fillStyle = "#fff";
      ink.fillText(line, left + 9, at + size * 0.2);
    });
  }
}
