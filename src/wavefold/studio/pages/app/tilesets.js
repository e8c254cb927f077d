/** Which tile set a view begins with. */

/**
 * The tile set that an address names. If it is not here, another one, and a notice.
 * @param {import("./shell.js").Shell} shell @param {any[]} tilesets of this view @param {string|null} asked
 */
export function chooseTileset(shell, tilesets, asked, usual = "") {
  const found = tilesets.find(({ id }) => id === (asked ?? usual)), other = found ?? tilesets.find(({ id }) => id === usual) ?? tilesets[0];
  if (asked && !found) {
    shell.showCard("warn", `There is no tile set “${asked}” for this view`, `This is ${other.name} instead. “Tiles” above lists all that are here.`, [], "notice");
  }
  return other;
}
