/** Icons as paths in a box of 24 by 24, drawn with a line of the text's colour. */

const PATHS = {
  start: "M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z",
  picture: "M4 5h16v14H4zM4 15l4-4 4 4 3-3 5 5M15.5 9.2h.01",
  tiles: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  map: "M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14",
  world: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  patchwork: "M12 3l4 2.3v4.6L12 12 8 9.900V5.300zM7.500 12.500l4 2.300v4.400l-4 2.300-4-2.300v-4.400zM16.500 12.500l4 2.300v4.400l-4 2.300-4-2.300v-4.400z",
  blocks: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 12l8-4.500M12 12v9M12 12L4 7.500",
  run: "M7 5l12 7-12 7z", pause: "M8 5v14M16 5v14", step: "M6 5l9 7-9 7zM18 5v14", back: "M18 5l-9 7 9 7zM6 5v14",
  undo: "M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3", redo: "M15 5l5 5-5 5M20 10H10a5 5 0 0 0 0 10h3",
  dice: "M5 5h14v14H5zM9 9h.01M15 15h.01M15 9h.01M9 15h.01M12 12h.01",
  share: "M8 12a3 3 0 1 0-6 0 3 3 0 0 0 6 0zM22 5a3 3 0 1 0-6 0 3 3 0 0 0 6 0zM22 19a3 3 0 1 0-6 0 3 3 0 0 0 6 0zM7.700 10.600l8.600-4.200M7.700 13.400l8.600 4.200",
  export: "M12 3v12M7 10l5 5 5-5M5 20h14", fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  brush: "M4 20c3 0 5-1 5-4l9-9a2.500 2.500 0 0 0-4-4l-9 9", erase: "M8 20h12M5 15l9-9 5 5-8 8H8z", pin: "M12 21v-6M8 3h8l-1 6 3 4H6l3-4z",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3", select: "M4 7V4h3M10.500 4h3M17 4h3v3M20 10.500v3M20 17v3h-3M13.500 20h-3M7 20H4v-3M4 13.500v-3",
  lasso: "M8 16C3 14 2 9 6 6s11-3 14 1-1 9-8 9c-2 0-3-1-2-2s3 0 3 2-2 4-5 5",
  regrow: "M20 12a8 8 0 1 1-2.500-5.800M20 4v5h-5", theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z", help: "M9 9a3 3 0 1 1 4 2.800c-.800.300-1 .900-1 2.200M12 18h.01",
  pencil: "M4 20l1-4L16 5l3 3L8 19zM13.500 7.500l3 3", panel: "M4 5h16v14H4zM14 5v14", more: "M6 12h.01M12 12h.01M18 12h.01", close: "M6 6l12 12M18 6L6 18", add: "M12 5v14M5 12h14", less: "M5 12h14", open: "M3 19V6h6l2 3h9v3M3 19l3-7h15l-3 7z", save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6", go: "M5 12h14M13 6l6 6-6 6",
  stop: "M6 6h12v12H6z", trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5", copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  place: "M12 21c-4-4-6-7.500-6-10.500a6 6 0 0 1 12 0c0 3-2 6.500-6 10.500zM12 12.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4z", swap: "M4 9h15l-4-4M20 15H5l4 4",
  replay: "M4 12a8 8 0 1 0 2.500-5.800M4 4v5h5M10 9l5 3-5 3z",
  origin: "M12 3v4M12 17v4M3 12h4M17 12h4M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
  move: "M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3",
  pipette: "M4 16l8.500-8.500 4 4L8 20H4zM11 6l7 7M14.500 8.500l3-3a2.100 2.100 0 0 1 3 3l-3 3", fill: "M5 12l7-7 7 7-7 7zM5 12h14", grid: "M4 4h16v16H4zM4 12h16M12 4v16",
};

/** @param {keyof typeof PATHS | string} name @returns {SVGElement} */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg");
  const shape = document.createElementNS(space, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "1.7",
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" })) svg.setAttribute(key, value);
  shape.setAttribute("d", PATHS[/** @type {keyof typeof PATHS} */ (name)] ?? "");
  svg.append(shape);
  return svg;
}
