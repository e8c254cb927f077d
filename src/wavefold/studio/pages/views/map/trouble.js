/** What goes wrong: shown where it happened, in words, with what can be done about it. */

import { button } from "../../parts/controls.js";
import { findPins } from "./reducers.js";

/**
 * @typedef {object} Trouble
 * @property {string} title
 * @property {number} cell where it happened; -1: nowhere
 * @property {string} tile what was to be there
 * @property {number[]} clashes cells whose pin, paint or lock is in its way
 * @property {number} lit the clash that a button is about; -1: none
 * @property {boolean} isPart the rest of the stroke was done
 */
/** @typedef {{label: string, symbol: string, run: (trouble: Trouble|null) => void, cell?: number}} Action cell: what it is about */
/** @typedef {import("../map.js").MapView} MapView */
/** @typedef {import("./brush.js").Wanted} Wanted */

const MOST_DROPS = 4; // buttons

/** @param {MapView} view @param {any} problem @param {Wanted} [wanted] what was to be put where */
export function showTrouble(view, problem, wanted) {
  const about = problem.document ?? {}, describe = KINDS[problem.name] ?? KINDS.Problem, isMild = problem.name === "OutOfBudget";
  const clashes = findClashes(view, about.explanation, wanted?.cell ?? -1), cell = wanted?.cell ?? about.cell ?? about.conflict?.cell ?? -1;
  const { title, text, actions } = describe(view, problem, clashes, wanted);
  view.trouble = { title, cell, tile: wanted?.tile ?? "", clashes, lit: -1, isPart: false };
  view.shell.say(title, isMild ? "warn" : "error");
  view.shell.showCard(isMild ? "warn" : "error", title, text, actions.map((action, index) => buildButton(view, action, !index)));
  view.board.draw();
}

/** A button that shows on the map what it is about. */
function buildButton(/** @type {MapView} */ view, /** @type {Action} */ { label, symbol, run, cell = -1 }, /** @type {boolean} */ isMain) {
  const made = button(label, () => { const { trouble } = view; view.clearTrouble(); run(trouble); }, { symbol, kind: isMain ? "main" : "" });
  const light = (/** @type {number} */ lit) => () => { if (view.trouble) view.trouble.lit = lit; view.board.draw(); };
  for (const kind of ["pointerenter", "focus"]) made.addEventListener(kind, light(cell));
  for (const kind of ["pointerleave", "blur"]) made.addEventListener(kind, light(-1));
  return made;
}

/** The cells that an explanation names and that somebody wanted to stay. */
function findClashes(/** @type {MapView} */ view, /** @type {any} */ explanation, /** @type {number} */ wanted) {
  const held = view.nameHeld(), replaced = new Set(findPins(view.state.commands).filter(({ isPin }) => !isPin).map(({ cell }) => cell));
  const named = /** @type {number[]} */ ((explanation?.requirements ?? []).map((/** @type {any} */ { cell }) => cell));
  return [...new Set(named)].filter((cell) => held.has(cell) && !(cell === wanted && replaced.has(cell)));
}

/** What the card says, by the name of the problem. @type {Record<string, (view: MapView, problem: any, clashes: number[], wanted?: Wanted) => {title: string, text: string, actions: Action[]}>} */
const KINDS = {
  Contradiction: (view, problem, clashes, wanted) => {
    const undo = { label: "Undo", symbol: "undo", run: (/** @type {Trouble|null} */ trouble) => { if (trouble?.isPart) view.document.undo(); } };
    if (!wanted) return { title: "This does not fit", text: explain(problem), actions: [undo] };
    if (wanted.isLast) return { title: "There is no room for this", text: `No map has ${wanted.tile} at ${view.describeCell(wanted.cell)}, even if nothing else stays as it is. ${explain(problem)}`, actions: [undo] };
    const room = { label: "Make room", symbol: "regrow", run: () => view.hands.brush.force(wanted, "auto") };
    return { title: "This does not fit", text: explain(problem), actions: [room, ...listDrops(view, clashes, (cells) => view.hands.brush.force(wanted, cells)), undo] };
  },
  Impossible: (view, problem, clashes) => ({ title: "No map can be like this", text: explain(problem),
    actions: [...listDrops(view, clashes, (cells) => view.apply({ do: "erase", cells })), ...listUndo(view)] }),
  OutOfBudget: (view, problem) => ({ title: "Not finished in time", text: `${sentence(problem.message)} Some seeds are harder than others.`,
    actions: [{ label: "Another seed", symbol: "dice", run: () => view.anotherSeed() }] }),
  LimitExceeded: (view, problem) => {
    const { width, height } = view.state.request.topology, scale = Math.sqrt(problem.document.maximum / (width * height));
    const fits = { width: Math.floor(width * scale), height: Math.floor(height * scale) }, size = `${fits.width} × ${fits.height}`;
    const isSize = problem.document.limit?.endsWith("cells") && fits.width > 1;
    const shrink = { label: `Make it ${size}`, symbol: "fit", run: () => view.apply({ do: "size", topology: fits }) };
    return { title: "Too large", text: `${sentence(problem.message)} ${isSize ? `${size} would fit.` : problem.advice}`, actions: [...(isSize ? [shrink] : []), ...listUndo(view)] };
  },
  Problem: (view, problem) => ({ title: problem.document?.title ?? "That did not work", text: `${sentence(problem.message)} ${problem.advice ?? ""}`, actions: listUndo(view) }),
};

/** Ways to have what one wants without something else. */
function listDrops(/** @type {MapView} */ view, /** @type {number[]} */ clashes, /** @type {(cells: number[]) => void} */ drop) {
  const names = view.nameHeld();
  return clashes.slice(0, MOST_DROPS).map((cell) => /** @type {Action} */ (
    { label: `Drop ${names.get(cell)} at ${view.describeCell(cell)}`, symbol: "erase", cell, run: () => drop([cell]) }));
}

/** @returns {Action[]} */
const listUndo = (/** @type {MapView} */ view) => (view.document.canUndo ? [{ label: "Undo", symbol: "undo", run: () => view.document.undo() }] : []);

/** The words of an explanation, or of the problem itself. */
function explain(/** @type {any} */ { document, message, advice = "" }) {
  const found = document?.explanation?.requirements ?? [], parts = found.map((/** @type {any} */ { text }) => `• ${text.replace(/^the /, "")}`);
  if (parts.length > 1) return ["These cannot hold together:", ...parts.slice(0, 6), parts.length > 6 ? `and ${parts.length - 6} more` : ""].filter(Boolean).join("\n");
  return `${sentence(document?.explanation?.sentence ?? message ?? "")} ${advice}`;
}

const sentence = (/** @type {string} */ text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".") : "");
