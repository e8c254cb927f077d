/** Places of a world that somebody wants to come back to. They are positions: what is there may change. */

import { button, folded } from "../../parts/controls.js";
import { fill, h } from "../../parts/element.js";

/** @param {import("../world.js").WorldView} view */
export function buildPlacesPanel(view) {
  const { document, shell } = view, list = h("ul", { class: "places" });
  const add = button("Remember this place", () => remember(), { symbol: "place", key: "M" });
  const element = /** @type {HTMLDetailsElement} */ (folded("Places", h("div", { class: "stack" }, list, add)));

  function remember() {
    const [x, y] = view.middle, taken = new Set(view.state.places.map((/** @type {any} */ each) => each.name));
    let number = view.state.places.length + 1;
    while (taken.has(`Place ${number}`)) number++;
    const name = `Place ${number}`, picture = view.takePicture(96, 60);
    document.apply({ do: "place", place: { name, x, y, scale: view.scale, picture } });
    element.open = true;
    shell.say(`Remembered as “${name}”. Click its name to change it.`);
  }

  /** @param {any} place @param {string} name */
  function rename(place, name) {
    const isTaken = view.state.places.some((/** @type {any} */ each) => each !== place && each.name === name);
    if (isTaken) shell.say(`Another place is called “${name}”.`, "warn");
    if (isTaken || !name) update();
    else if (name !== place.name) document.apply({ do: "rename", name: place.name, to: name });
  }

  const buildCard = (/** @type {any} */ place) => {
    const picture = place.picture ? h("img", { src: place.picture, alt: "", width: 64, height: 40 }) : "→";
    const name = h("input", { type: "text", value: place.name, "aria-label": "Name of this place", maxlength: 40,
      onchange: () => rename(place, name.value.trim()) });
    const go = h("button", { type: "button", class: "go", "aria-label": `Go to ${place.name}`, title: `${place.x}, ${place.y}`,
      onclick: () => view.visit(place.x, place.y, place.scale) }, picture);
    const leaveOut = button(`Remove ${place.name}`, () => document.apply({ do: "unplace", name: place.name }),
      { symbol: "trash", isIconOnly: true, kind: "plain" });
    return h("li", { class: "place" }, go, name, leaveOut);
  };

  const update = () => fill(list, ...view.state.places.map(buildCard));
  return { element, remember, update };
}
