/** Colours for heat maps: equal steps look equal, lightness alone tells them apart, and it works for colour-blind eyes. */

const STEPS = 64;
const TABLE = Uint8ClampedArray.from(Array.from({ length: STEPS }, (_, step) => evenColour(step / (STEPS - 1))).flat());

/** Write the colour of a share from 0 (dark blue) to 1 (light yellow). @param {number} share @param {Uint8ClampedArray} out @param {number} at */
export function paintRamp(share, out, at) {
  const from = 3 * Math.round(Math.min(1, Math.max(0, share)) * (STEPS - 1));
  out[at] = TABLE[from]; out[at + 1] = TABLE[from + 1]; out[at + 2] = TABLE[from + 2];
}

/** The ramp as a picture of one row. @param {HTMLCanvasElement} canvas */
export function drawRamp(canvas) {
  canvas.width = STEPS;
  canvas.height = 1;
  const pixels = new ImageData(STEPS, 1);
  for (let step = 0; step < STEPS; step++) { paintRamp(step / (STEPS - 1), pixels.data, 4 * step); pixels.data[4 * step + 3] = 255; }
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).putImageData(pixels, 0, 0);
}

/** Lightness rises evenly in Oklab (Björn Ottosson's colour space) while the hue goes from blue over green to yellow. */
function evenColour(/** @type {number} */ share) {
  const light = 0.32 + 0.61 * share, hue = ((275 - 170 * share) * Math.PI) / 180, chroma = 0.115 - 0.06 * share;
  const a = chroma * Math.cos(hue), b = chroma * Math.sin(hue);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s].map((each) => 255 * (each <= 0.0031308 ? 12.92 * each : 1.055 * each ** (1 / 2.4) - 0.055));
}
