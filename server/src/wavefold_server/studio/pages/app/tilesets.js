/** Which tile set a view begins with, and what tile sets are called in lists. */

/**
 * Values and texts of a list; those of the same name say when they were saved.
 * @param {any[]} tilesets @returns {[string, string][]}
 */
export function nameTilesets(tilesets) {
  const names = tilesets.map(({ name }) => name);
  const isTwice = (/** @type {string} */ name) => names.indexOf(name) !== names.lastIndexOf(name);
  return tilesets.map(({ id, name, created }) => [id, isTwice(name) ? `${name} (${describeTime(created)})` : name]);
}

/** @param {number|null|undefined} created in seconds since 1970; nothing for what comes with wavefold */
const describeTime = (created) => (created
  ? new Date(1000 * created).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" }) : "comes with wavefold");

/**
 * The tile set that an address names. If it is not here, another one, and a notice.
 * @param {import("./shell.js").Shell} shell @param {any[]} tilesets of this view @param {string|null} asked
 */
export function chooseTileset(shell, tilesets, asked, usual = "") {
  const find = (/** @type {string} */ wanted) => tilesets.find(({ id }) => id === wanted);
  const found = find(asked ?? usual), other = found ?? find(usual) ?? tilesets[0];
  if (asked && !found) {
    const text = `This is ${other.name} instead. “Tiles” above lists all that are here.`;
    shell.showCard("warn", `There is no tile set “${asked}” for this view`, text, [], "notice");
  }
  return other;
}
