/** How a world is doing: how long chunks may take, and figures of the server. */

import { get } from "../../app/api.js";
import { count } from "../../app/names.js";
import { folded, slider } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";

const BUDGETS = [5, 10, 25, 50, 100, 250, Infinity]; // milliseconds

const share = (/** @type {number} */ part, /** @type {number} */ all) => (all ? `${((100 * part) / all).toFixed(1)} %` : "–");

/** @param {import("../world.js").WorldView} view */
export function buildFiguresPanel(view) {
  const inTime = h("p", { class: "quiet small", "data-figure": "in-time" }), figures = h("dl", { class: "figures" });
  const budget = slider("Time for a chunk", { min: 0, max: BUDGETS.length - 1, value: BUDGETS.length - 1,
    show: (each) => (BUDGETS[each] === Infinity ? "as long as it takes" : `${BUDGETS[each]} ms`),
    help: "After this time, a provisional chunk is shown until the final one is there: what a game would see" },
    (each) => { view.budget = BUDGETS[each]; });

  /** Ask the server; quiet if it does not answer. */
  async function update() {
    const answer = await get(`/worlds/${view.world.id}/report`).catch(() => null);
    if (!answer) return;
    const { report, budgets, stored } = answer, { solved, solved_in_blocks: inBlocks, refined, unchanged } = report.interior;
    const sorted = [...view.latencies].sort((one, other) => one - other), slow = sorted[Math.floor(0.95 * sorted.length)];
    const rows = [["Chunks made", solved + inBlocks + refined + unchanged], ["Windows solved", report.windows],
      ["Chunks in the file", stored ? stored.written + stored.read : "–"],
      ["Tile, 95 % within", slow ? `${Math.round(slow)} ms` : "–"],
      ["Cells that follow the land", share(report.soft_masks_met, report.soft_masks_asked)], ["Revision", answer.revision]];
    fill(figures, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", { class: "number" }, value.toLocaleString())]));
    fill(inTime, budgets.calls ? `${share(budgets.first_in_time, budgets.chunks)} of ${count(budgets.chunks, "chunk was", "chunks were")} there in time.`
      : "No chunk was asked for with a time budget yet.");
  }

  return { element: folded("Time and figures", h("div", { class: "stack" }, budget, inTime), figures), update };
}
