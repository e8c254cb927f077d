/** Where cells are on the map, in pixels of the atlas: x to the right, y down. */

/**
 * @typedef {object} Geometry
 * @property {number} count cells
 * @property {number} [columns] cells of each row, if all rows are full
 * @property {{x: number, y: number, width: number, height: number}} box around all cells
 * @property {(cell: number) => [number, number]} corner top left of a cell's picture
 * @property {(x: number, y: number) => number} cellAt the cell at a point; -1: none
 * @property {(cell: number) => number[]} coordinates as the service writes them: [x, y] or [q, r]
 * @property {[number, number][]} outline corners of a cell, relative to `corner`
 */

/** Rows of squares. @param {number} columns @param {number} rows @param {number} size of a cell @returns {Geometry} */
export function squareGeometry(columns, rows, size) {
  return {
    count: columns * rows,
    columns,
    box: { x: 0, y: 0, width: columns * size, height: rows * size },
    corner: (cell) => [(cell % columns) * size, Math.floor(cell / columns) * size],
    cellAt: (x, y) => {
      const column = Math.floor(x / size), row = Math.floor(y / size);
      return column >= 0 && row >= 0 && column < columns && row < rows ? row * columns + column : -1;
    },
    coordinates: (cell) => [cell % columns, Math.floor(cell / columns)],
    outline: [[0, 0], [size, 0], [size, size], [0, size]],
  };
}

/** Squares at any coordinates [cell, (x, y)]. @param {Int32Array} at @param {number} size of a cell @returns {Geometry} */
export function cellsGeometry(at, size) {
  const columns = 1 + at.reduce((most, each, index) => (index % 2 ? most : Math.max(most, each)), 0), rows = 1 + at.reduce((most, each, index) => (index % 2 ? Math.max(most, each) : most), 0);
  const whole = squareGeometry(columns, rows, size), cells = new Int32Array(whole.count).fill(-1), places = Int32Array.from({ length: at.length / 2 }, (_, cell) => at[2 * cell + 1] * columns + at[2 * cell]);
  places.forEach((place, cell) => { cells[place] = cell; });
  if (places.every((place, cell) => place === cell) && places.length === whole.count) return whole;
  return { ...whole, columns: undefined, count: places.length, corner: (cell) => whole.corner(places[cell]),
    coordinates: (cell) => whole.coordinates(places[cell]),
    cellAt: (x, y) => cells[whole.cellAt(x, y)] ?? -1 };
}

/**
 * Pointy-top hexagons at axial coordinates.
 * @param {Int32Array} axial [cell, (q, r)]
 * @param {number} width of a hexagon from side to side, in pixels
 * @param {number} height of its picture
 * @returns {Geometry}
 */
export function hexGeometry(axial, width, height) {
  const count = axial.length / 2, step = Math.round((width * Math.sqrt(3)) / 2), quarter = step / 3, index = new Map();
  const place = (/** @type {number} */ q, /** @type {number} */ r) => [width * q + Math.floor((width * r) / 2), step * r];
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  for (let cell = 0; cell < count; cell++) {
    const q = axial[2 * cell], r = axial[2 * cell + 1], [x, y] = place(q, r);
    index.set(`${q},${r}`, cell);
    left = Math.min(left, x); top = Math.min(top, y); right = Math.max(right, x + width); bottom = Math.max(bottom, y + height);
  }
  const half = width / 2, middle = height / 2;
  return {
    count,
    box: { x: left, y: top, width: right - left, height: bottom - top },
    corner: (cell) => /** @type {[number, number]} */ (place(axial[2 * cell], axial[2 * cell + 1])),
    cellAt: (x, y) => {
      const [q, r] = roundAxial((x - half) / width, (y - middle) / step);
      return index.get(`${q},${r}`) ?? -1;
    },
    coordinates: (cell) => [axial[2 * cell], axial[2 * cell + 1]],
    outline: [[half, middle - 2 * quarter], [width, middle - quarter], [width, middle + quarter], [half, middle + 2 * quarter],
      [0, middle + quarter], [0, middle - quarter]],
  };
}

/**
 * Axial coordinates [cell, (q, r)] in the order in which the service numbers cells: row by row.
 * @param {{width?: number, height?: number, radius?: number, wraps?: boolean}} topology
 */
export function hexCells({ width = 0, height = 0, radius, wraps = false }) {
  const cells = [];
  if (radius !== undefined && radius !== null) {
    for (let r = -radius; r <= radius; r++)
      for (let q = Math.max(-radius, -r - radius); q <= Math.min(radius, radius - r); q++) cells.push(q, r);
  } else {
    for (let r = 0; r < height; r++)
      for (let column = 0; column < width; column++) cells.push(wraps ? column : column - Math.floor(r / 2), r);
  }
  return Int32Array.from(cells);
}

/** The hexagon that contains a point, given in steps of columns and rows. @returns {[number, number]} */
function roundAxial(/** @type {number} */ across, /** @type {number} */ down) {
  const r = down, q = across - down / 2, s = -q - r;
  let rq = Math.round(q), rr = Math.round(r);
  const rs = Math.round(s), dq = Math.abs(rq - q), dr = Math.abs(rr - r), ds = Math.abs(rs - s);
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return [rq, rr];
}
