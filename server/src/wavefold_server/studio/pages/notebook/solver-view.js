/** A solver in a notebook: step, run, pause, go back, see what cells may be, and paint. */

import { decodeFrame } from "../app/live.js";
import { count } from "../app/names.js";
import { Atlas } from "../board/atlas.js";
import { Board, UNDECIDED } from "../board/board.js";
import { cellsGeometry, hexGeometry } from "../board/geometry.js";
import { Outcome } from "../board/outcome.js";
import { listenToPointer } from "../board/pointer.js";
import { button, choice } from "../parts/controls.js";
import { fill } from "../parts/element.js";
import { bytesOf } from "./kernel.js";

const SLICE = 12, SPEEDS = [["4", "slow"], ["60", "a step a frame"], ["Infinity", "fast"]]; // milliseconds of solving; steps a second

/** @param {import("./widget.js").Place} place @returns {() => void} */
export function openSolver({ kernel, bar, canvas, say, hover, listenToKeys }) {
  const board = new Board(canvas), state = { isRunning: false, isClosed: false, speed: 60, tile: "", tiles: /** @type {any[]} */ ([]),
    names: /** @type {string[]} */ ([]), status: "open", answer: /** @type {any} */ (null) };
  let outcome = new Outcome(0, 0), cell = -1, asked = 0;
  canvas.setAttribute("aria-label", "Map: Ctrl and the wheel to zoom, drag or arrow keys to move; space to run, full stop to step; with a tile chosen, click to put it");
  const look = (/** @type {(camera: import("../board/camera.js").Camera) => void} */ change) => () => { change(board.camera); board.draw(); };
  const zoom = (/** @type {number} */ by) => look((camera) => camera.step(by, canvas.width / 2, canvas.height / 2));
  listenToKeys({ " ": run, ".": step, ",": stepBack, 0: () => board.fit(), "+": zoom(1), "=": zoom(1), "-": zoom(-1),
    ArrowLeft: look((camera) => camera.pan(64, 0)), ArrowRight: look((camera) => camera.pan(-64, 0)),
    ArrowUp: look((camera) => camera.pan(0, 64)), ArrowDown: look((camera) => camera.pan(0, -64)) });

  /** The darker, the fewer patterns are left. */
  function tint(/** @type {number} */ each) {
    const share = Math.log(Math.max(1, outcome.left[each])) / Math.log(Math.max(2, state.names.length));
    board.tints.set([30 + 150 * share, 90 + 98 * share, 110 + 86 * share], 3 * each);
  }
  const follow = (/** @type {ArrayBuffer} */ frame) => outcome.follow(decodeFrame(frame), (each) => { tint(each); board.set(each, outcome.pattern(each)); });

  /** Show what an answer brings. @param {import("./kernel.js").Reply} reply */
  function take({ answer, buffers }) {
    if (state.isClosed || answer.atlas) return;
    for (const each of buffers) follow(bytesOf(each));
    if (answer.status) state.status = answer.status;
  }
  kernel.onother = (reply) => {
    take(reply);
    if (!reply.answer.status || reply.answer.atlas) return;
    state.answer = reply.answer;
    canvas.dataset.status = state.status;
    tell();
    showBar();
  };

  /** How far it is, in words. */
  function tell() {
    const { status, decided, cells, decisions } = state.answer, open = state.isRunning ? "Solving" : "Paused";
    const what = { solved: "Solved", impossible: "Impossible: there is no such map", contradiction: "Contradiction: the next step goes back" }[/** @type {string} */ (status)] ?? open;
    say(`${what} · ${decided} of ${cells} cells · ${count(decisions, "decision")}`);
  }

  /** Ask, and show what comes. @param {string} command @param {Record<string, any>} [options] */
  async function ask(command, options) {
    const reply = await kernel.ask(command, options), { answer } = reply;
    take(reply);
    if (answer.error) say(answer.error, "error");
    else if (answer.status) { state.answer = answer; tell(); }
    canvas.dataset.status = state.isRunning ? "running" : state.status;
    return answer;
  }

  async function open() {
    const { answer, buffers: [frame, picture, where] } = await kernel.ask("open");
    if (answer.error) return say(answer.error, "error");
    const { columns, width, height } = answer.atlas, at = new Int32Array(bytesOf(where));
    const image = await createImageBitmap(new Blob([bytesOf(picture)]));
    Object.assign(state, { tiles: answer.tiles, names: answer.names, status: answer.status });
    outcome = new Outcome(at.length / 2, answer.names.length);
    board.open(answer.kind === "hex" ? hexGeometry(at, width, height) : cellsGeometry(at, width), new Atlas(image, columns, width, height, answer.names.length));
    for (let each = 0; each < at.length / 2; each++) tint(each);
    follow(bytesOf(frame));
    showBar();
    say(answer.status === "solved" ? "Solved" : "Run it, or go step by step.");
    canvas.dataset.status = answer.status;
  }

  async function run() {
    if (state.isRunning) { state.isRunning = false; return; }
    state.isRunning = true;
    showBar();
    while (state.isRunning && !state.isClosed && !["solved", "impossible"].includes(state.status)) {
      const steps = state.speed === Infinity ? 100_000 : 1, started = performance.now(), answer = await ask("advance", { ms: SLICE, steps });
      if (answer.error) break;
      const pause = state.speed < 60 ? 1_000 / state.speed - (performance.now() - started) : 0;
      await new Promise((resolve) => (pause > 0 ? setTimeout(resolve, pause) : requestAnimationFrame(resolve)));
    }
    state.isRunning = false;
    canvas.dataset.status = state.status;
    if (state.answer) tell();
    showBar();
  }

  function step() { if (!state.isRunning) ask("advance", { ms: 100, steps: 1 }).then(showBar); }

  function stepBack() { if (!state.isRunning) ask("undo").then(showBar); }

  function showBar() {
    const tiles = /** @type {[string, string][]} */ ([["", "move the map"], ...state.tiles.map(({ name }) => [name, name])]);
    const { isRunning } = state, isFinished = ["solved", "impossible"].includes(state.status);
    const runButton = button(isRunning ? "Pause" : "Run", run, { symbol: isRunning ? "pause" : "run", kind: "main", isDisabled: !isRunning && isFinished });
    fill(bar, button("Step back", stepBack, { symbol: "back", isIconOnly: true }), runButton,
      button("Step", step, { symbol: "step", isIconOnly: true }),
      choice("Speed", /** @type {[string, string][]} */ (SPEEDS), String(state.speed), (each) => { state.speed = Number(each); }, true),
      choice("Click to", tiles.map(([value, text]) => [value, value ? `put ${text}` : text]), state.tile, (each) => { state.tile = each; }, true),
      button("Whole map", () => board.fit(), { symbol: "fit", isIconOnly: true }));
  }

  async function describe(/** @type {number} */ each) {
    if (each < 0) return hover("");
    const at = board.geometry?.coordinates(each).join(", "), pattern = outcome.pattern(each), number = ++asked;
    if (pattern !== UNDECIDED) return hover(`${at} · ${state.names[pattern]}`);
    hover(`${at} · ${outcome.left[each]} possible`);
    if (state.isRunning) return;
    const { answer } = await kernel.ask("domain", { cell: each });
    if (number === asked && answer.domain) hover(`${at} · ${answer.domain.slice(0, 4).map((/** @type {any} */ { name, chance }) => `${name} ${Math.round(100 * chance)} %`).join(", ")}${answer.domain.length > 4 ? " …" : ""}`);
  }

  async function put(/** @type {number} */ each) {
    if (state.isRunning) return;
    await ask("put", { cell: each, tile: state.tile });
    describe(each);
    showBar();
  }

  const stop = listenToPointer(board, {
    hover: (each) => { cell = each; board.draw(); describe(each); },
    press: (each) => { if (state.tile) put(each); return Boolean(state.tile); },
    stroke: put,
  });
  board.overlays.push((ink) => {
    if (cell < 0) return;
    for (const [colour, width] of /** @type {[string, number][]} */ ([["rgb(0 0 0 / .6)", 3], ["#fff", 1.5]])) {
      ink.strokeStyle = colour; ink.lineWidth = width * devicePixelRatio; ink.beginPath(); board.trace(cell); ink.stroke();
    }
  });
  open();
  return () => { state.isClosed = true; stop(); board.close(); };
}
