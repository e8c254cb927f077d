/** What goes wrong: shown where it happened, in words, with what can be done about it. */

import { button } from "../../parts/controls.js";
import { findPins } from "./reducers.js";

/** @typedef {{cell: number, tile: string, clashes: number[], isPart: boolean}} Trouble a cell (-1: none), what was to be there, the pins in its way, and whether the rest of the stroke was done */
/** @typedef {import("../map.js").MapView} MapView */

/** @param {MapView} view @param {any} problem @param {{cell: number, tile: string}} [wanted] what was to be put where */
export function showTrouble(view, problem, wanted) {
  const about = problem.document ?? {}, shown = KINDS[problem.name] ?? KINDS.Problem, explanation = about.explanation;
  const pins = new Set(findPins(view.state.commands).map(({ cell }) => cell));
  const named = (explanation?.requirements ?? []).map((/** @type {any} */ each) => each.cell).filter((/** @type {number} */ cell) => pins.has(cell) && cell !== wanted?.cell);
  view.trouble = { cell: wanted?.cell ?? about.cell ?? about.conflict?.cell ?? -1, tile: wanted?.tile ?? "", clashes: [...new Set(/** @type {number[]} */ (named))], isPart: false };
  const { title, text, actions } = shown(view, problem, view.trouble);
  view.shell.say(title, problem.name === "OutOfBudget" ? "warn" : "error");
  view.shell.showCard(problem.name === "OutOfBudget" ? "warn" : "error", title, text, actions.map(([label, run, symbol], index) =>
    button(label, () => { view.clearTrouble(); run(); }, { symbol, kind: index ? "" : "main" })));
  view.board.draw();
}

/** @typedef {[string, () => void, string?]} Action label, what it does, symbol */

/** What the card says, by the name of the problem. @type {Record<string, (view: MapView, problem: any, trouble: Trouble) => {title: string, text: string, actions: Action[]}>} */
const KINDS = {
  Contradiction: (view, problem, trouble) => {
    const { cell, tile, clashes } = trouble, at = cell >= 0 ? view.board.geometry?.coordinates(cell) : [];
    const paint = { command: "paint", cells: [cell], at, tile: view.player.palette.find(({ name }) => name === tile)?.tile ?? tile };
    const actions = /** @type {Action[]} */ ([["Undo", () => { if (trouble.isPart) view.document.undo(); }, "undo"]]);
    if (tile && !clashes.length && !view.isFinished) actions.unshift(["Make room", () => view.apply({ do: "edit", commands: [paint] }), "regrow"]);
    if (clashes.length) actions.unshift([dropText(view, clashes), () => dropPins(view, clashes, tile ? [paint] : []), "erase"]);
    return { title: "This does not fit", text: explain(problem), actions };
  },
  Impossible: (view, problem, { clashes }) => {
    const actions = /** @type {Action[]} */ ([]);
    if (clashes.length) actions.push([dropText(view, clashes), () => dropPins(view, clashes, []), "erase"]);
    if (view.document.canUndo) actions.push(["Undo", () => view.document.undo(), "undo"]);
    return { title: "No map can be like this", text: explain(problem), actions };
  },
  OutOfBudget: (view, problem) => ({ title: "Not finished in time", text: `${sentence(problem.message)} Some seeds are harder than others.`,
    actions: [["Another seed", () => view.anotherSeed(), "dice"]] }),
  LimitExceeded: (view, problem) => {
    const { width, height } = view.state.request.topology, most = problem.document.maximum, actions = /** @type {Action[]} */ ([]);
    const scale = Math.sqrt(most / (width * height)), fits = { width: Math.floor(width * scale), height: Math.floor(height * scale) };
    if (problem.document.limit?.endsWith("cells") && fits.width > 1) actions.push([`Make it ${fits.width} × ${fits.height}`, () => view.apply({ do: "size", topology: fits }), "fit"]);
    if (view.document.canUndo) actions.push(["Undo", () => view.document.undo(), "undo"]);
    return { title: "Too large", text: `${sentence(problem.message)} ${actions[0]?.[2] === "fit" ? `${fits.width} × ${fits.height} would fit.` : problem.advice}`, actions };
  },
  Problem: (view, problem) => ({ title: problem.document?.title ?? "That did not work", text: `${sentence(problem.message)} ${problem.advice ?? ""}`,
    actions: view.document.canUndo ? [["Undo", () => view.document.undo(), "undo"]] : [] }),
};

/** Which pins would be dropped. */
function dropText(/** @type {MapView} */ view, /** @type {number[]} */ clashes) {
  if (clashes.length > 1) return `Drop ${clashes.length} pins`;
  const pin = findPins(view.state.commands).find(({ cell }) => cell === clashes[0]), pattern = view.hands.patternsOf(String(pin?.tile))[0];
  const name = pattern === undefined ? view.player.palette.find(({ tile }) => String(tile) === String(pin?.tile))?.name : pin?.tile;
  return `Drop ${name ?? "the pin"} at ${view.board.geometry?.coordinates(clashes[0]).join(", ")}`;
}

/** Forget pins, and do what they were in the way of. */
function dropPins(/** @type {MapView} */ view, /** @type {number[]} */ cells, /** @type {any[]} */ then) {
  view.apply({ do: then.length ? "edit" : "erase", cells, commands: [{ command: "unpin", cells }, ...then] });
}

/** The words of an explanation, or of the problem itself. */
function explain(/** @type {any} */ { document, message, advice = "" }) {
  const found = document?.explanation?.requirements ?? [], parts = found.map((/** @type {any} */ { text }) => `• ${text.replace(/^the /, "")}`);
  if (parts.length > 1) return ["These cannot hold together:", ...parts.slice(0, 6), parts.length > 6 ? `and ${parts.length - 6} more` : ""].filter(Boolean).join("\n");
  return `${sentence(document?.explanation?.sentence ?? message ?? "")} ${advice}`;
}

const sentence = (/** @type {string} */ text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".") : "");
