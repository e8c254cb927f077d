/** The service over HTTP. Errors are problem documents; here they become exceptions with what to do. */

export const API = "/api/v1";

/** "no such tile" is "No such tile." on a page. @param {string} text */
const toSentence = (text) => text && text[0].toUpperCase() + text.slice(1) + (/[.!?:…]$/.test(text) ? "" : ".");

export class Problem extends Error {
  /** @param {{detail?: string, title?: string, error?: string, advice?: string, status?: number}} document */
  constructor(document) {
    super(toSentence(document.detail ?? document.title ?? "the server did not answer as expected"));
    this.name = document.error ?? "Problem";
    this.advice = toSentence(document.advice ?? "");
    this.status = document.status ?? 0;
    this.document = document;
  }
}

/** @param {string} path below /api/v1 @param {RequestInit} [options] @returns {Promise<Response>} */
export async function request(path, options = {}) {
  let answer;
  try {
    answer = await fetch(API + path, options);
  } catch (error) {
    if (/** @type {any} */ (error).name === "AbortError") throw error;
    throw new Problem({ error: "Offline", detail: "The server cannot be reached.", advice: "Is `wavefold studio` still running?" });
  }
  if (answer.ok) return answer;
  const document = await answer.json().catch(() => ({ detail: `${answer.status} ${answer.statusText}`, status: answer.status }));
  if (answer.status === 401 && path !== "/session") dispatchEvent(new Event("unauthorized"));
  throw new Problem(document);
}

/** @param {string} path @param {AbortSignal} [signal] */
export const get = async (path, signal) => (await request(path, { signal })).json();

/** @param {string} path @param {any} body @param {AbortSignal} [signal] */
export const post = async (path, body, signal) =>
  (await request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal })).json();

/** Ask again while the server is too busy. @param {() => Promise<any>} ask @returns {Promise<any>} */
export async function insist(ask, times = 5) {
  try { return await ask(); } catch (error) {
    const { status, document } = /** @type {any} */ (error);
    if (!times || !(status === 503 || document?.limit === "quick_seconds")) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return insist(ask, times - 1);
  }
}

/** What is being deleted. */
let removals = /** @type {Promise<any>} */ (Promise.resolve());

/** Also while the page is being closed. @param {string} path */
export function remove(path) {
  const done = request(path, { method: "DELETE", keepalive: true });
  removals = Promise.allSettled([removals, done]);
  return done;
}

/** Until nothing is being deleted: what is listed then, is there. */
export const settleRemovals = () => removals;

/** A picture, decoded. @param {string} url as the service gives it @param {AbortSignal} [signal] */
export const picture = async (url, signal) => createImageBitmap(await (await request(url.slice(url.indexOf(API) + API.length), { signal })).blob());
