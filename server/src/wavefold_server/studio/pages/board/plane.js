/** Cells of an endless plane, whose map tiles have units of one cell's width. */

const ROW = 7 / 8, HEIGHT = ROW * 4 / 3; // of hexagons, in widths: as the service draws its map tiles

/** The cell at a point. @param {string} topology @param {number} x @param {number} y @returns {[number, number]} */
export function planeCellAt(topology, x, y) {
  if (topology !== "hex") return [Math.floor(x), Math.floor(y)];
  const r = (y - HEIGHT / 2) / ROW, q = x - 0.5 - r / 2, s = -q - r;
  let rq = Math.round(q), rr = Math.round(r);
  const rs = Math.round(s), dq = Math.abs(rq - q), dr = Math.abs(rr - r), ds = Math.abs(rs - s);
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return [rq, rr];
}

/** The corners of a cell. @param {string} topology @param {number} x @param {number} y @returns {[number, number][]} */
export function planeOutline(topology, x, y) {
  if (topology !== "hex") return [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
  const left = x + y / 2, top = y * ROW, quarter = HEIGHT / 4;
  return [[left + 0.5, top], [left + 1, top + quarter], [left + 1, top + 3 * quarter], [left + 0.5, top + HEIGHT], [left, top + 3 * quarter], [left, top + quarter]];
}

/** Where the corner of a cell, or of a chunk of cells, lies. @param {string} topology @param {number} x @param {number} y @returns {[number, number]} */
export function planeCorner(topology, x, y) {
  return topology === "hex" ? [x + y / 2, y * ROW + HEIGHT / 8] : [x, y];
}

/** The middle of a cell. @param {string} topology @param {number} x @param {number} y @returns {[number, number]} */
export function planeMiddle(topology, x, y) {
  return topology === "hex" ? [x + y / 2 + 0.5, y * ROW + HEIGHT / 2] : [x + 0.5, y + 0.5];
}
