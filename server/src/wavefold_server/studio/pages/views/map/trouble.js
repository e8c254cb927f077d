/** What goes wrong: shown where it happened, in words, with what can be done about it. */

import { button } from "../../parts/controls.js";
import { findPins, LONGEST } from "./reducers.js";

/**
 * @typedef {object} Trouble
 * @property {string} title
 * @property {number} cell where it happened; -1: nowhere
 * @property {string} tile what was to be there
 * @property {number[]} clashes cells whose pin, paint or lock is in its way
 * @property {number} lit the clash that a button is about; -1: none
 * @property {boolean} isPart the rest of the stroke was done
 */
/**
 * `cell`: what it is about.
 * @typedef {{label: string, symbol: string, run: (trouble: Trouble|null) => void, cell?: number}} Action
 */
/** @typedef {{title: string, text: string, actions: Action[]}} Card */
/** @typedef {import("../map.js").MapView} MapView */
/** @typedef {import("./brush.js").Wanted} Wanted */

const MOST_DROPS = 4, MOST_LINES = 6; // buttons, and requirements that are named

/** @param {MapView} view @param {any} problem @param {Wanted} [wanted] what was to be put where */
export function showTrouble(view, problem, wanted) {
  const about = problem.document ?? {}, describe = KINDS[problem.name] ?? KINDS.Problem;
  const kind = problem.name === "OutOfBudget" ? "warn" : "error", cell = wanted?.cell ?? about.cell ?? about.conflict?.cell ?? -1;
  const clashes = findClashes(view, about.explanation, wanted?.cell ?? -1);
  const { title, text, actions } = describe(view, problem, clashes, wanted);
  view.trouble = { title, cell, tile: wanted?.tile ?? "", clashes, lit: -1, isPart: false };
  view.shell.say(title, kind);
  view.shell.showCard(kind, title, text, actions.map((action, index) => buildButton(view, action, !index)));
  view.shell.uncover((x, y) => [cell, ...clashes].includes(view.board.cellAt(x, y)));
  view.board.draw();
}

/** A button that shows on the map what it is about. @param {MapView} view @param {Action} action @param {boolean} isMain */
function buildButton(view, { label, symbol, run, cell = -1 }, isMain) {
  const act = () => {
    const { trouble } = view;
    view.clearTrouble();
    run(trouble);
  };
  const made = button(label, act, { symbol, kind: isMain ? "main" : "" });
  const light = (/** @type {number} */ lit) => () => {
    if (view.trouble) view.trouble.lit = lit;
    view.board.draw();
  };
  for (const kind of ["pointerenter", "focus"]) made.addEventListener(kind, light(cell));
  for (const kind of ["pointerleave", "blur"]) made.addEventListener(kind, light(-1));
  return made;
}

/**
 * The cells that an explanation names and that somebody wanted to stay.
 * @param {MapView} view @param {any} explanation @param {number} wanted the cell that was to change
 */
function findClashes(view, explanation, wanted) {
  const held = view.nameHeld(), isReplaced = findPins(view.state.commands).some(({ cell, isPin }) => cell === wanted && !isPin);
  const named = new Set(/** @type {any[]} */ (explanation?.requirements ?? []).map(({ cell }) => Number(cell)));
  return [...named].filter((cell) => held.has(cell) && !(cell === wanted && isReplaced));
}

/**
 * What the card says, by the name of the problem.
 * @type {Record<string, (view: MapView, problem: any, clashes: number[], wanted?: Wanted) => Card>}
 */
const KINDS = {
  Contradiction(view, problem, clashes, wanted) {
    const text = explain(problem), title = "This does not fit", undo = undoPart(view);
    if (!wanted) return { title, text, actions: [undo] };
    const { brush } = view.hands, where = `${wanted.tile} at ${view.describeCell(wanted.cell)}`;
    const hopeless = `No map has ${where}, even if nothing else stays as it is. ${text}`;
    if (wanted.isLast) return { title: "There is no room for this", text: hopeless, actions: [undo] };
    const room = { label: "Make room", symbol: "move", run: () => brush.force(wanted, "auto") };
    return { title, text, actions: [room, ...listDrops(view, clashes, (cells) => brush.force(wanted, cells)), undo] };
  },
  Impossible(view, problem, clashes) {
    const drops = listDrops(view, clashes, (cells) => view.apply({ do: "erase", cells }));
    return { title: "No map can be like this", text: explain(problem), actions: [...drops, ...listUndo(view)] };
  },
  OutOfBudget(view, problem) {
    const again = { label: "Another seed", symbol: "dice", run: () => view.anotherSeed() };
    const text = `${sentence(problem.message)} Some seeds are harder than others.`;
    return { title: "Not finished in time", text, actions: [again] };
  },
  LimitExceeded(view, problem) {
    const stays = `${sentence(problem.message)} The map on the screen is as it was.`;
    if (problem.document.limit === "quick_seconds") return { title: "This took too long", text: stays, actions: [] };
    const { topology } = view.state.request;
    const [width, height] = [topology.width, topology.height].map((each) => Math.min(each, LONGEST));
    const scale = Math.min(1, Math.sqrt(problem.document.maximum / (width * height)));
    const fits = { width: Math.floor(width * scale), height: Math.floor(height * scale) };
    const size = `${fits.width} × ${fits.height}`, isSize = problem.document.limit?.endsWith("cells") && fits.width > 1;
    const shrink = { label: `Make it ${size}`, symbol: "less", run: () => view.apply({ do: "size", topology: fits }) };
    const text = `${sentence(problem.message)} ${isSize ? `${size} would fit.` : problem.advice}`;
    return { title: "Too large", text, actions: [...(isSize ? [shrink] : []), ...listUndo(view)] };
  },
  Problem(view, problem) {
    const text = `${sentence(problem.message)} ${problem.advice ?? ""}`;
    return { title: problem.document?.title ?? "That did not work", text, actions: listUndo(view) };
  },
};

/**
 * Ways to have what one wants without something else.
 * @param {MapView} view @param {number[]} clashes @param {(cells: number[]) => void} drop
 */
function listDrops(view, clashes, drop) {
  const names = view.nameHeld(), label = (/** @type {number} */ cell) => `Drop ${names.get(cell)} at ${view.describeCell(cell)}`;
  return clashes.slice(0, MOST_DROPS).map((cell) => ({ label: label(cell), symbol: "erase", cell, run: () => drop([cell]) }));
}

/** Take back what was done of a stroke. @param {MapView} view @returns {Action} */
const undoPart = (view) => ({ label: "Undo", symbol: "undo", run: (trouble) => { if (trouble?.isPart) view.document.undo(); } });

/** @param {MapView} view @returns {Action[]} */
const listUndo = ({ document }) => (document.canUndo ? [{ label: "Undo", symbol: "undo", run: () => document.undo() }] : []);

/** The words of an explanation, or of the problem itself. @param {any} problem */
function explain({ document, message, advice = "" }) {
  const found = /** @type {any[]} */ (document?.explanation?.requirements ?? []), rest = found.length - MOST_LINES;
  if (found.length < 2) return `${sentence(document?.explanation?.sentence ?? message ?? "")} ${advice}`;
  const lines = found.slice(0, MOST_LINES).map(({ text }) => `• ${text.replace(/^the /, "")}`);
  return ["These cannot hold together:", ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
}

/** @param {string} text */
const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".") : "");
