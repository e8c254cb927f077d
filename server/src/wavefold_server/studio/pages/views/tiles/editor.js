/** One tile, large: draw on it, and click its sides to give them sockets. */

import { hexGeometry } from "../../board/geometry.js";
import { fill, h } from "../../parts/element.js";
import { openMenu } from "../../parts/menu.js";
import { baseOf, listSockets, newName, sidesOf } from "./set.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

const CURSOR = /** @type {[number, string][]} */ ([[0.3, "#000"], [0.12, "#fff"]]); // widths in pixels of the tile

/** A colour that goes with the name of a socket. @param {TilesView} view @param {any} socket */
export function chip(view, socket) {
  const made = h("span", { class: "chip" }), at = listSockets(view.set).indexOf(baseOf(socket));
  made.style.setProperty("--colour", at < 0 ? "transparent" : `hsl(${at * 137 + 20} 62% 52%)`);
  return made;
}

/** @param {TilesView} view */
export function buildEditor(view) {
  const canvas = h("canvas", { class: "tile", tabindex: 0, role: "application", "aria-label": "The tile: draw with the pointer, or move with arrow keys and press Enter" });
  const sides = h("div"), tools = h("div", { class: "paint-tools" });
  let cells = /** @type {number[][]} */ ([]), from = /** @type {any} */ (null);
  const apply = (/** @type {any} */ what) => {
    const { set, selected: index } = view;
    if (!cells.length) from = set.tiles[index].drawn ? undefined : view.art.sample(set, index);
    view.document.apply({ do: "paint", index, from, colour: set.palette[view.brush.colour] ?? set.palette[0], ...what });
  };
  view.brush.listen(canvas, {
    size: () => { const [width, height] = view.art.size(view.set); return { width, height }; },
    pick(x, y) {
      const { palette, pixels, width } = view.art.sample(view.set, view.selected), colour = palette[pixels[y * width + x]];
      if (!view.set.palette.includes(colour)) view.document.apply({ do: "colour", colour });
      view.brush.choose({ colour: view.set.palette.indexOf(colour) });
    },
    fill: (x, y) => apply({ fill: [x, y] }),
    stroke(more) { // one step of undo: each part of a stroke takes the place of the last
      apply({ cells: [...cells, ...more], merge: "stroke" });
      cells.push(...more);
    },
    finish() { cells = []; view.document.seal(); },
    point(x, y) {
      const { palette, pixels, width } = view.art.sample(view.set, view.selected), ink = canvas.getContext("2d");
      draw();
      for (const [line, colour] of CURSOR) {
        [ink.lineWidth, ink.strokeStyle] = [line, colour];
        ink.strokeRect(x, y, 1, 1);
      }
      view.shell.announce(`${x}, ${y} · ${palette[pixels[y * width + x]]}`);
    },
  }, view.signal);

  /** What can be done with a side. */
  function listChoices(/** @type {number} */ side) {
    const { set } = view, { sockets } = set.tiles[view.selected], all = listSockets(set), now = sockets?.[side];
    const word = baseOf(now ?? ""), back = String(now).endsWith(">") ? "<" : ">";
    const put = (/** @type {any} */ socket, isAll = !sockets) =>
      view.changeTile({ sockets: isAll ? sidesOf(set).map(() => socket) : sockets?.with(side, socket) });
    const known = all.map((each) => ({ text: each, note: each === word ? "now" : "", mark: chip(view, each), run: () => put(each) }));
    return [...known,
      { text: "New socket", run: () => {
        const name = newName(all, "socket");
        put(name);
        view.choose({ tab: "set" });
        const field = /** @type {any} */ (view.shell.inspector.querySelector(`[aria-label="Name of socket ${name}"]`));
        field?.focus();
        field?.select();
      } },
      ...(now === undefined ? [] : [{ text: "All sides like this", run: () => put(now, true) },
        { text: word === now ? "One-way" : "Turn around", note: `${word}> fits ${word}<`, run: () => put(word + back) },
        { text: "No sockets", note: "pairs say what fits", run: () => view.changeTile({ sockets: undefined }) }])];
  }

  /** A side, to choose its socket. @param {string} name @param {number} side @param {string} [socket] */
  function sideButton(name, side, socket) {
    const choose = () => {
      view.choose({ side });
      openMenu(sides.children[side], `Socket of the ${name} side`, listChoices(side));
    };
    return h("button", { type: "button", class: `side ${name}`, "aria-label": `${name} side: ${socket ?? "no socket"}`,
      "aria-haspopup": "menu", title: `${name}: click to choose a socket`, onclick: choose },
    chip(view, socket), h("span", {}, String(socket ?? "—")));
  }

  /** The picture, enlarged; on hexagons without what is outside of the cell. */
  function draw() {
    const { set, art } = view, [width, height] = art.size(set), ink = canvas.getContext("2d");
    const zoom = Math.max(2, Math.floor(448 / Math.max(width, height)));
    [canvas.width, canvas.height] = [width * zoom, height * zoom];
    ink.imageSmoothingEnabled = false;
    ink.scale(zoom, zoom);
    art.draw(ink, set, view.selected);
    if (set.tables.topology === "hex") {
      const cell = new Path2D(`M${hexGeometry(Int32Array.of(0, 0), width, height).outline.join("L")}Z`);
      cell.rect(0, 0, width, height);
      ink.fillStyle = getComputedStyle(canvas).getPropertyValue("--canvas");
      ink.fill(cell, "evenodd");
    }
    ink.fillStyle = "rgb(128 128 128 / .28)";
    for (let at = 1; zoom > 6 && at < Math.max(width, height); at++) {
      ink.fillRect(at, 0, 1 / zoom, height);
      ink.fillRect(0, at, width, 1 / zoom);
    }
  }

  return {
    element: h("section", { class: "editor", "aria-label": "Tile" }, h("div", { class: "frame" }, canvas, sides), tools),

    update() {
      const { set, selected, brush } = view, tile = set.tiles[selected];
      this.element.hidden = !tile;
      if (!tile) return;
      fill(sides, ...sidesOf(set).map((name, side) => sideButton(name, side, tile.sockets?.[side])));
      fill(tools, ...brush.controls(set.palette, (colour) => {
        brush.colour = set.palette.length;
        view.document.apply({ do: "colour", colour });
      }));
      draw();
    },
  };
}
