/** How commands change a patchwork. */

export const ONLY_HERE = "it goes on from a patchwork that is stored there.";

/** Whether a state has what every patchwork needs. @param {any} state */
export const isPatchwork = ({ request: { tileset, radius }, steps }) =>
  typeof tileset === "string" && Number.isInteger(radius) && Array.isArray(steps);

/** @type {Record<string, (state: any, command: any) => any>} */
export const patchworkReducers = {
  step: (state, { step }) => ({ ...state, steps: [...state.steps, step] }),
  /** Other settings: the same pieces grow again, or the first one where they have another shape. */
  set: ({ request, steps }, { changes, isOtherShape, keys: visible }) => {
    const keys = visible ?? steps.flatMap((/** @type {any} */ { populate = [] }) => populate);
    return { request: { ...request, ...changes }, steps: keys.length ? [{ populate: isOtherShape ? [[0, 0]] : keys }] : [] };
  },
};
