/** All joins on the same seed and pieces, side by side: pictures and figures. */

import { post } from "../../app/api.js";
import { attempt, copyCode, saveTiles } from "../../app/share.js";
import { button } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { PatchworkBoard } from "./board.js";
import { Mirror } from "./mirror.js";
import { JOINS } from "./panel.js";

const FIGURES = [["attempts", "attempts"], ["changed", "cells changed"], ["dropped", "cells dropped"], ["widened", "times widened"]];
const MOST = 19; // pieces

/** @param {import("../patchwork.js").PatchworkView} view @returns {() => void} close it */
export function showComparison(view) {
  const { shell, state: { request }, plan, atlas } = view, stop = new AbortController(), boards = /** @type {PatchworkBoard[]} */ ([]);
  const keys = [...view.look.pieces.keys()].slice(0, MOST).map((key) => key.split(",").map(Number)), populate = /** @type {any} */ (keys.length ? keys : [[0, 0]]);
  const close = () => { stop.abort(); boards.forEach((each) => each.close()); page.remove(); };
  const grid = h("div", { class: "comparison" });
  const page = h("section", { class: "page compare", "aria-label": "Comparison of joins" },
    h("header", { class: "row" }, h("div", { class: "grow" }, h("h2", { class: "title" }, "Which join?"), h("p", { class: "quiet" }, `The same ${populate.length} pieces of ${view.tileset.name}, seed ${request.seed}, grown in every way. All figures but times are the same on every machine.`)),
      button("Copy as command", () => attempt(shell, () => copyCode(shell, "comparison",
        () => post("/patchworks/code", { ...request, steps: [{ populate }] }), (name) => saveTiles(request.tileset, name), "Copied: it compares a hundred seeds."))),
      button("Back to the board", close, { symbol: "close" })), grid);
  shell.stage.append(page);

  const grow = async (/** @type {string} */ join, /** @type {string} */ title) => {
    const canvas = h("canvas", { class: "skeleton", role: "img", "aria-label": `The map joined by ${title}` }), about = h("dl", { class: "figures" });
    grid.append(h("figure", { class: request.join === join ? "chosen" : "" }, canvas, h("figcaption", {}, h("h3", {}, title), about,
      button(request.join === join ? "In use" : "Use this one", () => { close(); view.set({ join }); }, { kind: request.join === join ? "" : "main", isDisabled: request.join === join }))));
    const mirror = new Mirror(plan);
    try {
      const look = await mirror.follow({ request: { ...request, join }, steps: [{ populate }] }, stop.signal), board = new PatchworkBoard(canvas, plan, atlas), rows = [...look.reports.values()];
      boards.push(board);
      board.shows = { ...view.board.shows, placeholders: false };
      board.show(look);
      board.fit();
      canvas.classList.remove("skeleton");
      const figures = [...FIGURES.map(([name, text]) => [text, rows.reduce((total, each) => total + each[name], 0)]), ["milliseconds", Math.round(rows.reduce((total, each) => total + each.seconds, 0) * 1000)]];
      fill(about, ...figures.flatMap(([text, value]) => [h("dt", {}, text), h("dd", { class: "number" }, value)]));
    } catch (error) {
      if (!stop.signal.aborted) fill(about, h("dt", {}, /** @type {any} */ (error).message));
    }
    mirror.close();
  };
  (async () => { for (const [name, title] of JOINS) if (!stop.signal.aborted && (name !== "witness" || view.tileset.worlds)) await grow(name, title); page.dataset.done = "true"; })();
  return close;
}
