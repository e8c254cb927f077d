/** The studio begins here: find the view that the address names, and open it. */

import { Problem } from "./app/api.js";
import { listenToDrops } from "./app/files.js";
import { listenToKeys, setShortcuts, showKeys } from "./app/keyboard.js";
import { signIn } from "./app/session.js";
import { takeChanges } from "./app/share.js";
import { Shell } from "./app/shell.js";
import { button } from "./parts/controls.js";
import { h } from "./parts/element.js";

/**
 * A view: `open` builds it in the shell; it ends with the signal of the shell.
 * @typedef {{open: (shell: Shell, address: URLSearchParams) => Promise<void>}} View
 */

const VIEWS = [ // `writes`: what it is for needs a key that may write
  { name: "start", title: "Start" },
  { name: "picture", title: "Picture", writes: true },
  { name: "tiles", title: "Tiles", writes: true },
  { name: "map", title: "Map", writes: true },
  { name: "world", title: "World" },
  { name: "patchwork", title: "Patchwork", writes: true },
  { name: "blocks", title: "Blocks", writes: true },
];

const READ_ONLY = { title: "Your key may only read", detail: "What one makes here needs a key that may write.",
  advice: "With yours you can look at the worlds of this server: they are on the start page." };

const STYLES = ["panels", "patchwork", "world", "map", "blocks", "tiles", "picture"]; // which the start does not need

/** @param {string} href @param {Record<string, any>} about */
const link = (href, about) => document.head.appendChild(h("link", { href, ...about }));

/** Load the styles of all views, in this order. */
const styles = Promise.all(STYLES.map((name) => new Promise((resolve) =>
  link(new URL(`css/${name}.css`, import.meta.url).href, { rel: "stylesheet", onload: resolve, onerror: resolve }))));

/** Ask for all modules of a view at once. The server has listed them in the page. @param {string} name */
const preload = (name) => (modules[name] ?? []).splice(0).forEach((/** @type {string} */ href) => link(href, { rel: "modulepreload" }));
const modules = JSON.parse(document.querySelector("#modules")?.textContent ?? "{}");

const shell = new Shell();

/** Open the view in the address: #/map?tileset=castle */
async function navigate() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const known = VIEWS.find(({ name }) => name === path), view = known ?? VIEWS[0];
  const frame = shell.open(view.name, view.title), { signal } = frame;
  setShortcuts([]);
  try {
    preload(view.name);
    const needed = [import(`./views/${view.name}.js`), view.name === "start" || styles, view.writes && shell.session];
    const [module] = /** @type {[View, ...any]} */ (await Promise.all(needed));
    signal.throwIfAborted(); // another view was asked for meanwhile
    if (view.writes && !shell.canWrite) throw new Problem(READ_ONLY);
    if (known) shell.rememberAddress(location.hash);
    await module.open(frame, new URLSearchParams(query));
    signal.throwIfAborted();
    if (frame.stage.querySelector(".page")) frame.finishOpening(); // a canvas is empty until the view says what it shows
    if (path && !known) frame.showCard("warn", "There is no such view",
      `The address names “${path}”. All views are in the list at the edge of the page.`, [], "notice");
    const changes = takeChanges();
    if (changes.length) frame.showCard("warn", "This may look different", changes.join(" "), [], "notice");
  } catch (error) {
    const { message, advice = "", status, document } = /** @type {any} */ (error), plain = `#/${view.name}`;
    if (signal.aborted || status === 401) return; // somewhere else by now, or a key is being asked for
    frame.close();
    shell.rememberAddress(plain);
    const again = query ? button(`Open ${view.title} without it`, () => location.assign(plain), { kind: "main" })
      : button("Try again", navigate, { kind: "main" });
    frame.showCard("error", document?.title ?? "This view cannot be opened", `${message} ${advice}`,
      [again, button("Back to Start", () => location.assign("#/start"))]);
    if (!(error instanceof Problem)) throw error;
  }
}

shell.showViews(VIEWS, showKeys);
listenToKeys();
listenToDrops(shell);
addEventListener("hashchange", navigate);
addEventListener("unauthorized", () => signIn(shell, navigate));
signIn(shell, navigate);
navigate();
