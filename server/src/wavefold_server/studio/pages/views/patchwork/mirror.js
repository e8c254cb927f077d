/** The patchwork on the server that mirrors a document: steps are sent once; after an undo it is made again. */

import { get, insist, post, remove } from "../../app/api.js";
import { pair } from "./plan.js";

/** @typedef {import("./plan.js").Pair} Pair */
/** @typedef {{populate?: Pair[], rebuild?: Pair, radius?: number}} Step */
/** @typedef {{request: {tileset: string, radius: number, seed: number, join: string}, from?: string, steps: Step[]}} State */
/**
 * What a patchwork looks like; never changed, so that each state of a document keeps its own.
 * @typedef {object} Look
 * @property {Map<string, Uint16Array>} pieces patterns of their cells @property {Pair[]} next keys of placeholders
 * @property {Set<string>} changed cells @property {Set<string>} dropped cells @property {Map<string, any>} reports of pieces
 */

/** @type {Look} */
export const EMPTY = { pieces: new Map(), next: [[0, 0]], changed: new Set(), dropped: new Set(), reports: new Map() };
const AT_ONCE = 12; // pieces in a request, when they have been seen before

/** What a patchwork is before its first step. @param {State} state */
const sourceOf = ({ request, from }) => JSON.stringify([request, from]);

export class Mirror {
  /** @param {import("./plan.js").Plan} plan */
  constructor(plan) {
    this.plan = plan;
    this.id = "";
    this.look = EMPTY;
    this._steps = /** @type {Step[]} */ ([]); // of the document, which are done
    this._source = ""; // what it began with
  }

  /**
   * Bring the server to a state.
   * @param {State} state @param {AbortSignal} [signal] @param {(look: Look) => void} [onprogress]
   */
  async follow(state, signal, onprogress) {
    const isOther = this._source !== sourceOf(state) || this._steps.some((step, index) => step !== state.steps[index]);
    if (!this.id || isOther) await this._restart(state, signal);
    for (const step of state.steps.slice(this._steps.length)) {
      const keys = step.populate ?? [], many = state.request.join === "whole" ? keys.length : AT_ONCE;
      if (step.rebuild) await this.send(step, signal);
      for (let at = 0; at < keys.length; at += many) {
        await this.send({ populate: keys.slice(at, at + many) }, signal);
        onprogress?.(this.look);
      }
      this._steps.push(step);
    }
    return this.look;
  }

  /** Do a step. @param {Step} step @param {AbortSignal} [signal] */
  async send({ populate, rebuild, radius }, signal) {
    try {
      const [what, body] = rebuild ? ["rebuild", { cell: rebuild, radius }] : ["populate", { grids: populate }];
      this._take(await post(`/patchworks/${this.id}/${what}`, body, signal));
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if (!status || status === 404) this.close(); // whether it was done is unknown, or the draft made room for newer ones
      throw error;
    }
  }

  /** The document has this step now, which was sent. @param {Step} step */
  keep(step) {
    this._steps.push(step);
  }

  /** Delete it: the document can make it again. */
  close() {
    if (this.id) remove(`/patchworks/${this.id}`).catch(() => {});
    this.id = "";
  }

  async _restart(/** @type {State} */ state, /** @type {AbortSignal|undefined} */ signal) {
    this.close();
    this.look = EMPTY;
    this._steps = [];
    this._source = sourceOf(state);
    const source = state.from ? `/patchworks/${state.from}/copy?draft=true` : "/patchworks";
    const { id, keys, expandable } = await insist(() => post(source, { ...state.request, draft: true }, signal));
    if (keys.length) {
      const path = `/patchworks/${id}/`;
      const read = await Promise.all(keys.map((/** @type {Pair} */ key) => get(`${path}grids/${key.join("/")}`, signal)));
      const [cells, changed, dropped] = ["cells", "changed", "dropped"].map((name) => read.flatMap((each) => each[name]));
      this._take({ cells, changed, dropped, expandable, grids: (await get(`${path}report`, signal)).grids });
    }
    this.id = id;
  }

  /** @param {{cells: number[][], changed: Pair[], dropped: Pair[], expandable: Pair[], grids: any[]}} change */
  _take({ cells, changed, dropped, expandable, grids }) {
    const { plan, look } = this, pieces = new Map(look.pieces), fresh = new Set();
    const reports = new Map([...look.reports, ...grids.map((each) => /** @type {[string, any]} */ ([String(each.key), each]))]);
    let key = "";
    for (const [x, y, pattern] of cells) {
      key = plan.owner([x, y], [key || "0,0", ...reports.keys()]);
      const [cx, cy] = plan.centre(pair(key)), at = plan.index.get(`${x - cx},${y - cy}`) ?? 0;
      if (!fresh.has(key)) { fresh.add(key); pieces.set(key, pieces.get(key)?.slice() ?? new Uint16Array(plan.offsets.length)); }
      /** @type {Uint16Array} */ (pieces.get(key))[at] = pattern;
    }
    this.look = { pieces, reports, next: expandable, changed: new Set([...look.changed, ...changed.map(String)]),
      dropped: new Set(dropped.map(String)) };
  }
}
