/** Keeps a live session in step with a document, and the board in step with the session. */

import { get, picture } from "../../app/api.js";
import { FRAME, Live } from "../../app/live.js";
import { Atlas } from "../../board/atlas.js";
import { Board, UNDECIDED } from "../../board/board.js";
import { hexCells, hexGeometry, squareGeometry } from "../../board/geometry.js";
import { Wave } from "../../board/wave.js";

/** @typedef {{request: Record<string, any>, commands: Record<string, any>[]}} MapState what a session is rebuilt from */

export class Player extends EventTarget {
  /** @param {Board} board */
  constructor(board) {
    super();
    this.board = board;
    this.tileset = /** @type {any} */ (null);
    this.atlas = /** @type {Atlas} */ (/** @type {any} */ (null)); // both are there once a state is shown
    this.wave = new Wave(0, 0);
    this.status = /** @type {any} */ ({ status: "open", decisions: 0, decided: 0, cells: 0 });
    this.isRunning = false;
    this._synced = /** @type {MapState|null} */ (null);
    this._ahead = /** @type {Set<any>} */ (new Set()); // commands that were sent before the document has them
    this._sent = this._ahead;
    this._live = new Live((frame) => this._follow(frame));
    this._live.addEventListener("lost", () => this._tell("lost"));
    this._live.addEventListener("again", () => { const state = this._synced; this._synced = null; if (state) this.show(state, true); });
  }

  /** Load a tile set and its pictures. @param {string} id */
  async load(id) {
    if (this.tileset?.id === id) return;
    const tileset = await get(`/tilesets/${encodeURIComponent(id)}`), { columns, width, height, url } = tileset.atlas;
    const image = await picture(url.replace(/^.*\/api\/v1/, ""));
    this.atlas = new Atlas(image, columns, width, height, tileset.pattern_count);
    this.tileset = tileset;
  }

  /** Bring the session to a state: what was added since is sent, anything else begins anew. @param {MapState} state @param {boolean} [animate] */
  async show(state, animate = false) {
    const before = this._synced, { request, commands } = state;
    this._synced = state;
    const isSame = before && JSON.stringify(before.request) === JSON.stringify(request)
      && before.commands.every((each, index) => each === commands[index]);
    this._sent = this._ahead;
    this._ahead = new Set();
    if (isSame) {
      for (const command of commands.slice(before.commands.length)) if (!this._isDone(command)) await this._send(command.command, command);
      return;
    }
    await this.load(request.tileset);
    this._prepare(request);
    const answer = await this._live.ask("open", { ...request, commands: strip(commands) });
    this._take(answer);
    if (animate) this.run();
  }

  /** Solve to the end. @param {number|"max"} speed steps a second */
  async run(speed = this.speed, shows = "events") {
    this.isRunning = true;
    this._tell("status");
    try {
      await this._send("run", { speed, show: shows });
      if (this.status.status === "solved" && this._synced?.request.refine !== false) await this._send("refine");
    } finally {
      this.isRunning = false;
      this._tell("status");
    }
  }

  speed = /** @type {number|"max"} */ ("max");
  pause() { return this._send("pause"); }
  step() { return this._send("step", { count: 1 }); }
  back() { return this._send("undo", { count: 1 }); }
  /** @param {number} cell */
  domain(cell) { return this._live.ask("domain", { cell }); }
  explain() { return this._live.ask("explain"); }
  log() { return this._live.ask("log"); }

  /** Do what the document will have soon, while a stroke goes on. @param {Record<string, any>} command */
  async anticipate(command) {
    const answer = await this._send(command.command, command);
    this._ahead.add(command);
    return answer;
  }

  close() {
    this._live.close();
  }

  /** Show the map as it was after a number of decisions. @param {number} decisions */
  async scrub(decisions) {
    const { request } = /** @type {MapState} */ (this._synced), { commands } = /** @type {MapState} */ (this._synced);
    const pins = commands.filter(({ command }) => command === "pin" || command === "ban");
    const go = decisions ? [{ command: "run", until: decisions, show: "end" }] : [];
    this._take(await this._live.ask("open", { ...request, commands: strip([...pins, ...go]) }));
  }

  async _send(/** @type {string} */ command, /** @type {Record<string, any>} */ options = {}) {
    const { command: _, at: __, ...rest } = options, answer = await this._live.ask(command, rest);
    this._take(answer);
    return answer;
  }

  /** Whether the session has done a command already, by running to its end. */
  _isDone(/** @type {any} */ command) {
    return this._sent.has(command) || (["run", "refine"].includes(command.command) && this.status.status === "solved");
  }

  _prepare(/** @type {any} */ request) {
    const { width, height } = this.atlas, size = request.topology;
    const geometry = this.tileset.topology === "hex" ? hexGeometry(hexCells(size), width, height) : squareGeometry(size.width, size.height, width);
    this.wave = new Wave(geometry.count, this.tileset.pattern_count);
    this.board.open(geometry, this.atlas);
    for (let cell = 0; cell < geometry.count; cell++) tint(this.board.tints, cell, this.wave, false);
  }

  _follow(/** @type {import("../../app/live.js").Frame} */ frame) {
    const { board, wave } = this;
    wave.follow(frame, (cell) => {
      const pattern = wave.pattern(cell);
      if (pattern === UNDECIDED) tint(board.tints, cell, wave, frame.kind === FRAME.COLOURS);
      board.set(cell, pattern);
    });
  }

  _take(/** @type {any} */ answer) {
    if (answer.status) this.status = answer;
    this._tell("status");
  }

  _tell(/** @type {string} */ kind) {
    this.dispatchEvent(new Event(kind));
  }
}

/** Commands without what only the studio uses. @param {any[]} commands */
const strip = (commands) => commands.map(({ at: _, ...rest }) => rest);

/** The tint of an undecided cell: the darker, the fewer patterns are left. */
function tint(/** @type {Uint8ClampedArray} */ tints, /** @type {number} */ cell, /** @type {Wave} */ wave, /** @type {boolean} */ isBlended) {
  if (isBlended) { tints.set(wave.colours.subarray(4 * cell, 4 * cell + 3), 3 * cell); return; }
  const share = Math.log(Math.max(1, wave.left[cell])) / Math.log(Math.max(2, wave.patternCount));
  tints[3 * cell] = 30 + 190 * share;
  tints[3 * cell + 1] = 90 + 128 * share;
  tints[3 * cell + 2] = 110 + 100 * share;
}
