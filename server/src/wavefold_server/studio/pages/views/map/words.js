/** What happened, in words. */

import { count } from "../../app/names.js";
import { MOMENT } from "../../board/recording.js";

/** @typedef {import("../map.js").MapView} MapView */

const STATUS = /** @type {Record<string, string>} */ ({
  open: "Paused", contradiction: "Contradiction: the next step goes back", impossible: "Impossible",
});
const EDITS = /** @type {Record<string, string>} */ ({
  paint: "Painted: the rest was made to fit", regrow: "Regrown: not like before", pin: "Pinned, with all that follows",
  unpin: "Pins were erased", ban: "A tile was excluded", undo: "Undone",
});

/** How far the session is. @param {MapView} view */
export function describeStatus({ state, player }) {
  const { status, isRunning } = player, isRefined = status.refined && player.countSweeps(state) > 0;
  if (isRunning && !player.isAtEnd) return "Watching again …";
  if (isRunning) return status.status === "solved" ? "Refining …" : "Solving …"; // the timeline counts
  if (player.isApplying) return "Applying your edits …";
  const what = status.status === "solved" ? (isRefined ? "Solved and refined" : "Solved") : STATUS[status.status];
  const missed = status.left_out ? ` · ${count(status.left_out, "pin that did not fit was", "pins that did not fit were")} left out` : "";
  return `${what} · ${status.decided} of ${status.cells} cells · ${count(status.decisions, "decision")}${missed}`;
}

/** What happened at a moment. @param {MapView} view @param {import("../../board/recording.js").Moment|null} moment */
export function describeMoment({ board, player }, moment) {
  if (!moment) return "The beginning: nothing is decided.";
  const { kind, cell, pattern, decisions } = moment, where = cell >= 0 ? board.geometry?.coordinates(cell).join(", ") : "";
  const name = player.names.nameOf(pattern);
  switch (kind) {
    case MOMENT.CHOSEN:
      return name ? `Decision ${decisions.toLocaleString("en")}: ${name} at ${where}` : "What pins and rules decide at once";
    case MOMENT.CONTRADICTION: return `Contradiction at ${where}: nothing fits there any more`;
    case MOMENT.UNDONE:
      return `The solver went back: ${count(moment.count, "decision")} undone, ${name} at ${where} is ruled out`;
    case MOMENT.REPAIRED: return `Repair: the cells around ${where} were cleared, to be decided again`;
    case MOMENT.RESTARTED: return "The solver began again, with what it has learned";
    case MOMENT.REPLACED: return `${count(moment.count, "cell was", "cells were")} replaced, to be decided again`;
    case MOMENT.SWEPT: return "Refining: cells settle to what fits best around them";
    default: return EDITS[(moment.text ?? "").split(" ")[0]] ?? "The map was changed";
  }
}
