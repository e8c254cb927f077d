/** Putting tiles: pinned as long as the map is not finished, then painted. A stroke is one step back. */

/** A tile at a cell; `isLast`: whatever is in its way goes. @typedef {{cell: number, tile: string, isLast?: boolean}} Wanted */

export class TileBrush {
  /** @param {import("../map.js").MapView} view */
  constructor(view) {
    this.view = view;
    this._sent = /** @type {Promise<any>[]} */ ([]);
  }

  /** A stroke begins. */
  begin() { this._sent = []; }

  /** Put a tile. While the last moment is shown, it is done at once. @param {number} cell @param {string} tile */
  put(cell, tile) {
    const { view } = this, { player } = view, wanted = { cell, tile };
    if (player.isAtEnd && !(player.isFinished && view.isLocked(cell) && view.possibilities.excludes(cell, tile))) {
      const command = player.isFinished ? this._paint(wanted) : this._pin(wanted);
      this._sent.push(view.guard(() => player.anticipate(command).then(() => command), wanted));
    } else if (view.possibilities.excludes(cell, tile)) view.refuse(wanted);
    else this._sent.push(Promise.resolve(this._pin(wanted)));
  }

  /** The stroke ends: what was done becomes a step of the document. */
  async finish() {
    const { view, _sent: sent } = this, { player } = view, isEnd = player.isAtEnd, before = player.decisions;
    this._sent = []; // the next stroke may begin before this one is answered
    const done = (await Promise.all(sent)).filter(Boolean);
    const decisions = isEnd ? player.decisions : before; // a run may have gone on until the pin
    if (!done.length) return;
    if (view.trouble) view.trouble.isPart = true; // the rest of the stroke was done
    if (done[0].command === "paint") return view.apply({ do: "edit", commands: done });
    if (isEnd) player.adopt();
    else player.forget();
    view.apply({ do: "pin", decisions, commands: done }, false);
  }

  /**
   * Put a tile although something is in its way.
   * @param {Wanted} wanted @param {number[]|"auto"} drop cells that need not stay; "auto": as few as possible
   */
  async force(wanted, drop) {
    const { view } = this, { player } = view;
    if (!player.isFinished) await view.guard(() => player.run("max"));
    if (!player.isFinished) return;
    const names = view.nameHeld(), command = { ...this._paint(wanted), drop };
    view.shell.say("Making room …");
    const answer = await view.guard(() => player.anticipate(command), { ...wanted, isLast: drop === "auto" });
    if (!answer) return;
    command.drop = /** @type {number[]} */ (answer.log.drop);
    view.apply({ do: "edit", commands: [command] });
    const dropped = command.drop.map((cell) => `${names.get(cell) ?? "what was"} at ${view.describeCell(cell)}`);
    const how = dropped.length ? `${dropped.join(", ")} need not stay any more` : "the map around it changed";
    view.shell.say(`There is room: ${how}.`);
  }

  _pin(/** @type {Wanted} */ { cell, tile }) {
    return { command: "pin", cell, at: this._coordinates(cell), tile: this.view.player.names.toService(tile) };
  }

  _paint(/** @type {Wanted} */ { cell, tile }) {
    const { lockedCells, player } = this.view, keep = lockedCells.filter((each) => each !== cell);
    const command = { command: "paint", cells: [cell], at: this._coordinates(cell), tile: player.names.toService(tile) };
    return keep.length ? { ...command, keep } : command;
  }

  _coordinates(/** @type {number} */ cell) { return this.view.board.geometry?.coordinates(cell); }
}
