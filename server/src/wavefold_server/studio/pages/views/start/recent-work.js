/** Recent work on the start page: open it, call it something, remove it. */

import { forgetRecent, listRecent, saveRecent } from "../../app/recent.js";
import { button } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";
import { icon } from "../../parts/icons.js";

/** @typedef {import("../../app/recent.js").Entry} Entry */
/** @typedef {import("../../app/shell.js").Shell} Shell */

/** @param {HTMLElement} place @param {Shell} shell */
export function showRecent(place, shell) {
  const entries = listRecent();
  if (place.parentElement) place.parentElement.hidden = !entries.length;
  fill(place, ...entries.map((entry) => recentCover(entry, () => showRecent(place, shell), shell)));
}

/** @param {Entry} entry @param {() => void} update the list @param {Shell} shell */
function recentCover(entry, update, shell) {
  const { id, view, when, picture } = entry, name = entry.name || entry.title;
  const restore = () => { saveRecent({ name: undefined, ...entry }); update(); };
  const forget = button(`Remove ${name}`, () => {
    forgetRecent(id);
    update();
    shell.offerUndo(`“${name}” was removed from this browser.`, restore);
  }, { symbol: "trash", isIconOnly: true, kind: "plain" });
  const rename = button(`Rename ${name}`, () => askForName(), { symbol: "pencil", isIconOnly: true, kind: "plain" });
  const askForName = () => {
    const field = h("input", { type: "text", value: name, maxlength: 100, "aria-label": "Name" });
    field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") field.value = name;
      if (event.key === "Escape" || event.key === "Enter") field.blur();
    });
    field.addEventListener("blur", () => {
      const typed = field.value.trim();
      if (typed !== name) {
        saveRecent({ ...entry, name: typed });
        shell.offerUndo(`Renamed to “${typed || entry.title}”.`, restore);
      }
      update();
    });
    link.after(field);
    title.hidden = true;
    field.select();
  };
  const title = h("b", {}, name), image = picture ? h("img", { src: picture, alt: "" }) : h("span", { class: "empty" }, icon(view));
  const link = h("a", { href: `#/${view}?document=${id}` }, image, title);
  const moment = new Date(when).toLocaleString([], { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
  return h("div", { class: "cover" }, link, h("small", {}, `${view}, ${moment}`), h("div", { class: "cover-tools" }, rename, forget));
}
