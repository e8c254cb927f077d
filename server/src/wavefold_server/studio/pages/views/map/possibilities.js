/**
 * Where a tile can be put, before anybody clicks. While the solver is at work, that is what the wave allows; on a finished
 * map, whatever keeps pins, paint, locks and rules: the server answers for all cells at once, and more exactly for the one
 * that is pointed at.
 */

import { LatestQuestion } from "../../app/latest-question.js";
import { findPins } from "./reducers.js";

export class Possibilities {
  /** @param {import("../map.js").MapView} view */
  constructor(view) {
    this.view = view;
    this._question = new LatestQuestion((/** @type {{cell: number, tile: string}} */ wanted) => this._ask(wanted));
    this._about = /** @type {any[]} */ ([]); // what the answers are about
    this._answers = /** @type {Map<string, boolean>} */ (new Map()); // by cell and tile
    this._painted = /** @type {Set<number>} */ (new Set()); // cells that may be painted over
    this._isKnown = false;
  }

  close() { this._question.close(); }

  /** Find out about a tile, and about one cell (-1: none). @param {number} cell @param {string} tile */
  look(cell, tile) {
    if (this.view.isFinished && tile) this._question.ask({ cell, tile });
  }

  /** Whether a tile is known not to fit. @param {number} cell @param {string} tile */
  excludes(cell, tile) {
    const { isFinished, player } = this.view, patterns = player.names.patternsOf(tile);
    if (!isFinished) return !player.wave.allows(cell, patterns);
    if (player.wave.allows(cell, patterns)) return false; // it is there
    if (this.view.isLocked(cell)) return true;
    if (!this._isKnown) return false;
    return !(this._answers.get(`${cell} ${tile}`) ?? (this._painted.has(cell) || player.possible.allows(cell, patterns)));
  }

  async _ask(/** @type {{cell: number, tile: string}} */ { cell, tile }) {
    const { board, player, state } = this.view, about = [state, player.recording, player.recording.moments.length];
    const keep = this.view.lockedCells, key = `${cell} ${tile}`;
    try {
      if (about.some((each, index) => each !== this._about[index])) {
        this._isKnown = (await player.askPossible({ keep })).fits;
        this._about = about;
        this._answers.clear();
        this._painted = new Set(findPins(state.commands).filter(({ isPin }) => !isPin).map((each) => each.cell));
        board.draw();
      }
      if (cell < 0 || this._answers.has(key) || (this._isKnown && this.excludes(cell, tile))) return;
      const { fits } = await player.askPossible({ cells: [cell], tile: player.names.toService(tile), keep });
      this._answers.set(key, fits);
    } catch { return; } // the connection was lost, or the map is another: only a hint is missing
    if (this.view.hands.hovered === cell) this.view.hands.showHover();
    board.draw();
  }
}
