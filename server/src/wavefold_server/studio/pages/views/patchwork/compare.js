/** All joins on the same seed and pieces, side by side: pictures and figures. */

import { post } from "../../app/api.js";
import { count } from "../../app/names.js";
import { attempt, copyCode, saveTiles } from "../../app/share.js";
import { button } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { PatchworkBoard } from "./patchwork-board.js";
import { Mirror } from "./mirror.js";
import { JOINS } from "./panel.js";
import { pair } from "./plan.js";

const FIGURES = [["attempts", "attempts", 1], ["changed", "cells changed", 1], ["dropped", "cells dropped", 1],
  ["widened", "times widened", 1], ["seconds", "milliseconds", 1000]]; // name, title, factor
const MOST = 19; // pieces

/** @param {import("../patchwork.js").PatchworkView} view @returns {() => void} close it */
export function showComparison(view) {
  const { shell, state: { request }, plan, atlas } = view, stop = new AbortController();
  const boards = /** @type {PatchworkBoard[]} */ ([]), keys = [...view.look.pieces.keys()].slice(0, MOST);
  const populate = (keys.length ? keys : ["0,0"]).map(pair);
  const close = () => { stop.abort(); boards.forEach((each) => each.close()); page.remove(); };
  const grid = h("div", { class: "comparison" });
  const page = h("section", { class: "page compare", "aria-label": "Comparison of joins" },
    h("header", { class: "row" }, h("div", { class: "grow" }, h("h2", { class: "title" }, "Which join?"),
      h("p", { class: "quiet" },
        `The same ${count(populate.length, "piece")} of ${view.tileset.name}, seed ${request.seed}, grown in every way. `
        + "All figures but times are the same on every machine.")),
      button("Copy as command", () => attempt(shell, () => copyCode(shell, "comparison",
        () => post("/patchworks/code", { ...request, steps: [{ populate }] }), (name) => saveTiles(request.tileset, name),
        "Copied: it compares a hundred seeds."))),
      button("Back to the board", close, { symbol: "close" })), grid);
  shell.stage.append(page);

  const grow = async (/** @type {string} */ join, /** @type {string} */ title) => {
    const canvas = h("canvas", { class: "skeleton", role: "img", "aria-label": `The map joined by ${title}` });
    const about = h("dl", { class: "figures" }), isUsed = request.join === join;
    const use = button(isUsed ? "In use" : "Use this one", () => view.set({ join }),
      { kind: isUsed ? "" : "main", isDisabled: isUsed });
    grid.append(h("figure", { class: isUsed ? "chosen" : "" }, canvas, h("figcaption", {}, h("h3", {}, title), about, use)));
    const mirror = new Mirror(plan);
    try {
      const look = await mirror.follow({ request: { ...request, join }, steps: [{ populate }] }, stop.signal);
      const board = new PatchworkBoard(canvas, plan, atlas), rows = [...look.reports.values()];
      boards.push(board);
      board.shows = { ...view.board.shows, placeholders: false };
      board.show(look);
      board.fit();
      canvas.classList.remove("skeleton");
      fill(about, ...FIGURES.flatMap(([name, text, factor]) => {
        const total = rows.reduce((sum, each) => sum + each[name], 0);
        return [h("dt", {}, text), h("dd", { class: "number" }, Math.round(total * Number(factor)))];
      }));
    } catch (error) {
      if (!stop.signal.aborted) fill(about, h("dt", {}, /** @type {any} */ (error).message));
    }
    mirror.close();
  };
  (async () => {
    for (const [name, title] of JOINS.filter(([name]) => name !== "witness" || view.tileset.worlds))
      if (!stop.signal.aborted) await grow(name, title);
    page.dataset.done = "true";
  })();
  return close;
}
