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
   * @param {(state: any) => any} check whether a state from elsewhere has all its parts; it may also throw
   */
  constructor(view, beginning, reducers, check = () => true) {
    super();
    this.view = view;
    this.reducers = reducers;
    this.check = check;
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

  /** Whether there is a step back; what a view begins with (commands with `isFirst`) stays. */
  get canUndo() { return this.applied > 0 && !this.commands[this.applied - 1].isFirst; }
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
    const states = this._replay(data);
    this.beginning = data.beginning;
    this.commands = [...data.commands];
    this._states = states;
    this.applied = states.length;
    this._tell({ do: "load" });
  }

  /** @param {any} data @returns {State[]} after each command */
  _replay({ beginning, commands }) {
    const states = /** @type {State[]} */ ([]), check = (/** @type {any} */ state) => { if (!this.check(state)) throw new Error("a part is missing"); };
    try {
      check(beginning);
      for (const command of commands) {
        if (!Object.hasOwn(this.reducers, command.do)) throw new Problem({ title: "This document is from another version", detail: `It has a step that is not known here: “${command.do}”.`, advice: "Update wavefold." });
        states.push(this.reducers[command.do](states.at(-1) ?? beginning, command));
      }
      check(states.at(-1) ?? beginning);
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem({ title: "This document is damaged", detail: "Parts of it are missing.", advice: "Open the link or file again from where you have it." });
    }
    return states;
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
