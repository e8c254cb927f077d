/** Hands on an endless plane: as on a board, but points instead of cells. */

import { listenToHands } from "./pointer.js";

/** @param {import("./tile-layer.js").TileLayer} layer @param {{hover?: Function, press?: Function, stroke?: Function, release?: Function, leave?: Function}} hands each with (x, y) of the plane */
export function listenToPlane(layer, hands) {
  const at = (/** @type {PointerEvent} */ event) => {
    const box = layer.canvas.getBoundingClientRect();
    return layer.camera.toMap((event.clientX - box.left) * devicePixelRatio, (event.clientY - box.top) * devicePixelRatio);
  };
  return listenToHands(layer, {
    move: (event, isDrawing) => { hands.hover?.(...at(event)); if (isDrawing) hands.stroke?.(...at(event)); },
    press: (event) => hands.press?.(...at(event)) ?? false,
    release: () => hands.release?.(),
    leave: () => hands.leave?.(),
  });
}
