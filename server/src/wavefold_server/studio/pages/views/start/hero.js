/** A small board that is being solved while somebody looks at the start: calm, and for decoration only. */

import { h } from "../../parts/element.js";

const SETS = ["terrain", "castle", "circuit", "meadow", "knots"];
const SECONDS = 5, REST = 3500; // of a solve; milliseconds until the next one

/** @returns {{element: HTMLElement, start: () => void, close: () => void}} */
export function buildHero() {
  const canvas = h("canvas", { "aria-hidden": "true" }), picture = h("img", { src: "covers/terrain.webp", alt: "" });
  const link = h("a", { class: "live", href: "#/map" }, picture, canvas, h("span", {}, "Maps that make themselves"));
  let isOpen = true, player = /** @type {import("../map/player.js").Player|null} */ (null);
  let board = /** @type {import("../../board/board.js").Board|null} */ (null);
  const wait = (/** @type {number} */ time) => new Promise((resolve) => setTimeout(resolve, time));

  const play = async (/** @type {number} */ turn) => {
    const tileset = SETS[turn % SETS.length], seed = 1 + Math.floor(Math.random() * 999);
    const [{ Board }, { Player }] = await Promise.all([import("../../board/board.js"), import("../map/player.js")]); // after the page
    if (!isOpen) return;
    board ??= new Board(canvas);
    player ??= new Player(board);
    await player.load(tileset);
    const zoom = Math.max(1, Math.round(devicePixelRatio)), { atlas } = player;
    const width = Math.ceil(canvas.width / zoom / atlas.width), height = Math.ceil(canvas.height / zoom / atlas.height);
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
