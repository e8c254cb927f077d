/** What happens to a world elsewhere: edits of other tabs, a server that is gone, a world that was deleted. */

import { API, get } from "../../app/api.js";
import { button } from "../../parts/controls.js";

const PAUSE = 2_000; // milliseconds until a server that refused is asked again

export class WorldFeed {
  /** @param {import("../world.js").WorldView} view */
  constructor(view) {
    this.view = view;
    this._isLost = false;
  }

  /** Listen to the world that is shown now. */
  listen() {
    const { view } = this;
    this.close();
    if (view.signal.aborted) return;
    const source = (this._source = new EventSource(`${API}/worlds/${view.world.id}/events?since=${view.revision}`));
    source.addEventListener("change", (event) => view.takeChange(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    source.addEventListener("end", () => { source.close(); this.lose(404); });
    source.addEventListener("error", () => {
      this.lose(0);
      const isRefused = source.readyState === EventSource.CLOSED; // browsers do not try again
      if (isRefused) this._retry = setTimeout(() => this._find(), PAUSE);
    });
    source.addEventListener("open", () => {
      if (!this._isLost) return;
      this._isLost = false;
      view.shell.say("Connected again.");
      view.layer.draw();
    });
  }

  close() {
    clearTimeout(this._retry);
    this._source?.close();
  }

  /** The server is gone, or the world is. @param {number} status */
  lose(status) {
    const { shell } = this.view;
    if (status === 401) return dispatchEvent(new Event("unauthorized"));
    if (status === 404 || status === 410) {
      const again = button("Make it again", () => { shell.closeCard(); this.view.replaceWorld(); }, { kind: "main" });
      return shell.showCard("error", "This world was deleted",
        "Somebody removed it from the server, with its edits. The same land can be made again.", shell.canWrite ? [again] : []);
    }
    this._isLost = true;
    shell.say("The server does not answer. Trying again …", "warn");
  }

  /** Is the world still there? */
  async _find() {
    const { view } = this;
    try {
      view.takeChange({ ...(await get(`/worlds/${view.world.id}`, view.signal)), kind: "edit", cells: 0 });
      this.listen();
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if (view.signal.aborted) return;
      this.lose(status);
      if (status !== 404) this._retry = setTimeout(() => this._find(), PAUSE);
    }
  }
}
