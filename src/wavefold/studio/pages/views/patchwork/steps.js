/** How commands change a patchwork, and the same as code. */

/** @typedef {import("./mirror.js").State} State */

/** @type {Record<string, (state: any, command: any) => any>} */
export const reducers = {
  step: (state, { step }) => ({ ...state, steps: [...state.steps, step] }),
  /** Other settings: the same pieces grow again, or the first one where they have another shape. */
  set: ({ request, steps }, { changes, isOtherShape }) => {
    const keys = steps.flatMap((/** @type {any} */ { populate = [] }) => populate);
    return { request: { ...request, ...changes }, steps: keys.length ? [{ populate: isOtherShape ? [[0, 0]] : keys }] : [] };
  },
};

/** @param {State} state */
export function toPython({ request: { tileset, radius, seed, join }, steps }) {
  const pairs = (/** @type {number[][]} */ keys) => keys.map((key) => `(${key.join(", ")})`).join(", ");
  const lines = steps.map(({ populate, rebuild, radius: size }) => (rebuild ? `map.rebuild(${pairs([rebuild])}, radius=${size})` : `map.populate_all([${pairs(populate ?? [])}])`));
  return `import wavefold as wf

map = wf.Patchwork(wf.TileSet.load(${JSON.stringify(tileset)}), radius=${radius}, seed=${seed}, join=${JSON.stringify(join)})
${lines.join("\n")}
map.image().save("map.png")
`;
}

/** Without rebuilt disks, for which there is no option. @param {State} state */
export function toCommand({ request: { tileset, radius, seed, join }, steps }) {
  const keys = steps.flatMap(({ populate = [] }) => populate).join(" ");
  return `wavefold patchwork build ${tileset} --radius ${radius} --seed ${seed} --join ${join} --grids "${keys}" -o map.png`;
}
