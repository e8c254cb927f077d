/** The document of the map view: a request for a map, and what was done to it since. */

/** @typedef {import("./player.js").MapState} MapState */

/** What a map begins with. @param {any} tileset from the service @returns {MapState} */
export function beginning(tileset, seed = 7) {
  const [width, height] = tileset.size ?? (tileset.topology === "hex" ? [32, 24] : [48, 32]);
  return { request: { tileset: tileset.id, topology: { width, height, wraps: false }, seed, refine: "auto" }, commands: [] };
}

const change = (/** @type {MapState} */ state, /** @type {Record<string, any>} */ part) => ({ request: { ...state.request, ...part }, commands: [] });

/** @type {Record<string, (state: any, command: any) => any>} */
export const reducers = {
  /** Another seed; pins stay. */
  seed: (state, { seed }) => ({ request: { ...state.request, seed }, commands: state.commands.filter(isPin) }),
  size: (state, { topology }) => change(state, { topology: { ...state.request.topology, ...topology } }),
  refine: (state, { refine }) => ({ ...state, request: { ...state.request, refine } }),
  weights: (state, { tile, factor }) => change(state, { weights: { ...state.request.weights, [tile]: factor } }),
  settings: (state, { section, key, value }) => change(state, { [section]: { ...state.request[section], [key]: value } }),
  constraints: (state, { constraints }) => change(state, { constraints }),
  /** Change the finished map: what finishes it comes first in the log. */
  edit: (state, { commands }) => ({ ...state, commands: [...finish(state), ...commands] }),
  /** Pin cells of a map that is not finished. */
  pin: (state, { commands }) => ({ ...state, commands: [...state.commands, ...commands] }),
  clear: (state) => ({ ...state, commands: [] }),
};

/** The commands of a state, with those that finish its map. @param {MapState} state */
function finish({ request, commands }) {
  if (commands.some(({ command }) => command === "run")) return commands;
  return [...commands, { command: "run", show: "end" }, ...(request.refine === false ? [] : [{ command: "refine" }])];
}

const isPin = (/** @type {any} */ command) => ["pin", "ban"].includes(command.command);

/** Cells that are pinned or painted, with their tile. @param {any[]} commands @returns {{at: number[], tile: string}[]} */
export function findPins(commands) {
  return commands.filter(({ command }) => command === "pin" || command === "paint").map(({ at, tile }) => ({ at, tile }));
}

/** The same map as Python code, with painted cells as pins. @param {MapState} state @param {any} tileset */
export function toPython(state, tileset) {
  const { request, commands } = state, { width, height, wraps } = request.topology;
  const grid = tileset.topology === "hex" ? `wf.HexGrid.rectangle(${width}, ${height})` : `wf.SquareGrid(${width}, ${height}${wraps ? ", wraps=True" : ""})`;
  const pins = findPins(commands);
  const more = pins.length ? `, pins={${pins.map(({ at, tile }) => `(${at.join(", ")}): ${JSON.stringify(tile)}`).join(", ")}}` : "";
  const refine = request.refine === "auto" ? "" : `, refine=${request.refine === false ? "False" : request.refine}`;
  return `import wavefold as wf

tiles = wf.TileSet.load(${JSON.stringify(tileset.name)})
solution = wf.generate(tiles, ${grid}, seed=${request.seed}${more}${refine})
solution.image().save("map.png")
`;
}

/** The same map as a command. @param {MapState} state @param {any} tileset */
export function toCommand(state, tileset) {
  const { request, commands } = state, { width, height, wraps } = request.topology;
  const pins = findPins(commands).map(({ at, tile }) => ` --pin ${at.join(",")}=${tile}`).join("");
  const refine = request.refine === "auto" ? "" : ` --refine ${request.refine === false ? "off" : request.refine}`;
  return `wavefold generate ${tileset.name} --size ${width}x${height} --seed ${request.seed}${wraps ? " --wrap" : ""}${pins}${refine} -o map.png`;
}
