/** What the cell under the cursor may be, the likeliest first; a click puts that tile there. */

import { section } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { swatch } from "../../parts/palette.js";

const MOST = 24; // pictures

/** @type {import("./inspector.js").PanelBuilder} */
export function cellPanel({ player, hands, board }) {
  const strip = h("div", { class: "strip" }), title = h("h2", {}, "Under the cursor");
  let shown = "";
  fill(strip, h("p", { class: "quiet small" }, "Point at a cell to see what it may be."));
  const element = section("", strip);
  element.firstElementChild?.replaceWith(title);
  return {
    element,
    hover(cell) {
      if (cell < 0) return; // the last cell stays, so that its tiles can be clicked
      const { left } = player.wave, key = `${player.recording.position} ${cell} ${left[cell]} ${player.isRunning}`;
      if (!player.tileset || key === shown) return;
      shown = key;
      const options = mergeOptions(player, player.wave.listOptions(cell)), where = board.geometry?.coordinates(cell).join(", ");
      title.textContent = `Cell ${where}${left[cell] === 1 ? "" : left[cell] ? `: ${left[cell]} possible` : ": nothing fits"}`;
      fill(strip, ...options.slice(0, MOST).map(({ pattern, name, chance }) => {
        const share = chance < 0.01 ? "under 1 %" : `${Math.round(100 * chance)} %`, isDecided = left[cell] === 1;
        const made = swatch(player.atlas, pattern, isDecided ? name : `Put ${name} here, ${share}`,
          { onclick: () => (isDecided ? hands.choose("brush", player.names.findEntry(pattern)?.name) : hands.put(cell, name)) });
        const short = chance < 0.01 ? "<1" : Math.round(100 * chance);
        if (!isDecided) made.append(h("small", { class: "number", "aria-hidden": "true" }, short));
        return made;
      }), options.length > MOST ? h("p", { class: "quiet small" }, `and ${options.length - MOST} more`) : "");
    },
  };
}

/**
 * Options with names; those of a learned set that look alike are one.
 * @param {import("./player.js").Player} player @param {{pattern: number, chance: number}[]} options
 */
function mergeOptions(player, options) {
  const found = new Map();
  for (const { pattern, chance } of options) {
    const name = player.names.nameOf(pattern), known = found.get(name);
    if (known) known.chance += chance;
    else found.set(name, { pattern, name, chance });
  }
  return [...found.values()].sort((one, other) => other.chance - one.chance);
}
