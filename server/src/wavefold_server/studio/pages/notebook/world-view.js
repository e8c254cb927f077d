/** An endless world in a notebook: map tiles come from the kernel. */

import { planeCellAt } from "../board/plane.js";
import { listenToPlane } from "../board/plane-pointer.js";
import { TileLayer } from "../board/tile-layer.js";
import { TileStore } from "../board/tile-store.js";
import { button } from "../parts/controls.js";
import { fill } from "../parts/element.js";
import { bytesOf } from "./kernel.js";

class KernelTiles extends TileStore {
  /** @param {import("./kernel.js").Kernel} kernel @param {(text: string) => void} complain */
  constructor(kernel, complain) {
    super(() => "");
    this._kernel = kernel;
    this._complain = complain;
  }

  /** @param {import("../board/tile-store.js").Wanted} wanted */
  async read({ z, x, y }) {
    const { answer, buffers: [png] } = await this._kernel.ask("tile", { z, x, y });
    if (answer.error) { this._complain(answer.error); throw new Error(answer.error); }
    return { kind: answer.how, blob: new Blob([bytesOf(png)]) };
  }
}

/** @param {import("./widget.js").Place} place @returns {() => void} */
export function openWorld({ kernel, bar, canvas, say, hover, listenToKeys }) {
  const tiles = new KernelTiles(kernel, (text) => say(text, "error")), layer = new TileLayer(canvas, tiles);
  let kind = "square";
  canvas.setAttribute("aria-label", "World: drag or arrow keys to move, Ctrl and the wheel or plus and minus to zoom");
  const move = (/** @type {number} */ dx, /** @type {number} */ dy) => () => { layer.camera.pan(dx, dy); layer.draw(); };
  listenToKeys({ ArrowLeft: move(64, 0), ArrowRight: move(-64, 0), ArrowUp: move(0, 64), ArrowDown: move(0, -64),
    "+": () => layer.zoomBy(2), "=": () => layer.zoomBy(2), "-": () => layer.zoomBy(0.5), 0: () => layer.lookAt(0, 0) });
  layer.camera.scale = 8 * devicePixelRatio;
  tiles.addEventListener("tile", () => { canvas.dataset.tiles = String(Number(canvas.dataset.tiles ?? 0) + 1); });
  fill(bar, button("Nearer", () => layer.zoomBy(2), { symbol: "add", isIconOnly: true }),
    button("Farther", () => layer.zoomBy(0.5), { symbol: "less", isIconOnly: true }),
    button("Back to the origin", () => layer.lookAt(0, 0), { symbol: "origin", isIconOnly: true }));
  kernel.ask("open").then(({ answer }) => {
    kind = answer.kind;
    layer.lookAt(0, 0);
    say(`${answer.name} · seed ${answer.seed} · drag to move, Ctrl and the wheel to zoom`);
  });
  const stop = listenToPlane(layer, { hover: (x, y) => hover(planeCellAt(kind, x, y).join(", ")) });
  return () => { stop(); layer.close(); };
}
