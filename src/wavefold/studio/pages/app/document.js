/**
 * What is being made, as a log of commands: undo and redo move in it; reload, links and code are replays of it.
 *
 * A state is a plain object that is never changed; a command is a plain object {do: "name", ...}; how a command
 * changes a state is a function of the view (`reducers`).
 */

import { Problem } from "./api.js";

/** @typedef {Record<string, any>} State */
/** @typedef {{do: string, [key: string]: any}} Command */

const LONGEST = 10_000; // commands that are kept; older ones are folded into the beginning

export class StudioDocument extends EventTarget {
  /**
   * @param {string} view
   * @param {State} beginning
   * @param {Record<string, (state: State, command: Command) => State>} reducers
   */
  constructor(view, beginning, reducers) {
    super();
    this.view = view;
    this.reducers = reducers;
    this.beginning = beginning;
    /** @type {Command[]} */
    this.commands = [];
    /** @type {State[]} after each command */
    this._states = [];
    this.applied = 0;
  }

  /** @returns {State} */
  get state() {
    return this.applied ? this._states[this.applied - 1] : this.beginning;
  }

  /** The id of the tile set without which it cannot be shown. @returns {string|undefined} */
  get tileset() { return this.state.request?.tileset; }

  get canUndo() { return this.applied > 0; }
  get canRedo() { return this.applied < this.commands.length; }

  /** Apply a command. One with the same `merge` as the last replaces it: a slider is one step back. @param {Command} command */
  apply(command) {
    this.commands.length = this._states.length = this.applied;
    const last = this.commands.at(-1);
    if (command.merge && last?.merge === command.merge) {
      this.commands.pop();
      this._states.pop();
      this.applied--;
    }
    const reduce = this.reducers[command.do];
    if (!reduce) throw new Error(`there is no command ${command.do}`);
    this._states.push(reduce(this.state, command));
    this.commands.push(command);
    this.applied++;
    this._fold();
    this._tell(command);
  }

  undo() {
    if (!this.canUndo) return;
    this.applied--;
    this._tell({ do: "undo" });
  }

  redo() {
    if (!this.canRedo) return;
    this.applied++;
    this._tell({ do: "redo" });
  }

  /** Close a series: the next command is a step of its own. */
  seal() {
    const last = this.commands[this.applied - 1];
    if (last) delete last.merge;
  }

  /** Plain data that `load` reads. */
  toJSON() {
    return { version: 1, view: this.view, beginning: this.beginning, commands: this.commands.slice(0, this.applied) };
  }

  /** Replay a log that `toJSON` wrote. @param {any} data */
  load(data) {
    if (data?.version !== 1 || data.view !== this.view) throw new Problem({ title: "This is not a document of this view", detail: "It is damaged, or belongs to another view." });
    this.beginning = data.beginning;
    this.commands = [];
    this._states = [];
    this.applied = 0;
    for (const command of data.commands) {
      const reduce = this.reducers[command.do];
      if (!reduce) throw new Problem({ title: "This document is from another version", detail: `It has a step that is not known here: “${command.do}”.`, advice: "Update wavefold." });
      this._states.push(reduce(this.state, command));
      this.commands.push(command);
      this.applied++;
    }
    this._tell({ do: "load" });
  }

  _fold() {
    if (this.commands.length <= LONGEST) return;
    this.beginning = /** @type {State} */ (this._states.shift());
    this.commands.shift();
    this.applied--;
  }

  _tell(/** @type {Command} */ command) {
    this.dispatchEvent(new CustomEvent("change", { detail: command }));
  }
}
