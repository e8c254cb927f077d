/** How commands change a patchwork, and the same as code. */

import { Problem } from "../../app/api.js";

/** @typedef {import("./mirror.js").State} State */

export const ONLY_HERE = "it goes on from a patchwork that is stored there.";

/** Whether a state has what every patchwork needs. @param {any} state */
export const isPatchwork = ({ request: { tileset, radius }, steps }) => typeof tileset === "string" && Number.isInteger(radius) && Array.isArray(steps);

/** @type {Record<string, (state: any, command: any) => any>} */
export const patchworkReducers = {
  step: (state, { step }) => ({ ...state, steps: [...state.steps, step] }),
  /** Other settings: the same pieces grow again, or the first one where they have another shape. */
  set: ({ request, steps }, { changes, isOtherShape, keys = steps.flatMap((/** @type {any} */ { populate = [] }) => populate) }) => {
    return { request: { ...request, ...changes }, steps: keys.length ? [{ populate: isOtherShape ? [[0, 0]] : keys }] : [] };
  },
};

/** Code makes pieces from nothing. @param {State} state */
function check({ from }) {
  if (from) throw new Problem({ title: "There is no code for this", detail: `It cannot be made again elsewhere: ${ONLY_HERE}`, advice: "Export the map instead." });
}

/** @param {State} state @param {string} source of the tile set */
export function toPython(state, source) {
  check(state);
  const { request: { radius, seed, join }, steps } = state;
  const pairs = (/** @type {number[][]} */ keys) => keys.map((key) => `(${key.join(", ")})`).join(", ");
  const lines = steps.map(({ populate, rebuild, radius: size }) => (rebuild ? `map.rebuild(${pairs([rebuild])}, radius=${size})` : `map.populate_all([${pairs(populate ?? [])}])`));
  return `import wavefold as wf

map = wf.Patchwork(wf.TileSet.load(${JSON.stringify(source)}), radius=${radius}, seed=${seed}, join=${JSON.stringify(join)})
${lines.join("\n")}
map.image().save("map.png")
`;
}

/** @param {State} state @param {string} source of the tile set */
export function toCommand(state, source) {
  check(state);
  const { request: { radius, seed, join }, steps } = state;
  if (steps.some(({ rebuild }) => rebuild)) throw new Problem({ title: "There is no command for this", detail: "The command has no option for disks that were rebuilt.", advice: "Copy it as Python." });
  const keys = steps.flatMap(({ populate = [] }) => populate).join(" ");
  return `wavefold patchwork build ${source} --radius ${radius} --seed ${seed} --join ${join} --grids "${keys}" -o map.png`;
}
