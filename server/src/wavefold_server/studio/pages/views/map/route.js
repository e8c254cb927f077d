/** How a session gets from one state of the document to another with the least work. */

import { finish, isEdit } from "./reducers.js";

/** @typedef {import("./player.js").MapState} MapState */

const isEqual = (/** @type {any} */ one, /** @type {any} */ other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether two states need the same session. @param {MapState} before @param {MapState} after */
export const isSameState = (before, after) => before.commands.length === after.commands.length
  && before.commands.every((each, index) => each === after.commands[index]) && isEqual(before.request, after.request);

/**
 * "send" what was added, "undo" edits, "refine" anew, or "open" a session.
 * @param {MapState} before @param {MapState} after @param {boolean} isSolved
 */
export function findRoute(before, after, isSolved) {
  const shorter = Math.min(before.commands.length, after.commands.length);
  if (before.commands.slice(0, shorter).some((each, index) => each !== after.commands[index])) return "open";
  if (!isEqual({ ...before.request, refine: 0 }, { ...after.request, refine: 0 })) return "open";
  if (before.request.refine !== after.request.refine)
    return isSolved && before.commands.length === after.commands.length ? "refine" : "open";
  if (after.commands.length >= before.commands.length) return "send";
  const finishing = finish(after).slice(shorter), rest = before.commands.slice(shorter);
  const isFinished = isEqual(rest.slice(0, finishing.length), finishing); // by what the first edit put before itself
  return isSolved && isFinished && rest.slice(finishing.length).every(isEdit) ? "undo" : "open";
}
