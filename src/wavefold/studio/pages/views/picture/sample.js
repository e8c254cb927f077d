/** A small picture of few colours that is being drawn: plain data, never changed in place. */

/** @typedef {{width: number, height: number, palette: string[], pixels: number[]}} Sample */

/** A first sample: something that already makes a good map. @returns {Sample} */
export function firstSample() {
  const rows = [
    "gggggggggggggggg", "gggttgggggggggg.", "ggttttggggggggg.", "ggttttgggggwwwgg", "gggttgggggwwwwwg", "gggggggggwwwwwwg", "ggssssssgwwwwwgg", "ggsggggsggwwwggg",
    "ggsggggsgggggggg", "ggsggggsssssssgg", "ggsssgggggggggsg", "ggggsgggttgggggs", "ggggsggttttggggs", "wwggsggttttgggss", "wwwgsgggttgggsgg", "wwggssssssssssgg",
  ].map((row) => row.replace(".", "g").padEnd(16, "g"));
  return { width: 16, height: 16, palette: ["#7cb342", "#33691e", "#4fa3d1", "#d7b377"], pixels: [...rows.join("")].map((each) => "gtws".indexOf(each)) };
}

/** @param {Sample} sample @param {Iterable<[number, number]>} cells @param {number} colour @returns {Sample} */
export function paint(sample, cells, colour) {
  const pixels = sample.pixels.slice();
  for (const [x, y] of cells) if (x >= 0 && y >= 0 && x < sample.width && y < sample.height) pixels[y * sample.width + x] = colour;
  return { ...sample, pixels };
}

/** All pixels joined to one of the same colour. @param {Sample} sample @param {number} x @param {number} y @param {number} colour @returns {Sample} */
export function flood(sample, x, y, colour) {
  const { width, height } = sample, pixels = sample.pixels.slice(), old = pixels[y * width + x], waiting = [[x, y]];
  if (old === colour) return sample;
  while (waiting.length) {
    const [cx, cy] = /** @type {number[]} */ (waiting.pop());
    if (cx < 0 || cy < 0 || cx >= width || cy >= height || pixels[cy * width + cx] !== old) continue;
    pixels[cy * width + cx] = colour;
    waiting.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]);
  }
  return { ...sample, pixels };
}

/** Another size; what is new is of the first colour. @param {Sample} sample @param {number} width @param {number} height @returns {Sample} */
export function resize(sample, width, height) {
  const pixels = Array.from({ length: width * height }, (_, index) => {
    const x = index % width, y = Math.floor(index / width);
    return x < sample.width && y < sample.height ? sample.pixels[y * sample.width + x] : 0;
  });
  return { ...sample, width, height, pixels };
}

/** A picture of any kind, reduced to a size and number of colours that can be drawn by hand. @param {Blob} file @returns {Promise<Sample>} */
export async function importPicture(file, largest = 64, mostColours = 32) {
  const image = await createImageBitmap(file), shrink = Math.max(1, Math.ceil(Math.max(image.width, image.height) / largest));
  const width = Math.max(1, Math.floor(image.width / shrink)), height = Math.max(1, Math.floor(image.height / shrink));
  const ink = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext("2d"));
  ink.imageSmoothingEnabled = false;
  ink.drawImage(image, 0, 0, width, height);
  return reduceColours(ink.getImageData(0, 0, width, height), mostColours);
}

/** The most frequent colours; others become the nearest of them. @param {ImageData} image @param {number} most @returns {Sample} */
function reduceColours({ data, width, height }, most) {
  const counts = new Map(), keys = [];
  for (let index = 0; index < data.length; index += 4) {
    const key = (data[index] << 16) | (data[index + 1] << 8) | data[index + 2];
    keys.push(key);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const kept = [...counts].sort((one, other) => other[1] - one[1]).slice(0, most).map(([key]) => key);
  const far = (/** @type {number} */ a, /** @type {number} */ b) => [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);
  const index = new Map([...counts.keys()].map((key) => [key, kept.reduce((best, each, at) => (far(key, each) < far(key, kept[best]) ? at : best), 0)]));
  return { width, height, palette: kept.map((key) => `#${key.toString(16).padStart(6, "0")}`), pixels: keys.map((key) => index.get(key)) };
}
