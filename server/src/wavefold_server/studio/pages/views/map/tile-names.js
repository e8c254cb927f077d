/** What tiles and patterns of a set are called, and what one can paint with. */

/** @typedef {{name: string, patterns: number[], tile: any}} Entry of the palette: `tile` is what the service calls it */

export class TileNames {
  /** @param {any} [tileset] from the service */
  constructor(tileset) {
    this._patterns = tileset?.patterns ?? [];
    this.palette = tileset ? listPalette(tileset) : [];
  }

  /** What one would paint with to get a pattern. @param {number} pattern */
  findEntry(pattern) { return this.palette.find(({ patterns }) => patterns.includes(pattern)); }

  /** What a pattern is called. @param {number} pattern @returns {string} */
  nameOf(pattern) {
    const found = this._patterns[pattern];
    return found && found.value !== null ? this.findEntry(pattern)?.name ?? "" : found?.name ?? "";
  }

  /** The patterns that a name stands for: of a tile, or one alone. @param {string} name @returns {number[]} */
  patternsOf(name) {
    const index = this._patterns.findIndex((/** @type {any} */ each) => each.name === name);
    return this.palette.find((each) => each.name === name)?.patterns ?? (index >= 0 ? [index] : []);
  }

  /** What the service calls a tile or pattern. @param {string} name @returns {any} */
  toService(name) { return this.palette.find((each) => each.name === name)?.tile ?? name; }

  /** Inverse of `toService`. @param {any} tile @returns {string} */
  fromService(tile) { return this.palette.find((each) => String(each.tile) === String(tile))?.name ?? String(tile); }
}

/** Tiles, or the colours of a learned set. @param {any} tileset @returns {Entry[]} */
function listPalette({ tiles, patterns }) {
  if (patterns.some((/** @type {any} */ { value }) => !Array.isArray(value)))
    return tiles.map((/** @type {any} */ each) => ({ ...each, tile: each.name }));
  const found = /** @type {Map<string, Entry>} */ (new Map());
  for (const [index, { value }] of patterns.entries()) {
    const name = `colour #${value.map((/** @type {number} */ each) => each.toString(16).padStart(2, "0")).join("")}`;
    if (!found.has(name)) found.set(name, { name, patterns: [], tile: value });
    found.get(name)?.patterns.push(index);
  }
  return [...found.values()];
}
