/** Whether this browser may come in. A server with keys asks for one; it becomes a cookie that no script can read. */

import { button } from "../parts/controls.js";
import { h } from "../parts/element.js";
import { openMenu } from "../parts/menu.js";
import { get, post, remove } from "./api.js";
import { forgetRecent, listRecent } from "./recent.js";

/** @typedef {import("./shell.js").Shell} Shell */
/** @type {Promise<void>|null} */
let asking = null;

/** Find out what this browser may do; ask for a key if it has none, then open the view again. @param {Shell} shell @param {() => void} again */
export function signIn(shell, again) {
  shell.session = asking ??= enter(shell, again).finally(() => { asking = null; });
}

/** @param {Shell} shell @param {() => void} again */
async function enter(shell, again) {
  const session = await get("/session").catch(() => ({ required: false, scope: "write" })); // the view says that nobody answers
  const scope = session.scope ?? (await askForKey());
  shell.canWrite = scope === "write";
  if (session.required) shell.offerSignOut((anchor) => signOut(shell, anchor, again));
  if (!session.scope) again();
}

/**
 * Recent work is in this browser, where whoever uses it next can see it: ask what becomes of it.
 * @param {Shell} shell @param {HTMLElement} anchor @param {() => void} again opens the view, if that fails
 */
function signOut(shell, anchor, again) {
  const leave = async (hasToForget = false) => {
    shell.close(); // which saves
    try { await remove("/session"); } catch (error) {
      const { message, advice } = /** @type {any} */ (error);
      again();
      return shell.showCard("error", "You are still signed in", `${message} ${advice}`, [], "notice");
    }
    if (hasToForget) for (const { id } of listRecent()) forgetRecent(id);
    sessionStorage.clear();
    location.reload();
  };
  if (!listRecent().length) return leave();
  openMenu(anchor, "Sign out", [
    { text: "Sign out", note: "recent work stays in this browser", run: () => leave() },
    { text: "Sign out and remove recent work", note: "on a shared computer", run: () => leave(true) },
  ]);
}

/** Over everything else: nothing works without a key. @returns {Promise<string>} what it allows */
function askForKey() {
  return new Promise((resolve) => {
    const field = h("input", { type: "password", autocomplete: "current-password", required: true, placeholder: "wf_…" });
    const fault = h("p", { role: "alert", class: "fault" }), send = button("Open the studio", () => form.requestSubmit(), { kind: "main" });
    const form = h("form", { class: "key-form" }, h("h2", {}, "This server asks for a key"),
      h("p", { class: "quiet" }, "Whoever runs it gives you one; it is made with “wavefold keys create”. It stays in this browser until you close it."),
      h("label", { class: "field" }, h("span", {}, "API key"), field), fault, send);
    form.addEventListener("submit", async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        const { scope } = await post("/session", { key: field.value.trim() });
        isKnown = true;
        page.close();
        resolve(scope);
      } catch (error) {
        const { status, message } = /** @type {any} */ (error);
        fault.textContent = status === 401 || status === 422 ? "This is not a key of this server. Is it complete, and not revoked?" : message;
        field.select();
      }
    });
    let isKnown = false;
    const page = h("dialog", { class: "key-page", "aria-label": "Key", onclose: () => (isKnown ? page.remove() : page.showModal()) }, form);
    document.body.append(page);
    page.showModal();
    field.focus();
  });
}
