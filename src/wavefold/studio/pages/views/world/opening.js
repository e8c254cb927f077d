/** Which world is opened, and what one sees until it is there. */

import { get, post, Problem } from "../../app/api.js";
import { h } from "../../parts/element.js";
import { hasSettings, toRequest } from "./request.js";

const NOT_MADE = { title: "Nobody has made this world yet",
  detail: "Your key may only read, and making it needs one that may write.",
  advice: "Open one of the worlds on the start page." };

/** A world that was deleted is made again; all else is an error. @param {any} error */
export const forgive = (error) => { if (error.status !== 404) throw error; };

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
