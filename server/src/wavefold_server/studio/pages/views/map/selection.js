/** A part of the map: a rectangle, or what a hand draws around. */

export class Selection {
  /** @param {import("../map.js").MapView} view */
  constructor(view) {
    this.view = view;
    this._cells = /** @type {number[]|null} */ ([]); // null: not known since the hand moved
    this._rows = /** @type {{of: any, cells: Map<number, number[]>}} */ ({ of: null, cells: new Map() });
    this.isFree = false; // drawn around, not a rectangle
    this._path = /** @type {number[]} */ ([]); // cells that the hand went through
  }

  /** What is selected, found out when somebody asks: for a hand that moves, once a frame. @returns {number[]} */
  get cells() {
    const { _path: path } = this;
    return (this._cells ??= this.isFree ? this._findEnclosed() : this._findBetween(path[0], path[path.length - 1]));
  }

  clear() {
    this._cells = [];
    this.view.board.draw();
  }

  /** The hand comes down. */
  begin() { this._path = []; }

  /** The hand is at another cell. @param {number} cell */
  extend(cell) {
    this._path.push(cell);
    this._cells = null;
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
    const { corner, count } = this._geometry, [a, b] = [corner(one), corner(other)];
    const [left, right, top, bottom] = [Math.min(a[0], b[0]), Math.max(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[1], b[1])];
    return Array.from({ length: count }, (_, cell) => cell).filter((cell) => {
      const [x, y] = corner(cell);
      return x >= left && x <= right && y >= top && y <= bottom;
    });
  }

  /** The cells on the path and inside it, row by row, as if its end were joined to its beginning. */
  _findEnclosed() {
    const { corner } = this._geometry, found = new Set(this._path), points = this._path.map(corner);
    for (const [y, cells] of this._listRows()) {
      const ends = /** @type {number[]} */ ([]); // where the path crosses this row
      for (let index = 0, last = points.length - 1; index < points.length; last = index++) {
        const [ax, ay] = points[index], [bx, by] = points[last];
        if ((ay > y) !== (by > y)) ends.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
      }
      if (!ends.length) continue;
      for (const cell of cells) {
        const x = corner(cell)[0];
        if (ends.reduce((isInside, end) => isInside !== x < end, false)) found.add(cell);
      }
    }
    return [...found];
  }

  /** All cells by the height of their row. */
  _listRows() {
    const { _geometry: geometry, _rows: { of } } = this;
    if (of === geometry) return this._rows.cells;
    const cells = /** @type {Map<number, number[]>} */ (new Map());
    for (let cell = 0; cell < geometry.count; cell++) {
      const y = geometry.corner(cell)[1], row = cells.get(y);
      if (row) row.push(cell);
      else cells.set(y, [cell]);
    }
    this._rows = { of: geometry, cells };
    return cells;
  }

  get _geometry() { return /** @type {import("../../board/geometry.js").Geometry} */ (this.view.board.geometry); }
}
