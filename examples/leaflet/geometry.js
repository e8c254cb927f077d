// Where cells lie on the map. One unit is the width of a cell, x to the right and y downwards.

export const CHUNK = 64; // units across a map tile at zoom 0
const CELL = 4; // pixels across a cell at zoom 0
const ROW = 7 / 8; // from one row of hexagons to the next
const TRUE_ROW = Math.sqrt(3) / 2; // the same for regular hexagons

// A plane without limits in any direction. Leaflet's latitude is our y, which grows downwards.
export const CellPlane = L.extend({}, L.CRS.Simple, {
  transformation: new L.Transformation(CELL, 0, CELL, 0),
});

const squares = {
  cellAt: (x, y) => [Math.floor(x), Math.floor(y)],
  corner: (x, y) => [x, y],
};

// Hexagons (q, r): every row is half a hexagon further to the right than the one above.
const hexagons = {
  cellAt(x, y) {
    const near = Math.round(y / ROW - 0.5);
    let best, least = Infinity;
    for (const r of [near - 1, near, near + 1]) {
      const q = Math.round(x - 0.5 - r / 2);
      const across = x - 0.5 - r / 2 - q, down = (y / ROW - 0.5 - r) * TRUE_ROW;
      if (across ** 2 + down ** 2 < least) [best, least] = [[q, r], across ** 2 + down ** 2];
    }
    return best;
  },
  corner: (q, r) => [q + r / 2, r * ROW],
};

export const geometryOf = (topology) => (topology === "hex" ? hexagons : squares);

// The corners of a box [x0, y0, width, height] of cells, for Leaflet.
export function outline(geometry, [x, y, width, height]) {
  const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
  return corners.map((corner) => geometry.corner(...corner)).map(([right, down]) => L.latLng(down, right));
}
