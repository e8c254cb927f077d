/** Which world is opened, and what one sees until it is there. */

import { get, insist, post, Problem } from "../../app/api.js";
import { h } from "../../parts/element.js";
import { hasSettings, toRequest } from "./request.js";

const NOT_MADE = { title: "Nobody has made this world yet",
  detail: "Your key may only read, and making it needs one that may write.",
  advice: "Open one of the worlds on the start page." };

const NO_WORLD = { title: "There is no such world", advice: "All worlds of this server are on the start page." };
const EDITS_LOST = "It was deleted on the server, with its edits. It was made again from its settings; your places are kept.";

/**
 * The world that an address or a document names; null if it names none, or one that was deleted and can be made again.
 * @param {string|null|undefined} id @param {boolean} canMake whether it is known what it is made of @param {AbortSignal} signal
 */
export async function findNamed(id, canMake, signal) {
  if (!id) return null;
  try {
    return await insist(() => get(`/worlds/${encodeURIComponent(id)}`, signal));
  } catch (error) {
    if (/** @type {any} */ (error).status !== 404) throw error;
    if (!canMake) throw new Problem({ ...NO_WORLD, detail: `This server has no world with the id “${id}”.` });
    return null;
  }
}

/** Say that a world was made again, because the one that was named is gone. @param {import("../world.js").WorldView} view */
export function sayMadeAgain(view) {
  const hasEdits = view.document.commands.some(({ do: kind }) => kind === "edit");
  if (hasEdits) view.shell.showCard("warn", "This world was made again", EDITS_LOST, [], "notice");
  else view.sayLasting("The server had deleted this world, so it was made again from its settings.");
}

/** Never a blank page: what the server does, in words. @param {import("../../app/shell.js").Shell} shell @param {string} name */
export function showWaiting(shell, name) {
  const page = h("div", { class: "page world-wait", role: "status" }, h("div", { class: "skeleton" }),
    h("div", { class: "card" }, h("h2", {}, `Opening the world${name ? ` of ${name}` : ""} …`),
      h("progress", { "aria-label": "Opening the world" }), h("p", { class: "quiet" },
        "The first world of a tile set takes some seconds: the server looks for a map that fits itself on all sides. "
        + "The next ones open at once.")));
  shell.stage.append(page);
  shell.signal.addEventListener("abort", () => page.remove()); // it cannot be opened
  return page;
}

/**
 * The world that a document is about: one that was made before, or a new one.
 * @param {import("../../app/shell.js").Shell} shell @param {any} state @param {any} tileset
 * @param {any[][]} [edits] that it has, and no others; without: whatever it has
 */
export async function findWorld(shell, state, tileset, edits) {
  const { signal } = shell, { worlds } = await get("/worlds?limit=500", signal), request = toRequest(state, tileset);
  const known = worlds.filter((/** @type {any} */ each) =>
    each.tileset === request.tileset && each.seed === request.seed && !each.draft);
  for (const { id } of edits?.length ? [] : known) {
    const world = await get(`/worlds/${id}`, signal);
    if (hasSettings(world, request) && !(edits && world.revision)) return world;
  }
  if (!shell.canWrite) throw new Problem(NOT_MADE);
  const world = await post("/worlds", request, signal);
  for (const cells of edits ?? []) world.revision = (await post(`/worlds/${world.id}/edits`, { cells }, signal)).revision;
  return world;
}
