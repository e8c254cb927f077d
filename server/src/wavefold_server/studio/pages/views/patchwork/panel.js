/** The inspector of a patchwork: how pieces are joined, what is marked, and the report in words. */

import { count } from "../../app/names.js";
import { button, section, slider, toggle } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";

export const JOINS = /** @type {[string, string, string][]} name, title, what it does */ ([
  ["overlap", "Overlap", "The rim of neighbours grows again."],
  ["editable", "Gentle", "Neighbours change as little as possible."],
  ["fixed", "Fixed", "Neighbours stay, except around a conflict. A cell may not fit."],
  ["whole", "Whole", "Pieces grow all at once, around those that are there."],
  ["witness", "Cut out", "Of an endless world, in any order."],
]);

/** @param {import("../patchwork.js").PatchworkView} view */
export function showPatchworkPanel(view) {
  const { state: { request }, board: { shows, look }, tileset, tool } = view, piece = h("p", { class: "small piece" });
  /** @param {"changed"|"dropped"|"outlines"} name @param {string} text @param {string} mark what it looks like */
  const show = (name, text, mark = "") => h("div", { class: "row" },
    toggle(text, shows[name], (value) => { shows[name] = value; view.board.draw(); }),
    mark && h("span", { class: `mark ${mark}`, "aria-hidden": "true" }));
  const joins = JOINS.map(([name, title, text]) => h("button", { type: "button", class: "join", "data-join": name,
    "aria-pressed": String(request.join === name), disabled: name === "witness" && !tileset.worlds,
    onclick: () => view.set({ join: name }) },
    h("span", { class: "sketch" }), h("b", {}, title), h("small", {}, text)));
  fill(view.shell.inspector,
    section("Report", h("p", { class: "small report" }, ...describeMap(look)), piece),
    section("How pieces are joined", h("div", { class: "joins", role: "group", "aria-label": "Join" }, ...joins),
      button("Compare on this seed", () => view.compare(), { key: "C" })),
    section("Mend",
      button("Rebuild a disk", () => view.switchTool(), { symbol: "regrow", key: "R", isPressed: tool === "rebuild" }),
      slider("Radius", { min: 1, max: 16, value: view.disk, show: (value) => count(value, "cell") },
        (value) => { view.disk = value; view.board.draw(); }),
      h("p", { class: "quiet small" }, tool === "rebuild" ? "Click where it is ugly: the tinted cells grow again, differently."
        : "For an ugly spot, or a red ring.")),
    section("Show", show("changed", count(look.changed.size, "changed cell"), "dot"),
      show("dropped", count(look.dropped.size, "dropped cell"), "ring"), show("outlines", "Borders of pieces")));
  view.onhover = (key) => { piece.textContent = describePiece(key, look.reports.get(key)); };
  view.onhover(view.hands.key);
}

/** @param {import("./mirror.js").Look} look */
function describeMap({ pieces, changed, dropped, reports }) {
  if (!pieces.size) return ["Nothing has grown yet. Click a placeholder."];
  const rows = [...reports.values()], sum = (/** @type {string} */ name) => rows.reduce((total, each) => total + each[name], 0);
  const cells = [...pieces.values()].reduce((total, each) => total + each.length, 0);
  const retried = rows.filter(({ attempts }) => attempts > 1).length;
  return [`${count(pieces.size, "piece")}, ${count(cells, "cell")}, grown in ${
      Math.round(sum("seconds") * 1000).toLocaleString("en")} ms. `,
    changed.size ? `${count(changed.size, "cell")} of neighbours changed to fit (${
      ((100 * changed.size) / cells).toFixed(1)} %). `
      : "No neighbour had to change. ",
    retried ? `${count(retried, "piece")} took more than one attempt. ` : "",
    dropped.size ? h("strong", {},
      `${count(dropped.size, "cell does", "cells do")} not fit: rebuild a disk around each red ring.`)
      : "Every side fits."].filter(Boolean);
}

/** @param {string} key @param {any} row */
function describePiece(key, row) {
  if (!row) return "Point at a piece for its own figures.";
  const { fixed, attempts, backtracks, changed, dropped, widened, seconds } = row;
  return [`Piece ${key}: ${fixed ? `fits ${count(fixed, "cell")} of its neighbours` : "the first here"}`,
    `${count(attempts, "attempt")}, ${count(backtracks, "step")} back`, changed && `changed ${count(changed, "cell")}`,
    widened && `widened ${count(widened, "time")}`, dropped && `dropped ${count(dropped, "cell")}`,
    `${(seconds * 1000).toFixed(1)} ms`].filter(Boolean).join(" · ");
}
