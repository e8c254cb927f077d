/** What a line of sight meets first in a map of blocks. */

import { SIDES } from "./grid.js";

/**
 * The first voxel on a line, found by walking voxel by voxel.
 * @param {import("./grid.js").BlockGrid} grid @param {number[]} from x, y, z in voxels of the map @param {number[]} way
 * @returns {import("./grid.js").Hit|null}
 */
export function findHit(grid, from, way) {
  const fine = grid.models.size, ends = grid.size.map((each, axis) => each * fine[axis]);
  let enters = 0, leaves = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const [one, other] = [-from[axis] / way[axis], (ends[axis] - from[axis]) / way[axis]].sort((a, b) => a - b);
    enters = Math.max(enters, one);
    leaves = Math.min(leaves, other);
  }
  if (enters >= leaves) return null;
  const at = from.map((each, axis) => Math.min(ends[axis] - 1, Math.max(0, Math.floor(each + (enters + 1e-6) * way[axis]))));
  const next = at.map((each, axis) => (each + (way[axis] > 0 ? 1 : 0) - from[axis]) / way[axis]);
  let axis = 2;
  for (;;) {
    const cell = grid.cellAt(at.map((each, index) => Math.floor(each / fine[index])));
    if (grid.isShown(cell) && grid.models.at(grid.patterns[cell], at[0] % fine[0], at[1] % fine[1], at[2] % fine[2]) >= 0)
      return { cell, side: SIDES.findIndex((side) => side[axis] === -Math.sign(way[axis])) };
    axis = next.indexOf(Math.min(...next));
    at[axis] += Math.sign(way[axis]);
    next[axis] += 1 / Math.abs(way[axis]);
    if (at[axis] < 0 || at[axis] >= ends[axis]) return null;
  }
}
