/** Hands on a patchwork: what is under the cursor, and what a press or a key does there. */

import { planeCellAt } from "../../board/plane.js";
import { pair } from "./plan.js";

/** @typedef {import("./plan.js").Pair} Pair */

export class PatchworkHands {
  /** @param {import("../patchwork.js").PatchworkView} view */
  constructor(view) {
    this.view = view;
    this.hovered = /** @type {Pair|null} a cell */ (null);
    this.key = ""; // the piece of it
  }

  hover(/** @type {number} */ x, /** @type {number} */ y) {
    this.hovered = planeCellAt(this.view.plan.topology, x, y);
    const key = this.view.plan.owner(this.hovered, [...this.view.look.pieces.keys(), ...this.view.look.next.map(String)]);
    this.view.board.draw();
    this.view.shell.hover(this.hovered.join(", "));
    if (key !== this.key) this.view.onhover((this.key = key));
  }

  press(/** @type {number} */ x, /** @type {number} */ y) {
    const { board, growth, look, tool } = this.view;
    this.hover(x, y);
    const isGrown = look.pieces.has(this.key), rebuilds = isGrown && tool === "rebuild";
    if (!rebuilds && (isGrown || !this.key || board.growing.has(this.key))) return false;
    if (!growth.isBusy) board.fitted = ""; // what is under the hand stays there
    if (rebuilds) growth.rebuild(/** @type {Pair} */ (this.hovered));
    else growth.grow([pair(this.key)]);
    return true;
  }

  drawCursor() {
    const { hovered, key, view: { board, canvas, disk, look, plan, tool } } = this, { ink } = board;
    const accent = getComputedStyle(canvas).getPropertyValue("--accent"), isGrown = look.pieces.has(key);
    if (!hovered || !key) return;
    if (isGrown && tool === "rebuild") {
      const isInside = (/** @type {Pair} */ [x, y]) => plan.isHex || Math.abs(x - hovered[0]) + Math.abs(y - hovered[1]) <= disk;
      const cells = plan.disk(hovered, disk).filter((cell) => isInside(cell) && plan.owner(cell, look.pieces.keys()));
      return board.tint(cells, `color-mix(in srgb, ${accent} 50%, transparent)`);
    }
    board.trace([board.shape(pair(key)).slice(1)]);
    ink.lineWidth = (isGrown ? 1.5 : 3) * devicePixelRatio;
    ink.strokeStyle = accent;
    ink.fillStyle = `color-mix(in srgb, ${accent} ${isGrown ? 0 : 22}%, transparent)`;
    ink.fill();
    ink.stroke();
  }

  /** Choose another placeholder, by keys. @param {number} by */
  choose(by) {
    const { board: { camera }, board, canvas: { width, height }, look: { next } } = this.view;
    const at = next.findIndex((key) => String(key) === this.key), key = next[(at + by + next.length) % next.length];
    const middle = board.shape(key)[0], [x, y] = camera.toScreen(...middle);
    if (x < 0 || y < 0 || x > width || y > height) camera.pan(width / 2 - x, height / 2 - y);
    this.hover(...middle);
    this.view.shell.say(`Piece ${this.key}: Enter grows it.`);
  }
}
