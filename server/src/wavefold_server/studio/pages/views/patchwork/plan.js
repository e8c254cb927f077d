/** Where the pieces of a patchwork lie, as `wavefold.patchwork.plan` has it: disks of hexagons, or squares. */

/** @typedef {[number, number]} Pair a cell (x, y), or the key of a piece (column, row) */

const CORNERS = { hex: [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]], square: [[1, 1], [-1, 1], [-1, -1], [1, -1]] };

export class Plan {
  /** @param {string} topology hex or square @param {number} radius of a piece, in cells around its centre */
  constructor(topology, radius) {
    this.topology = topology;
    this.radius = radius;
    this.isHex = topology === "hex";
    this.offsets = this.disk([0, 0], radius); // cells of a piece, seen from its centre
    this.index = new Map(this.offsets.map((offset, index) => [String(offset), index]));
    this.corners = CORNERS[/** @type {"hex"} */ (topology)].map(([x, y]) => [x * radius, y * radius]);
  }

  /** Cells at most so far from one; around squares, a square. @param {Pair} cell @param {number} radius @returns {Pair[]} */
  disk([x, y], radius) {
    const found = /** @type {Pair[]} */ ([]);
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) if (!this.isHex || Math.abs(dx + dy) <= radius) found.push([x + dx, y + dy]);
    return found;
  }

  /** The cell in the middle of a piece. @param {Pair} key @returns {Pair} */
  centre([gx, gz]) {
    const near = this.radius, far = near + 1, down = gz - (gx - (gx & 1)) / 2; // every second column is half a piece lower
    return this.isHex ? [gx * near - down * far, gx * far + down * (near + far)] : [gx * (near + far), gz * (near + far)];
  }

  /** Which of these pieces a cell belongs to. @param {Pair} cell @param {Iterable<string>} keys @returns {string} */
  owner([x, y], keys) {
    for (const key of keys) {
      const [cx, cy] = this.centre(pair(key)), dx = x - cx, dy = y - cy;
      if (Math.max(Math.abs(dx), Math.abs(dy), this.isHex ? Math.abs(dx + dy) : 0) <= this.radius) return key;
    }
    return "";
  }
}

/** @param {string} key @returns {Pair} */
export const pair = (key) => /** @type {Pair} */ (key.split(",").map(Number));
