/** The sample of the picture view. */

/** @typedef {import("../../parts/pixels.js").Sample} Sample */

/** A first sample: something that already makes a good map. @returns {Sample} */
export function firstSample() {
  const rows = [
    "gggggggggggggggg", "gggttgggggggggg.", "ggttttggggggggg.", "ggttttgggggwwwgg", "gggttgggggwwwwwg", "gggggggggwwwwwwg", "ggssssssgwwwwwgg", "ggsggggsggwwwggg",
    "ggsggggsgggggggg", "ggsggggsssssssgg", "ggsssgggggggggsg", "ggggsgggttgggggs", "ggggsggttttggggs", "wwggsggttttgggss", "wwwgsgggttgggsgg", "wwggssssssssssgg",
  ].map((row) => row.replace(".", "g").padEnd(16, "g"));
  return { width: 16, height: 16, palette: ["#7cb342", "#33691e", "#4fa3d1", "#d7b377"], pixels: [...rows.join("")].map((each) => "gtws".indexOf(each)) };
}

/** Another size; what is new is of the first colour. @param {Sample} sample @param {number} width @param {number} height @returns {Sample} */
export function resize(sample, width, height) {
  const pixels = Array.from({ length: width * height }, (_, index) => {
    const x = index % width, y = Math.floor(index / width);
    return x < sample.width && y < sample.height ? sample.pixels[y * sample.width + x] : 0;
  });
  return { ...sample, width, height, pixels };
}
