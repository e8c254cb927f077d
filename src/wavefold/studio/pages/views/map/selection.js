/** A part of the map: a rectangle, or what a hand draws around. */

export class Selection {
  /** @param {import("../map.js").MapView} view */
  constructor(view) {
    this.view = view;
    this.cells = /** @type {number[]} */ ([]);
    this.isFree = false; // drawn around, not a rectangle
    this._path = /** @type {number[]} */ ([]); // cells that the hand went through
  }

  clear() {
    this.cells = [];
    this.view.board.draw();
  }

  /** The hand comes down. */
  begin() { this._path = []; }

  /** The hand is at another cell. @param {number} cell */
  extend(cell) {
    this._path.push(cell);
    this.cells = this.isFree ? this._findEnclosed() : this._findBetween(this._path[0], cell);
  }

  /** "Not like this": it becomes something else. */
  async regrow() {
    const { hands, shell, state, player, lockedCells: keep } = this.view;
    if (!this.cells.length) {
      hands.choose("select");
      return shell.say("Drag over the part that you do not like, then press R again.", "warn");
    }
    if (!player.isFinished) return shell.say("Only a finished map can be regrown: press Space first.", "warn");
    const seed = state.commands.filter(({ command }) => command === "regrow").length + 1;
    const command = { command: "regrow", cells: this.cells, seed, ...(keep.length ? { keep } : {}) };
    const before = command.cells.map((cell) => player.wave.pattern(cell));
    if (!await this.view.guard(() => player.anticipate(command))) return;
    if (command.cells.some((cell, index) => player.wave.pattern(cell) !== before[index]))
      return this.view.apply({ do: "edit", commands: [command] });
    await this.view.guard(() => player.undoEdits(1));
    shell.say("Nothing else fits here: select a larger part, or erase what is pinned, painted or locked around it.", "warn");
  }

  /** All cells in the rectangle between two. @param {number} one @param {number} other */
  _findBetween(one, other) {
    const { corner } = this._geometry, [a, b] = [corner(one), corner(other)];
    const [left, right, top, bottom] = [Math.min(a[0], b[0]), Math.max(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[1], b[1])];
    return this._listCells(([x, y]) => x >= left && x <= right && y >= top && y <= bottom);
  }

  /** The cells on the path and inside it, as if its end were joined to its beginning. */
  _findEnclosed() {
    const path = this._path, on = new Set(path), points = path.map((cell) => this._geometry.corner(cell));
    return this._listCells(([x, y], cell) => {
      let isInside = on.has(cell);
      for (let index = 0, last = points.length - 1; index < points.length && !on.has(cell); last = index++) {
        const [ax, ay] = points[index], [bx, by] = points[last];
        if ((ay > y) !== (by > y) && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
      }
      return isInside;
    });
  }

  get _geometry() { return /** @type {import("../../board/geometry.js").Geometry} */ (this.view.board.geometry); }

  _listCells(/** @type {(corner: [number, number], cell: number) => boolean} */ holds) {
    const geometry = this._geometry;
    return Array.from({ length: geometry.count }, (_, cell) => cell).filter((cell) => holds(geometry.corner(cell), cell));
  }
}
