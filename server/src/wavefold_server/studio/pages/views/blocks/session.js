/** Keeps a live session in step with a document, and the blocks in step with the session. */

import { LiveSession } from "../../app/live-session.js";
import { Outcome } from "../../board/outcome.js";
import { Models } from "./models.js";

export class BlockSession extends LiveSession {
  /** @param {(models: Models) => Promise<any>} draw makes what draws blocks */
  constructor(draw) {
    super();
    this._draw = draw;
    this.blocks = /** @type {any} */ (null);
    this._outcome = new Outcome(0, 0);
    this._shown = this._state = /** @type {any} */ (null);
    this.addEventListener("again", () => this._rebuild());
  }

  /** Bring the session to a state. What has been sent since with `paint` is there already. @param {any} state */
  async show(state) {
    const { request, commands } = (this._state = state), { width, height, depth } = request.topology;
    if (this._shown === JSON.stringify([request, commands])) return;
    this._shown = JSON.stringify([request, commands]);
    await this.load(request.tileset);
    await this._open(request, commands, () => {
      if (this.blocks.size.join() === [width, height, depth].join()) return; // a board follows, and only what differs changes
      this._outcome = new Outcome(width * height * depth, this.tileset.pattern_count);
      this.blocks.open([width, height, depth]);
    });
  }

  /** The next state begins with a session of its own. */
  forget() { this._shown = null; }

  /** Solve to the end. @param {number|"max"} speed steps a second @param {string} [show] */
  async run(speed, show = "events") {
    this.isRunning = true;
    this._tell("status");
    try {
      await this._send("run", { speed, show });
    } finally {
      this.isRunning = false;
      this._tell("status");
    }
  }

  pause() { return this._send("pause"); }

  /** Change the finished map before the document does; `state` is what it will be then. @param {any} command @param {any} state */
  async paint(command, state) {
    await this._send(command.command, command);
    this._shown = JSON.stringify([state.request, state.commands]);
    this._state = state;
    return true;
  }

  /** @param {string} id */
  async load(id) {
    if (this.tileset?.id === id) return;
    await super.load(id);
    this.blocks = await this._draw(await Models.load(this.tileset));
  }

  /** @param {import("../../app/live.js").Frame} frame */
  takeFrame(frame) { this._outcome.follow(frame, (cell) => this.blocks.set(cell, this._outcome.pattern(cell))); }

  /** The connection is there again, without a session. */
  async _rebuild() {
    this._shown = null;
    if (!this._state) return;
    await this.show(this._state);
    if (this.status.status !== "solved") await this.run("max", "boards");
  }
}
