/** What the cell under the cursor may be, the likeliest first. */

import { section } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { swatch } from "./swatch.js";

/** @type {import("./inspector.js").PanelBuilder} */
export function cellPanel({ player, hands }) {
  const strip = h("div", { class: "strip" }), hint = h("p", { class: "quiet small" }, "Point at a cell to see what it may be.");
  let asked = -1;
  fill(strip, hint);

  const show = (/** @type {{name: string, pattern: number, chance: number}[]} */ options) =>
    fill(strip, ...options.slice(0, 24).map(({ name, pattern, chance }) =>
      swatch(player.atlas, pattern, `${name}, ${Math.round(100 * chance)} %`, { onclick: () => hands.choose("brush", name) })));

  return {
    element: section("Under the cursor", strip),
    async hover(cell) {
      asked = cell;
      if (cell < 0) return void fill(strip, hint);
      const pattern = player.wave.pattern(cell);
      if (player.wave.left[cell] === 1) return void show([{ name: player.tileset.patterns[pattern].name, pattern, chance: 1 }]);
      if (player.isRunning) return;
      const answer = await player.domain(cell).catch(() => null);
      if (answer && asked === cell) show(answer.domain); // only the last question counts
    },
  };
}
