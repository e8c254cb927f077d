/** Hands on a canvas: wheel and pinch zoom at the cursor, space, middle button or two fingers pan, the rest draws. */

const SECOND_FINGER = 80; // milliseconds within which it may follow the first: then nothing is drawn

/**
 * @typedef {object} Handlers
 * @property {(event: PointerEvent, isDrawing: boolean) => void} move the cursor moved
 * @property {(event: PointerEvent) => boolean} press true: a stroke begins; false: the canvas is dragged
 * @property {() => void} release the stroke ended
 * @property {(event: PointerEvent) => void} leave the cursor left the canvas
 */

/**
 * @param {{canvas: HTMLCanvasElement, camera: import("./camera.js").Camera, draw: () => void, zoomBy?: (factor: number, x: number, y: number, isStep: boolean) => void}} target zooms by itself, or its camera does
 * @param {Handlers} handlers
 * @returns {() => void} stop listening
 */
export function listenToHands(target, handlers) {
  const { canvas, camera } = target, stop = new AbortController(), touches = new Map();
  let mode = "", isSpaceDown = false;
  const at = (/** @type {MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * devicePixelRatio, (event.clientY - box.top) * devicePixelRatio];
  };
  const on = (/** @type {EventTarget} */ source, /** @type {string} */ kind, /** @type {any} */ listener, more = {}) =>
    source.addEventListener(kind, listener, { signal: stop.signal, ...more });

  /** Whether the wheel is the board's: in a page that scrolls (`data-wheel=focus`), only with the focus or a modifier. */
  const takesWheel = (/** @type {WheelEvent} */ { ctrlKey, metaKey }) => canvas.dataset.wheel !== "focus" || ctrlKey || metaKey
    || /** @type {Document|ShadowRoot} */ (canvas.getRootNode()).activeElement === canvas;

  on(canvas, "wheel", (/** @type {WheelEvent} */ event) => {
    if (!takesWheel(event)) return;
    event.preventDefault();
    const [x, y] = at(event), isMouse = !event.ctrlKey && Math.abs(event.deltaY) >= 40;
    const factor = isMouse ? 2 ** (-Math.sign(event.deltaY) / (target.zoomBy ? 1 : 2)) : Math.exp(-event.deltaY / 150);
    if (target.zoomBy) return target.zoomBy(factor, x, y, isMouse);
    camera.zoomTo(camera.scale * factor, x, y);
    target.draw();
  }, { passive: false });

  /** A finger that has come down, until it is known that it draws alone. */
  let waiting = /** @type {{event: PointerEvent, timer: number}|null} */ (null);
  const begin = () => {
    if (!waiting) return;
    const { event, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    mode = handlers.press(event) ? "stroke" : "pan";
  };

  on(canvas, "pointerdown", (/** @type {PointerEvent} */ event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    touches.set(event.pointerId, at(event));
    if (touches.size === 2) {
      clearTimeout(waiting?.timer);
      waiting = null;
      if (mode === "stroke") handlers.release();
      mode = "pinch";
    } else if (event.button || isSpaceDown) mode = "pan";
    else {
      waiting = { event, timer: setTimeout(begin, SECOND_FINGER) };
      if (event.pointerType !== "touch") begin();
    }
  });

  on(canvas, "pointermove", (/** @type {PointerEvent} */ event) => {
    const before = touches.get(event.pointerId), now = at(event);
    if (waiting && before && Math.hypot(now[0] - before[0], now[1] - before[1]) > 6 * devicePixelRatio) begin();
    if (waiting) return;
    if (mode === "pinch" && before) pinch(event.pointerId, before, now);
    else if (mode === "pan" && before) camera.pan(now[0] - before[0], now[1] - before[1]);
    if (before) { touches.set(event.pointerId, now); target.draw(); }
    if (mode === "" || mode === "stroke") handlers.move(event, mode === "stroke");
  });

  const end = (/** @type {PointerEvent} */ event) => {
    begin();
    touches.delete(event.pointerId);
    if (mode === "stroke") handlers.release();
    mode = touches.size ? "pan" : "";
  };
  on(canvas, "pointerup", end);
  on(canvas, "pointercancel", end);
  on(canvas, "pointerleave", (/** @type {PointerEvent} */ event) => { if (!mode) handlers.leave(event); });
  on(canvas, "contextmenu", (/** @type {Event} */ event) => event.preventDefault());
  on(window, "keydown", (/** @type {KeyboardEvent} */ event) => { if (event.code === "Space" && event.target === canvas) isSpaceDown = true; });
  on(window, "keyup", (/** @type {KeyboardEvent} */ event) => { if (event.code === "Space") isSpaceDown = false; });

  /** Two fingers: zoom by their distance and move with their middle. */
  function pinch(/** @type {number} */ id, /** @type {number[]} */ before, /** @type {number[]} */ now) {
    const other = [...touches.entries()].find(([each]) => each !== id)?.[1];
    if (!other) return;
    const far = (/** @type {number[]} */ point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
    camera.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    camera.zoomTo((camera.scale * far(now)) / far(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  return () => stop.abort();
}

/**
 * Hands on the cells of a board.
 * @param {import("./board.js").Board} board
 * @param {{hover?: (cell: number) => void, press?: (cell: number) => boolean|void, stroke?: (cell: number) => void, release?: () => void}} hands
 */
export function listenToPointer(board, hands) {
  let last = -1, from = [0, 0];
  return listenToHands(board, {
    move: (event, isDrawing) => {
      // A quick hand leaves no gaps: every few pixels on the way count.
      const to = [event.clientX, event.clientY], steps = isDrawing ? Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 4)) : 1;
      for (let step = 1; step <= steps; step++) {
        const cell = board.cellAt(...mix(from, to, step / steps));
        if (cell === last) continue;
        last = cell;
        if (isDrawing && cell >= 0) hands.stroke?.(cell);
        hands.hover?.(cell);
      }
      from = to;
    },
    press: (event) => {
      from = [event.clientX, event.clientY];
      const cell = (last = board.cellAt(event.clientX, event.clientY));
      return cell >= 0 && Boolean(hands.press?.(cell));
    },
    release: () => hands.release?.(),
    leave: () => { last = -1; hands.hover?.(-1); },
  });
}

/** A point between two. @returns {[number, number]} */
const mix = (/** @type {number[]} */ from, /** @type {number[]} */ to, /** @type {number} */ share) => [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
