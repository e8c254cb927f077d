/** The grid of the map, which edges meet and the outline of hexagons; and what the search did, in figures. */

import { choice, toggle } from "../../../parts/controls.js";
import { fill, h } from "../../../parts/element.js";
import { help, requestPanel } from "./panel.js";

/** @type {import("../inspector.js").PanelBuilder} */
export function gridPanel(view) {
  const draw = (/** @type {any} */ _, /** @type {import("./panel.js").Change} */ change) => {
    const { topology } = view.state.request, { width = 32, height = 24, radius, wraps } = topology, now = [wraps, wraps].map((each, axis) => Boolean(Array.isArray(each) ? each[axis] : each));
    const set = (/** @type {any} */ next) => ({ do: "replace", part: { topology: next }, isOtherGrid: true });
    if (view.player.tileset.topology === "hex")
      return [choice("Outline", [["rectangle", "Rectangle"], ["disk", "Hexagon"], ["round", "Rhombus whose edges meet"]], radius !== undefined ? "disk" : now[0] ? "round" : "rectangle",
        (form) => view.apply(set(form === "disk" ? { radius: 12 } : { width, height, wraps: form === "round" })))];
    const edges = ["Left and right edges meet", "Top and bottom edges meet"].map((title, axis) => toggle(title, now[axis], (value) => {
      now[axis] = value;
      change(set({ ...topology, wraps: now[0] === now[1] ? now[0] : [...now] }));
    }));
    return [...edges, help("Where edges meet, copies of the map fit side by side.")];
  };
  return requestPanel(view, "Grid", ({ topology: { wraps, radius } }) => (radius !== undefined || [wraps].flat().some(Boolean) ? [wraps, radius] : []), draw);
}

const WORDS = /** @type {Record<string, string>} */ ({ backtracks: "steps back", repairs: "local repairs", restarts: "new attempts", rungs: "ways out of dead ends", max_depth: "longest chain of decisions" });

/** @type {import("../inspector.js").PanelBuilder} */
export function statisticsPanel({ player }) {
  const figures = h("dl", { class: "figures" }), element = h("details", { class: "section", ontoggle: () => ask() }, h("summary", {}, "Statistics"), figures);
  const ask = async () => {
    if (!element.open || player.isRunning) return;
    const { stats, cells, decided, edits } = await player.stats().catch(() => ({})), { refinement, seconds, shortlists: _, ...counts } = stats ?? {};
    if (!stats) return;
    const rows = Object.entries({ "cells decided": `${decided} of ${cells}`, ...counts, edits, ...(refinement && { sweeps: refinement.sweeps, "cells refined": refinement.changed, "shares missed": refinement.missed?.join(", ") || "none" }),
      ...Object.fromEntries(Object.entries(seconds).map(([phase, time]) => [`time: ${phase}`, `${(1e3 * time).toFixed(1)} ms`])) });
    fill(figures, ...rows.flatMap(([name, value]) => [h("dt", {}, WORDS[name] ?? name.replaceAll("_", " ")), h("dd", { class: "number" }, String([value].flat().join(", ")))]));
  };
  return { element, showStatus: ask };
}
