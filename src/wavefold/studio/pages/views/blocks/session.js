/** Keeps a live session in step with a document, and the blocks in step with the session. */

import { get, picture } from "../../app/api.js";
import { Live } from "../../app/live.js";
import { Atlas } from "../../board/atlas.js";
import { Outcome } from "../../board/outcome.js";
import { Models } from "./models.js";
import { strip } from "../map/reducers.js";

export class BlockSession extends EventTarget {
  /** @param {(models: Models) => Promise<any>} draw makes what draws blocks */
  constructor(draw) {
    super();
    this._draw = draw;
    this.blocks = /** @type {any} */ (null);
    this.tileset = this.atlas = /** @type {any} */ (null); // both are there once a state is shown
    this.status = /** @type {any} */ ({ status: "open", decided: 0, cells: 0 });
    this.isRunning = false;
    this._shown = this._state = /** @type {any} */ (null);
    this._live = new Live((frame) => this._outcome?.follow(frame, (cell) => this.blocks.set(cell, this._outcome?.pattern(cell))));
    this._live.addEventListener("lost", () => this.dispatchEvent(new Event("lost")));
    this._live.addEventListener("again", () => this._rebuild());
  }

  /** Bring the session to a state. What has been sent since with `paint` is there already. @param {any} state */
  async show(state) {
    const { request, commands } = (this._state = state);
    if (this._shown === JSON.stringify([request, commands])) return;
    this._shown = JSON.stringify([request, commands]);
    if (this.tileset?.id !== request.tileset) await this._load(request.tileset);
    const { width, height, depth } = request.topology;
    if (this.blocks.size.join() !== [width, height, depth].join()) { // else a board follows, and only what differs changes
      this._outcome = new Outcome(width * height * depth, this.tileset.pattern_count);
      this.blocks.open([width, height, depth]);
    }
    this._take(await this._live.ask("open", { ...request, commands: commands.map(strip) }));
  }

  /** Solve to the end. @param {number|"max"} speed steps a second @param {string} [show] */
  async run(speed, show = "events") {
    this.isRunning = true;
    this.dispatchEvent(new Event("status"));
    try {
      this._take(await this._live.ask("run", { speed, show }));
    } finally {
      this.isRunning = false;
      this.dispatchEvent(new Event("status"));
    }
  }

  async pause() { this._take(await this._live.ask("pause")); }

  /** Change the finished map before the document does; `state` is what it will be then. @param {any} command @param {any} state */
  async paint(command, state) {
    const { command: name, ...options } = strip(command);
    this._take(await this._live.ask(name, options));
    this._shown = JSON.stringify([state.request, state.commands]);
    this._state = state;
    return true;
  }

  close() { this._live.close(); }

  /** The connection is there again, with a server that knows nothing of this session. */
  async _rebuild() {
    this._shown = null;
    if (!this._state) return;
    await this.show(this._state);
    if (this.status.status !== "solved") await this.run("max", "boards");
  }

  async _load(/** @type {string} */ id) {
    const tileset = await get(`/tilesets/${encodeURIComponent(id)}`), { columns, width, height, url } = tileset.atlas;
    this.atlas = new Atlas(await picture(url.replace(/^.*\/api\/v1/, "")), columns, width, height, tileset.pattern_count);
    this.blocks = await this._draw(await Models.load(tileset));
    this.tileset = tileset;
  }

  _take(/** @type {any} */ answer) {
    if (answer.status) this.status = answer;
    this.dispatchEvent(new Event("status"));
  }
}
