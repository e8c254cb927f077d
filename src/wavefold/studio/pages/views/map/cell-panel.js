/** What the cell under the cursor may be, the likeliest first; a click puts that tile there. */

import { section } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { swatch } from "./swatch.js";

const MOST = 24; // pictures

/** @type {import("./inspector.js").PanelBuilder} */
export function cellPanel({ player, hands, board }) {
  const strip = h("div", { class: "strip" }), title = h("h2", {}, "Under the cursor"), hint = h("p", { class: "quiet small" }, "Point at a cell to see what it may be.");
  let shown = "";
  fill(strip, hint);
  const element = section("", strip);
  element.firstElementChild?.replaceWith(title);
  return {
    element,
    hover(cell) {
      if (cell < 0) return; // the last cell stays, so that its tiles can be clicked
      const { left } = player.wave, key = `${player.recording.position} ${cell} ${left[cell]} ${player.isRunning}`;
      if (!player.tileset || key === shown) return;
      shown = key;
      const options = player.wave.listOptions(cell), where = board.geometry?.coordinates(cell).join(", ");
      title.textContent = left[cell] === 1 ? `Cell ${where}` : left[cell] ? `Cell ${where}: ${left[cell]} possible` : `Cell ${where}: nothing fits`;
      fill(strip, ...options.slice(0, MOST).map(({ pattern, chance }) => {
        const { name } = player.tileset.patterns[pattern], share = chance < 0.01 ? "under 1 %" : `${Math.round(100 * chance)} %`;
        const made = swatch(player.atlas, pattern, left[cell] === 1 ? name : `Put ${name} here, ${share}`, { onclick: () => left[cell] === 1 ? hands.choose("brush", player.tileset.patterns[pattern].tile) : hands.put(cell, name) });
        if (left[cell] > 1) made.append(h("small", { class: "number", "aria-hidden": "true" }, chance < 0.01 ? "<1" : Math.round(100 * chance)));
        return made;
      }), options.length > MOST ? h("p", { class: "quiet small" }, `and ${options.length - MOST} more`) : "");
    },
  };
}
