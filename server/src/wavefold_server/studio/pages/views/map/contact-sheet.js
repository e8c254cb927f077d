/** Sixteen seeds side by side, with the present settings, pins and locks; one is taken over as one step. */

import { strip } from "../../app/live-session.js";
import { Live } from "../../app/live.js";
import { Wave } from "../../board/wave.js";
import { button } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { mapReducers, splitCommands } from "./reducers.js";

const COUNT = 16, LONGEST = 480; // maps, and pixels of a picture

export class ContactSheet {
  /** @param {import("../map.js").MapView} view */
  constructor(view) {
    this.view = view;
    this._element = /** @type {HTMLElement|null} */ (null);
    this._live = /** @type {Live|null} */ (null);
    this._seeds = /** @type {number[]} */ ([]);
  }

  get isOpen() { return Boolean(this._element); }

  toggle() {
    if (this.isOpen) return this.close();
    const { shell, state } = this.view, grid = h("div", { class: "sheet-grid" });
    this._element = h("section", { class: "sheet", tabindex: -1, "aria-label": "Contact sheet" },
      h("header", { class: "row" }, h("h2", { class: "grow" }, "Sixteen seeds"),
        h("span", { class: "quiet small" }, "Click one, or press 1 to 9"),
        button("16 more", () => this.show(grid, this._seeds[COUNT - 1] + 1), { symbol: "dice" }),
        button("Close", () => this.close(), { symbol: "close", isIconOnly: true, kind: "plain", key: "Escape" })), grid);
    shell.stage.append(/** @type {HTMLElement} */ (this._element));
    this.show(grid, state.request.seed + 1);
  }

  /** Take over one of the seeds, counted from 0. @param {number} index */
  take(index) {
    const seed = this._seeds[index];
    if (!this.isOpen || seed === undefined) return;
    this.close();
    this.view.apply({ do: "seed", seed });
  }

  close() {
    this._live?.close();
    this._element?.remove();
    this._live = this._element = null;
    this.view.board.canvas.focus({ preventScroll: true });
  }

  /** Solve and draw the maps one after another. @param {HTMLElement} grid @param {number} first seed */
  async show(grid, first) {
    this._seeds = Array.from({ length: COUNT }, (_, index) => (first + index) % 1_000_000);
    const shots = this._seeds.map((seed, index) => h("button",
      { type: "button", class: "shot skeleton", onclick: () => this.take(index), "aria-label": `Seed ${seed}, not solved yet` },
      h("canvas"), h("small", { class: "number" }, index < 9 ? h("kbd", {}, index + 1) : "", ` Seed ${seed}`)));
    fill(grid, ...shots);
    this._element?.focus({ preventScroll: true });
    this._live?.close();
    const { player, state } = this.view, geometry = this.view.board.geometry, weights = player.wave.weights;
    const wave = new Wave(geometry?.count ?? 0, weights, []);
    const live = (this._live = new Live((frame) => wave.take(frame, () => {})));
    // All of them at once as the solver leaves them, then each as it settles.
    for (const isRefined of state.request.refine === false ? [true] : [false, true])
      for (const [index, seed] of this._seeds.entries()) {
        const { request, commands } = mapReducers.seed(state, { seed });
        const whole = { ...request, commands: splitCommands(commands)[0].map(strip) };
        const problem = await solve(live, whole, isRefined && request.refine !== false).catch((error) => error);
        if (live !== this._live) return;
        if (problem?.name === "Disconnected")
          return this.view.shell.say("The connection was lost: close the sheet and open it again.", "warn");
        this._draw(shots[index], seed, wave, !problem, isRefined);
      }
    live.close();
  }

  /** @param {HTMLElement} shot @param {number} seed @param {Wave} wave @param {boolean} isSolved @param {boolean} isLast */
  _draw(shot, seed, wave, isSolved, isLast) {
    const { board: { geometry }, player: { atlas } } = this.view, canvas = shot.querySelector("canvas");
    shot.classList.remove("skeleton");
    if (isLast) shot.dataset.done = "true";
    shot.setAttribute("aria-label", isSolved ? `Seed ${seed}` : `Seed ${seed}: not finished in time`);
    if (!canvas) return; // it was not finished
    if (!geometry || !isSolved) return canvas.replaceWith(h("p", { class: "quiet" }, "not finished"));
    const { box } = geometry, scale = Math.min(1, LONGEST / Math.max(box.width, box.height));
    canvas.width = Math.ceil(box.width * scale);
    canvas.height = Math.ceil(box.height * scale);
    const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    ink.setTransform(scale, 0, 0, scale, -box.x * scale, -box.y * scale);
    for (let cell = 0; cell < geometry.count; cell++)
      if (wave.left[cell] === 1) atlas.draw(ink, wave.combined[cell], ...geometry.corner(cell));
  }
}

/** Solve a map, without showing it on the way. @param {Live} live @param {any} request @param {boolean} refines */
async function solve(live, request, refines) {
  await live.ask("open", request);
  if ((await live.ask("run", { show: "end" })).status !== "solved") return new Error("impossible");
  if (refines) await live.ask("refine");
}
