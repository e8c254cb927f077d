/** The timeline: every moment of the run on a slider, with marks where something went wrong or was changed. */

import { count } from "../../app/names.js";
import { MOMENT } from "../../board/recording.js";
import { choice } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { describeMoment } from "./words.js";

const PLACES = 40; // marks across; what would be nearer together is one mark
const MARKS_MS = 250; // between two drawings of the marks while the solver runs
const SPEEDS = /** @type {[string, string][]} */ ([
  ...[2, 10, 50, 200, 1_000].map((each) => [String(each), `${each.toLocaleString("en")} steps a second`]),
  ["max", "as fast as possible"],
]);
/** Symbols of marks, the most important first. @type {[number, string, string][]} */
const SYMBOLS = [
  [MOMENT.CONTRADICTION, "×", "conflict"], [MOMENT.RESTARTED, "⟲", "repair"], [MOMENT.REPLACED, "⟲", "repair"],
  [MOMENT.REPAIRED, "+", "repair"], [MOMENT.EDITED, "✎", "edit"], [MOMENT.SWEPT, "≈", "sweep"], [MOMENT.UNDONE, "‹", "back"],
];

/** @param {import("../map.js").MapView} view */
export function buildTimeline(view) {
  const { player, shell } = view;
  const slide = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Moment of the run",
    oninput: () => player.scrub(Number(slide.value)) });
  const marks = h("div", { class: "marks", role: "group", "aria-label": "What happened on the way" });
  const text = h("output", { class: "number" });
  const setSpeed = (/** @type {string} */ each) => { player.speed = each === "max" ? each : Number(each); };
  const speed = choice("Speed", SPEEDS, String(player.speed), setSpeed, true);
  fill(shell.timeline, h("div", { class: "moments" }, text, h("div", { class: "track" }, slide, marks), speed));
  let frame = 0, drawn = -1, when = 0;

  function go(/** @type {number} */ index) {
    player.scrub(index + 1);
    slide.value = String(index + 1); // now: a key may move it before the next frame
    slide.focus({ preventScroll: true });
  }

  function drawMarks() {
    const { moments } = player.recording, found = /** @type {Map<number, number[]>} */ (new Map());
    moments.forEach(({ kind }, index) => {
      if (kind === MOMENT.CHOSEN || (kind === MOMENT.SWEPT && moments[index - 1]?.kind === kind)) return;
      const place = Math.floor((index / moments.length) * PLACES);
      found.set(place, [...(found.get(place) ?? []), index]);
    });
    fill(marks, ...[...found.values()].map((indices) => {
      const [kind, symbol, name] = SYMBOLS.find(([each]) => indices.some((index) => moments[index].kind === each)) ?? SYMBOLS[0];
      const index = indices.find((each) => moments[each].kind === kind) ?? indices[0];
      const label = describeMoment(view, moments[index]) + (indices.length > 1 ? `, and ${indices.length - 1} more` : "");
      const about = { class: "moment", "data-kind": name, title: label, "aria-label": label, onclick: () => go(index) };
      const mark = h("button", { type: "button", ...about }, symbol);
      mark.style.left = `${(100 * (index + 1)) / moments.length}%`;
      return mark;
    }));
    [drawn, when] = [moments.length, performance.now()];
  }

  function draw() {
    frame = 0;
    const { moments, position } = player.recording, { decisions } = player;
    slide.max = String(moments.length);
    slide.value = String(position);
    slide.disabled = !moments.length;
    text.textContent = player.isAtEnd ? count(decisions, "decision") : `Decision ${decisions.toLocaleString("en")}`;
    if (!player.isRunning) slide.setAttribute("aria-valuetext", describeMoment(view, player.recording.current));
    if (drawn !== moments.length && (!player.isRunning || performance.now() - when > MARKS_MS)) drawMarks();
  }

  return {
    /** Draw at the next frame, once however often this is called. */
    update() { frame ||= requestAnimationFrame(draw); },
    close() { cancelAnimationFrame(frame); },
  };
}
