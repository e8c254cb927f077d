/** One tile, large: draw on it, and click its sides to give them sockets. */

import { hexGeometry } from "../../board/geometry.js";
import { button } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { openMenu } from "../../parts/menu.js";
import { hasEach } from "./art.js";
import { baseOf, listSockets, newName, sidesOf } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

/** A colour that goes with the name of a socket. @param {TilesView} view @param {any} socket */
export function chip(view, socket) {
  const made = h("span", { class: "chip" }), at = listSockets(view.set).sort().indexOf(baseOf(socket));
  made.style.setProperty("--colour", at < 0 ? "transparent" : `hsl(${(at * 137 + 20) % 360} 62% 52%)`);
  return made;
}

/** @param {TilesView} view */
export function buildEditor(view) {
  const canvas = h("canvas", { class: "tile", tabindex: 0, role: "application", "aria-label": "The tile: draw with the pointer" }), sides = h("div", { class: "sides" }), pictures = h("div", { class: "strip" }), tools = h("div", { class: "tools" });
  let cells = /** @type {number[][]} */ ([]), from = /** @type {any} */ (undefined);
  const apply = (/** @type {any} */ what) => {
    const { picture, set, selected: index } = view;
    if (!cells.length || what.fill) from = set.tiles[index].drawn?.[picture] ? undefined : view.art.sample(set, index, picture);
    view.document.apply({ do: "paint", index, picture, from, colour: set.palette[view.brush.colour] ?? set.palette[0], ...what });
  };
  view.brush.listen(canvas, {
    size: () => { const [width, height] = view.art.size(view.set); return { width, height }; },
    pick(x, y) {
      const { palette, pixels, width } = view.art.sample(view.set, view.selected, view.picture), colour = palette[pixels[y * width + x]];
      if (!view.set.palette.includes(colour)) view.document.apply({ do: "colour", colour });
      view.brush.choose({ colour: view.set.palette.indexOf(colour) });
    },
    fill: (x, y) => apply({ fill: [x, y] }),
    stroke(more) { // one step of undo: each part of a stroke takes the place of the last
      apply({ cells: [...cells, ...more], merge: "stroke" });
      cells = [...cells, ...more];
    },
    finish() { cells = []; view.document.seal(); },
  }, view.stop.signal);

  /** What can be done with a side. */
  function listChoices(/** @type {number} */ side) {
    const { set } = view, { sockets } = set.tiles[view.selected], all = listSockets(set), now = sockets?.[side], word = baseOf(now ?? ""), arrow = String(now ?? "").slice(word.length);
    const put = (/** @type {any} */ socket, isAll = !sockets) => view.changeTile({ sockets: isAll ? sidesOf(set.tables).map(() => socket) : /** @type {any} */ (sockets).with(side, socket) });
    return [
      ...all.map((each) => ({ text: each, note: each === word ? "now" : "", mark: chip(view, each), run: () => put(each) })),
      { text: "New socket", run: () => { put(newName(all, "socket")); view.choose({ tab: "set" }); } },
      ...(now === undefined ? [] : [
        { text: "All sides like this", run: () => put(now, true) },
        { text: arrow ? "Same from both ends" : "One-way", note: arrow ? word : `${word}> fits ${word}<`, run: () => put(word + (arrow ? "" : ">")) },
        ...(arrow ? [{ text: "Turn around", note: word + (arrow === ">" ? "<" : ">"), run: () => put(word + (arrow === ">" ? "<" : ">")) }] : []),
        { text: "No sockets", note: "pairs say what fits", run: () => view.changeTile({ sockets: undefined }) }]),
    ];
  }

  return {
    element: h("section", { class: "editor", "aria-label": "Tile" }, h("div", { class: "frame" }, canvas, sides), pictures, tools),

    update() {
      const { set, selected, art, picture } = view, tile = set.tiles[selected], names = sidesOf(set.tables), isHex = names.length === 6;
      this.element.hidden = !tile;
      if (!tile) return;
      this.element.dataset.cells = isHex ? "hex" : "square";
      fill(sides, ...names.map((name, side) => {
        const socket = tile.sockets?.[side], made = h("button", { type: "button", class: `side ${name}`, "aria-label": `${name} side: ${socket ?? "no socket"}`, "aria-haspopup": "menu", title: `${name}: click to choose a socket`,
          onclick: () => { view.side = side; view.choose({}); openMenu(sides.children[side], `Socket of the ${name} side`, listChoices(side)); } }, chip(view, socket), h("span", {}, String(socket ?? "—")));
        return made;
      }));
      const count = hasEach(tile) ? Math.min(view.patternsOf(selected).length, 36) : 0;
      fill(pictures, ...Array.from({ length: count }, (_, index) => {
        const made = button(`Picture ${index + 1}`, () => view.choose({ picture: index }), { isIconOnly: true, isPressed: index === picture });
        made.className = "swatch";
        made.append(art.thumbnail(set, selected, "0", index));
        return made;
      }));
      fill(tools, ...view.brush.controls(set.palette, (colour) => { view.brush.colour = set.palette.length; view.document.apply({ do: "colour", colour }); }));
      this.draw();
    },

    /** The picture, enlarged. */
    draw() {
      const { set, art } = view, [width, height] = art.size(set), zoom = Math.max(2, Math.floor(448 / Math.max(width, height))), ink = canvas.getContext("2d");
      canvas.width = width * zoom;
      canvas.height = height * zoom;
      ink.imageSmoothingEnabled = false;
      ink.scale(zoom, zoom);
      art.draw(ink, set, view.selected, view.picture);
      if (set.tables.topology === "hex") { // what is outside of the cell
        ink.beginPath();
        ink.rect(0, 0, width, height);
        for (const [x, y] of hexGeometry(Int32Array.of(0, 0), width, height).outline) ink.lineTo(x, y);
        ink.fillStyle = getComputedStyle(canvas).getPropertyValue("--canvas");
        ink.fill("evenodd");
      }
      ink.fillStyle = "rgb(128 128 128 / .28)";
      if (zoom >= 7) for (let at = 1; at < Math.max(width, height); at++) { ink.fillRect(at, 0, 1 / zoom, height); ink.fillRect(0, at, width, 1 / zoom); }
    },
  };
}
