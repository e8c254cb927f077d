/** What things are called: in lists, and as files; and how many there are. */

/** As "1 piece" or "1,024 pieces". @param {number} number @param {string} one @param {string} [many] */
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/**
 * What distinguishes one thing from others: the name of its tile set, its size as [48, 32] or "7 pieces", its seed, where it is.
 * @typedef {{name: string, size?: number[]|string, seed?: number, place?: string}} Subject
 */

/** As "Castle, 48 × 32, seed 7". @param {Subject} subject */
export const toTitle = ({ name, size, seed, place }) =>
  [name, Array.isArray(size) ? size.join(" × ") : size, seed === undefined ? "" : `seed ${seed}`, place].filter(Boolean).join(", ");

/** As "castle-48x32-seed7", without an ending. @param {Subject} subject */
export const toFileName = ({ name, size, seed }) =>
  [toSlug(name), Array.isArray(size) ? size.join("x") : toSlug(size ?? ""), seed === undefined ? "" : `seed${seed}`].filter(Boolean).join("-");

/** Letters, digits and hyphens alone. @param {string} text */
const toSlug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
