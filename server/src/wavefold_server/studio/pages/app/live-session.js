/** A live session of one map: its tile set, how far it is, and the frames that belong to it. */

import { Atlas } from "../board/atlas.js";
import { get } from "./api.js";
import { Live } from "./live.js";

/** A command without what only the studio uses. @param {any} command */
export const strip = ({ at: _, ...rest }) => rest;

/** Events: "status"; "lost" and "again" with the connection: a new one begins without a session. */
export class LiveSession extends EventTarget {
  constructor() {
    super();
    this.tileset = /** @type {any} */ (null);
    this.atlas = /** @type {Atlas} */ (/** @type {any} */ (null)); // both are there once a state is shown
    this.status = /** @type {any} */ ({ status: "open", decisions: 0, decided: 0, cells: 0 });
    this.isRunning = false;
    this._prepare = () => {};
    this._live = new Live((frame) => this._receive(frame));
    for (const kind of ["lost", "again"]) this._live.addEventListener(kind, () => this._tell(kind));
  }

  close() { this._live.close(); }

  /** Load a tile set and its pictures. @param {string} id */
  async load(id) {
    if (this.tileset?.id === id) return;
    const tileset = await get(`/tilesets/${encodeURIComponent(id)}`);
    this.atlas = await Atlas.load(tileset);
    this.tileset = tileset;
  }

  /** Begin anew. @param {any} request @param {any[]} commands @param {() => void} prepare called with the first frame: until then it may be refused */
  async _open(request, commands, prepare) {
    this._prepare = prepare;
    this._take(await this._live.ask("open", { ...request, commands: commands.map(strip) }));
  }

  async _send(/** @type {string} */ command, /** @type {Record<string, any>} */ options = {}) {
    const { command: _, ...rest } = strip(options), answer = await this._live.ask(command, rest);
    this._take(answer);
    return answer;
  }

  _receive(/** @type {import("./live.js").Frame} */ frame) {
    const command = this._live.nameOf(frame);
    if (!command) return; // of a session before this one
    if (command === "open") this._prepare();
    this.takeFrame(frame, command);
  }

  /** Take over what a command brings. @param {import("./live.js").Frame} _frame @param {string} _command */
  takeFrame(_frame, _command) {}

  _take(/** @type {any} */ answer) {
    if (answer.status) this.status = answer;
    this._tell("status");
  }

  _tell(/** @type {string} */ kind) { this.dispatchEvent(new Event(kind)); }
}
