/** The bar of the tiles view: where a set comes from, and where it goes. */

import { post } from "../../app/api.js";
import { saveTiles, shareItems } from "../../app/share.js";
import { divider, menuButton, spring, undoButtons } from "../../parts/bar.js";
import { button } from "../../parts/controls.js";
import { h } from "../../parts/element.js";
import { listBeginnings } from "./open.js";

/** @typedef {import("../tiles.js").TilesView} TilesView */

/** @param {TilesView} view */
export function listTools(view) {
  const { set, document } = view;
  const use = (/** @type {string} */ name) => ({ text: `In a ${name}`, note: "saves it on the server",
    run: () => keep(view, (id) => { location.hash = `#/${name}?tileset=${id}`; }) });
  return [menuButton("Open", "open", () => listBeginnings(view)),
    h("input", { type: "text", value: set.tables.name ?? "", "aria-label": "Name of the set", placeholder: "Name of the set",
      maxlength: 100, onchange: (/** @type {any} */ { target }) => document.apply({ do: "title", name: target.value }) }),
    divider(), button("Another seed", () => view.anotherSeed(), { symbol: "dice", key: "S" }),
    divider(), ...undoButtons(document), spring(),
    menuButton("Share", "share", () => listShares(view)), menuButton("Use", "go", () => ["map", "world"].map(use))];
}

/** Code reads the files of the set, which the server writes: it is stored there first. @param {TilesView} view */
function listShares(view) {
  const { size, seed } = view.set.settings;
  let stored = "";
  const ask = async () => {
    stored = await store(view);
    return post("/solves/code", { tileset: stored, topology: { width: size, height: size }, seed, refine: false });
  };
  return [...shareItems(view, ask, { saveFile: (name) => saveTiles(stored, name) }),
    { text: "Tile set files", note: ".zip", run: () => keep(view, (id) => saveTiles(id, `${view.fileName}.zip`)) }];
}

/** Store the set on the server, then do something with it. @param {TilesView} view @param {(id: string) => any} then */
function keep(view, then) {
  view.check.stop(); // it would keep a core from what is asked for now
  view.shell.say("Saving …");
  return view.guard(async () => { await then(await store(view)); view.shell.say("Saved."); });
}

/** Store the set on the server. @param {TilesView} view @returns {Promise<string>} its id */
async function store({ set: { base, tables, tiles } }) {
  return (await post("/drafts/tileset", { base, tables: { ...tables, tiles } })).id;
}
