/** A small board that is being solved while somebody looks at the start: calm, and for decoration only. */

import { Board } from "../../board/board.js";
import { h } from "../../parts/element.js";
import { Player } from "../map/player.js";

const SETS = ["terrain", "castle", "circuit", "meadow", "knots"];
const SECONDS = 5, REST = 3500; // of a solve; milliseconds until the next one

/** @returns {{element: HTMLElement, start: () => void, close: () => void}} */
export function buildHero() {
  const canvas = h("canvas", { "aria-hidden": "true" }), link = h("a", { class: "live" }, h("img", { src: "covers/terrain.webp", alt: "" }), canvas, h("span", {}, "Maps that make themselves"));
  link.href = "#/map";
  let isOpen = true, player = /** @type {Player|null} */ (null), board = /** @type {Board|null} */ (null);
  const wait = (/** @type {number} */ time) => new Promise((resolve) => setTimeout(resolve, time));

  const play = async (/** @type {number} */ turn) => {
    const tileset = SETS[turn % SETS.length], seed = 1 + Math.floor(Math.random() * 999);
    board ??= new Board(canvas);
    player ??= new Player(board);
    await player.load(tileset);
    const zoom = Math.max(1, Math.round(devicePixelRatio)), width = Math.ceil(canvas.width / zoom / player.atlas.width), height = Math.ceil(canvas.height / zoom / player.atlas.height);
    await player.show({ request: { tileset, topology: { width, height }, seed, refine: false }, commands: [] }, false);
    Object.assign(board.camera, { scale: zoom, x: 0, y: 0 });
    link.href = `#/map?tileset=${tileset}&seed=${seed}`;
    link.lastChild.textContent = `${player.tileset.name}, seed ${seed}: being solved now`;
    link.classList.add("playing");
    await player.run(Math.ceil((width * height) / 3 / SECONDS));
    await wait(REST);
  };
  return {
    element: link,
    async start() {
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      try {
        for (let turn = 0; isOpen; turn++) { if (document.hidden) await wait(1000); else await play(turn); }
      } catch { /* the picture stays */ }
    },
    close() { isOpen = false; player?.close(); board?.close(); },
  };
}
