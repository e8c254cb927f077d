/** Keeps a live session in step with a document, and the board in step with the session, or with an earlier moment of it. */

import { LiveSession } from "../../app/live-session.js";
import { FRAME } from "../../app/live.js";
import { Board, UNDECIDED } from "../../board/board.js";
import { hexCells, hexGeometry, squareGeometry } from "../../board/geometry.js";
import { isState, MOMENT, Recording } from "../../board/recording.js";
import { Wave } from "../../board/wave.js";
import { TileNames } from "./tile-names.js";
import { countDecisions, isEdit, splitCommands } from "./reducers.js";
import { findRoute, isSameState } from "./route.js";

/**
 * What a session is rebuilt from.
 * @typedef {{request: Record<string, any>, commands: Record<string, any>[], locks?: number[][]}} MapState
 */

const MOMENTS = /** @type {Record<string, number>} */ ({ run: MOMENT.NONE, step: MOMENT.NONE, refine: MOMENT.SWEPT });
const REPLAY_SECONDS = 1.5; // for a whole run that was recorded, at full speed

const countEdits = (/** @type {MapState} */ { commands }) => commands.filter(isEdit).length;

export class Player extends LiveSession {
  /** @param {Board} board */
  constructor(board) {
    super();
    this.board = board;
    this.names = new TileNames();
    this.wave = new Wave(0, [], []); // what each cell may be at the moment that is shown
    this.possible = new Wave(0, [], []); // and in any map, since `askPossible` was answered last
    this.recording = new Recording(this.wave, () => {});
    this._runs = 0;
    this.speed = /** @type {number|"max"} */ ("max"); // steps a second
    this.look = "average"; // of undecided cells, see `Wave.paint`
    this._synced = /** @type {MapState|null} */ (null);
    this._ahead = /** @type {Set<any>} */ (new Set()); // commands that were sent before the document has them
    this._edits = /** @type {number[]} */ ([]); // how many moments there were before each edit of the finished map
    this._shows = 0;
    this.isApplying = false; // edits of a finished map that a document had already
    this._before = 0; // decisions that were made when the recording began
    this._isAdopted = false;
    this._isPlain = false; // the map is being refined by no sweep: it becomes what the solver found
    board.prepare = (cell) => {
      const pattern = (board.patterns[cell] = this.wave.pattern(cell));
      if (pattern === UNDECIDED) this.wave.paint(cell, this.look, board.tints, 3 * cell);
    };
  }

  /** Whether the moment that is shown is the last. */
  get isAtEnd() { return this.recording.isAtEnd; }

  /** Whether the map that is shown is finished. */
  get isFinished() { return this.isAtEnd && this.status.status === "solved"; }

  /** How many decisions had been made at the moment that is shown. */
  get decisions() { return this._before + (this.recording.current?.decisions ?? 0); }

  /** The session is already where the next state will be. */
  adopt() { this._isAdopted = true; }

  /** The next state begins with a session of its own, wherever this one is. */
  forget() { this._synced = null; }

  /** @param {string} id */
  async load(id) {
    if (this.tileset?.id === id) return;
    await super.load(id);
    this.names = new TileNames(this.tileset);
  }

  /**
   * Bring the session to a state: only what changed is sent if that suffices.
   * @param {MapState} state @param {boolean} runs to the end, if the state is not about a finished map
   */
  async show(state, runs = true) {
    const shows = this._shows;
    try {
      await this._lead(state, runs);
    } finally {
      if (this.isApplying && this._shows === shows + 1) {
        this.isApplying = false;
        this._tell("status");
      }
    }
  }

  async _lead(/** @type {MapState} */ state, /** @type {boolean} */ runs) {
    const before = this._synced;
    if (before && !this._isAdopted && isSameState(before, state)) { // what is under way leads there
      this._synced = state;
      return;
    }
    this.isApplying = false;
    const number = ++this._shows, done = this._ahead, isStale = () => number !== this._shows;
    this._synced = state;
    this._ahead = new Set();
    if (this._isAdopted) { this._isAdopted = false; return; }
    const route = before ? findRoute(before, state, this.status.status === "solved") : "open";
    const sent = before?.commands.length ?? 0;
    let rest = /** @type {any[]} */ ([]);
    if (route === "undo") return this.undoEdits(countEdits(/** @type {MapState} */ (before)) - countEdits(state));
    if (route === "send") rest = state.commands.slice(sent).filter((each) => !done.has(each));
    else if (route === "refine") return this.refine(state.request.refine);
    else {
      const [first, then] = splitCommands(state.commands);
      rest = then;
      await this.load(state.request.tileset);
      if (isStale()) return;
      this._synced = null;
      await this._open({ ...state.request, boards: "domains" }, first, () => this._begin(state.request, countDecisions(first)));
      if (isStale()) return;
      this._synced = state;
      if (!rest.length && !runs) return;
      this.isApplying = rest.some(isEdit);
      await this.run();
    }
    for (const command of rest) if (!isStale() && !this._isDone(command)) await this._send(command.command, command);
  }

  /** Go on to the end: through what was recorded, then with the solver. @param {number|"max"} speed */
  async run(speed = this.speed) {
    const number = ++this._runs, shows = this._shows; // one that was replaced must not end the next, nor go on in its session
    this.isRunning = true;
    this._tell("status");
    try {
      await this._replay(speed);
      if (!this.isRunning || number !== this._runs || this.status.status === "solved") return;
      await this._send("run", { speed, show: "events" });
      const isSolved = shows === this._shows && this.status.status === "solved";
      if (isSolved && this._synced?.request.refine !== false) await this._send("refine");
    } finally {
      if (number === this._runs) { this.isRunning = false; this._tell("status"); }
    }
  }

  /** End a run, or going through a recording. */
  async pause() {
    const isReplay = !this.isAtEnd;
    this.isRunning = false;
    if (!isReplay) await this._send("pause");
  }

  async step() {
    if (this.isAtEnd) return this._send("step", { count: 1 });
    this.scrub(this.recording.position + 1);
  }

  async back() { this.scrub(this.recording.position - 1); }

  /** Show the map after so many moments. @param {number} position */
  scrub(position) {
    if (this.isRunning) this.pause();
    this.recording.seek(position);
    this._tell("moment");
  }

  /** Settle the finished map anew. @param {number|string|false} sweeps */
  refine(sweeps) { return this._send("refine", sweeps === "auto" ? {} : { sweeps: Number(sweeps) }); }

  /** How many sweeps settle a map. @param {MapState} state */
  countSweeps({ request: { refine, heuristics }, commands }) {
    const asked = commands.at(-1)?.sweeps ?? refine;
    return asked !== "auto" ? Number(asked) : heuristics?.order || heuristics?.choice ? 0 : this.tileset?.sweeps ?? 0;
  }

  /** How undecided cells look. @param {string} look */
  setLook(look) {
    this.look = look;
    this.board.invalidateAll();
  }

  stats() { return this._live.ask("stats"); }

  /**
   * What each cell may be in any map; with `cells` and a `tile`, whether it fits there.
   * @param {{cells?: number[], tile?: any, keep: number[]}} about
   */
  askPossible(about) { return this._live.ask("possible", about); }

  /** Do what the document will have soon, while a stroke goes on. @param {Record<string, any>} command */
  async anticipate(command) {
    const answer = await this._send(command.command, command);
    this._ahead.add(command);
    return answer;
  }

  close() {
    this._shows++;
    this.isRunning = false;
    super.close();
  }

  async _send(/** @type {string} */ command, /** @type {Record<string, any>} */ options = {}) {
    if (command === "refine") this._isPlain = options.sweeps === 0;
    const before = this.recording.moments.length, answer = await super._send(command, options);
    if (isEdit({ command })) this._edits.push(before);
    return answer;
  }

  /** Go back to the finished map before so many edits. @param {number} count */
  async undoEdits(count) {
    this.recording.truncate(this._edits.splice(-count)[0] ?? this.recording.moments.length);
    await this._send("undo", { count });
  }

  /** Whether the session has done a command already, by running to its end. */
  _isDone(/** @type {any} */ command) {
    return command.sweeps === undefined && ["run", "refine"].includes(command.command) && this.status.status === "solved";
  }

  /** Go through what was recorded. @param {number|"max"} speed moments a second */
  async _replay(speed) {
    const { recording } = this, started = performance.now(), first = recording.position;
    const rate = speed === "max" ? Math.max(60, (recording.moments.length - first) / REPLAY_SECONDS) : speed;
    while (this.isRunning && !recording.isAtEnd) {
      await new Promise(requestAnimationFrame);
      if (!this.isRunning) return;
      recording.seek(first + Math.ceil(((performance.now() - started) / 1000) * rate));
      this._tell("moment");
    }
  }

  _begin(/** @type {any} */ request, /** @type {number} */ decisions) {
    const { width, height } = this.atlas, size = request.topology;
    const isHex = this.tileset.topology === "hex";
    const geometry = isHex ? hexGeometry(hexCells(size), width, height) : squareGeometry(size.width, size.height, width);
    const weights = this.tileset.patterns.map((/** @type {any} */ { weight, tile }) => weight * (request.weights?.[tile] ?? 1));
    [this.wave, this.possible] = [1, 2].map(() => new Wave(geometry.count, weights, this.atlas.means));
    this.recording = new Recording(this.wave, (cell) => this.board.invalidate(cell));
    this._edits = [];
    this._before = decisions;
    this.board.open(geometry, this.atlas);
    this.status = { status: "open", decisions: 0, decided: 0, cells: geometry.count };
    this._tell("moment");
  }

  /** @param {import("../../app/live.js").Frame} frame @param {string} command */
  takeFrame(frame, command) {
    const { recording } = this;
    if (command === "possible") return this.possible.take(frame, () => {});
    if (frame.kind === FRAME.EVENTS) recording.addEvents(frame.rows);
    else if (command === "open") recording.begin(frame);
    else if (command === "refine" && this._isPlain)
      recording.truncate(recording.moments.findLastIndex(({ kind }) => kind !== MOMENT.SWEPT) + 1);
    else if (isState(frame)) recording.addState(frame, MOMENTS[command] ?? MOMENT.EDITED, `${command} ${frame.tag}`);
    this._tell("moment");
  }
}
