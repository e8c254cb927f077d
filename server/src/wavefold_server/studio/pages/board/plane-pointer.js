/** Hands on an endless plane: as on a board, but points instead of cells. */

import { listenToHands } from "./pointer.js";

/** @typedef {(x: number, y: number) => void} Touch a point of the plane */
/** @typedef {{hover?: Touch, press?: (x: number, y: number) => boolean, stroke?: Touch, release?: () => void, leave?: () => void}} PlaneHands */

/** @param {import("./tile-layer.js").TileLayer} layer @param {PlaneHands} hands */
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
