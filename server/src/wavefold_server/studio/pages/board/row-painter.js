/** Rows of square cells, copied pixel by pixel: where many cells of a row change, a tenth of the time that drawing each one takes. */

export class RowPainter {
  /**
   * @param {OffscreenCanvasRenderingContext2D} ink of the map
   * @param {import("./atlas.js").Atlas} atlas @param {number} columns cells of a row @param {number} size of a cell, in pixels of the map
   */
  constructor(ink, atlas, columns, size) {
    this.columns = columns;
    this._ink = ink;
    this._size = size;
    this._perRow = atlas.columns;
    this._count = atlas.count;
    this._pictures = atlas.readPixels(size);
    this._image = new ImageData(columns * size, size);
    this._pixels = new Uint32Array(this._image.data.buffer); // ABGR
  }

  /** @param {number} row @param {Uint16Array} patterns @param {Uint8ClampedArray} tints of undecided cells [cell, rgb] */
  paint(row, patterns, tints) {
    const { columns, _size: size, _pixels: pixels, _pictures: pictures, _perRow: perRow, _count: count } = this;
    for (let column = 0, cell = row * columns; column < columns; column++, cell++) {
      const pattern = patterns[cell], first = (Math.floor(pattern / perRow) * perRow * size + (pattern % perRow)) * size;
      const tint = (255 << 24) | (tints[3 * cell + 2] << 16) | (tints[3 * cell + 1] << 8) | tints[3 * cell];
      for (let y = 0; y < size; y++) {
        const to = (y * columns + column) * size, from = first + y * perRow * size;
        for (let x = 0; x < size; x++) pixels[to + x] = pattern < count ? pictures[from + x] : tint;
      }
    }
    this._ink.putImageData(this._image, 0, row * size);
  }
}
