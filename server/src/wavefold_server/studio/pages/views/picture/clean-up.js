/** A page on which a picture becomes a sample: its frame, colours and scale, with a preview of what comes out. */

import { count } from "../../app/names.js";
import { button, slider } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { countColours, cutSample, LARGEST, MOST, ROUGHEST, suggestCut } from "./import.js";
import { drawColours } from "./patterns.js";

/** @typedef {import("../../app/shell.js").Shell} Shell */
/** @typedef {import("./import.js").Cut} Cut */
/** @typedef {import("../../parts/pixels.js").Sample} Sample */

/**
 * The sample of a picture: at once if it is small and has few colours, otherwise after a look.
 * @param {Shell} shell @param {ImageData} image @param {(sample: Sample) => string} take what else is to be said
 */
export function cleanUp(shell, image, take) {
  const { isPlain, ...cut } = suggestCut(image), { scale } = cut;
  shell.stage.querySelector(".import")?.remove();
  if (!isPlain) return showPage(shell, image, cut, take);
  const more = take(cutSample(image, cut).sample);
  const undone = `Each pixel of this picture was drawn ${scale} × ${scale}: that was undone.`;
  shell.say(`${scale > 1 ? undone : "This is your sample now."} ${more}`);
}

/** @param {Shell} shell @param {ImageData} image @param {Cut} cut @param {(sample: Sample) => string} take */
function showPage(shell, image, cut, take) {
  const { width, height } = image, found = cut.scale, caption = h("figcaption", {});
  const whole = h("canvas", { width, height, tabindex: 0, role: "img", "aria-label": "Your picture; click to move the frame" });
  const result = h("canvas", { role: "img", "aria-label": "The sample" });
  let { sample } = cutSample(image, cut);
  const show = () => {
    const made = cutSample(image, cut);
    ({ sample } = made);
    drawFrame(whole, image, made.box);
    Object.assign(result, { width: sample.width, height: sample.height });
    drawColours(result, sample.pixels, sample.palette);
    caption.textContent = `Your sample: ${sample.width} × ${sample.height}, ${count(sample.palette.length, "colour")}`;
  };
  const move = (/** @type {PointerEvent} */ event) => {
    const box = whole.getBoundingClientRect();
    cut.x = Math.round(((event.clientX - box.left) / box.width) * (width / cut.scale) - cut.size / 2);
    cut.y = Math.round(((event.clientY - box.top) / box.height) * (height / cut.scale) - cut.size / 2);
    show();
  };
  whole.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => { if (event.buttons) move(event); });
  whole.addEventListener("pointerdown", move);
  const change = (/** @type {"size"|"colours"|"scale"} */ name) => (/** @type {number} */ value) => {
    cut[name] = value;
    show();
  };
  const page = h("section", { class: "page import", "aria-label": "Clean up a picture" },
    h("header", {}, h("h2", { class: "title" }, "Make a sample of this picture"),
      h("p", { class: "quiet" },
        "A sample is small and has few colours, so that its patterns repeat. Click where the frame should be.")),
    h("div", { class: "both" },
      h("figure", {}, whole,
        h("figcaption", {}, `Your picture: ${width} × ${height}, ${count(countColours(image), "colour")}`)),
      h("figure", {}, result, caption)),
    h("div", { class: "sliders" },
      slider("Size of the frame", { min: 8, max: LARGEST, value: cut.size, show: (value) => `${value} pixels` }, change("size")),
      slider("Colours", { min: 2, max: MOST, value: cut.colours }, change("colours")),
      slider("Pixels drawn for one", { min: 1, max: ROUGHEST, value: found,
        show: (value) => (value === found && found > 1 ? `${value}, as found` : String(value)),
        help: "Larger for pictures that were enlarged, or have more detail than you need" }, change("scale"))),
    h("div", { class: "row" }, button("Use this sample", () => { page.remove(); shell.say(take(sample)); }, { kind: "main" }),
      button("Cancel", () => page.remove())));
  shell.stage.append(page);
  show();
}

/** A picture, dark outside a frame. @param {HTMLCanvasElement} canvas @param {ImageData} image @param {number[]} box */
function drawFrame(canvas, image, [x, y, width, height]) {
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ink.putImageData(image, 0, 0);
  ink.fillStyle = "rgb(0 0 0 / .55)";
  ink.fill(new Path2D(`M0 0H${image.width}V${image.height}H0zM${x} ${y}v${height}h${width}v${-height}z`));
  ink.strokeStyle = "#fff";
  ink.lineWidth = Math.max(2, image.width / 300);
  ink.strokeRect(x, y, width, height);
}
