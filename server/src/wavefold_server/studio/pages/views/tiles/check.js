/** The check of a set, in the background: it begins once nothing has changed for a while. */

import { post } from "../../app/api.js";

const SETTLED = 1500; // milliseconds without a change

export class Check {
  /** @param {() => void} onreport there is a report, or it is known why there is none */
  constructor(onreport) {
    this.report = /** @type {any} */ (null); // null: not yet
    this._onreport = onreport;
    this._timer = 0;
    this._asking = new AbortController();
  }

  /** Check these tables, and forget the others. @param {any} tables */
  begin(tables) {
    this.stop();
    this.report = null;
    const { signal } = (this._asking = new AbortController());
    this._timer = setTimeout(async () => {
      try { this.report = await post("/drafts/audit", { tables }, signal); } catch (error) {
        const { name, status, message } = /** @type {any} */ (error);
        if (name === "AbortError") return;
        if (status === 503) return this.begin(tables);
        this.report = { problem: `It could not be checked: ${message}` };
      }
      this._onreport();
    }, SETTLED);
  }

  stop() {
    clearTimeout(this._timer);
    this._asking.abort();
  }
}
