/** Autosave: documents in the browser's storage, so that a reload loses nothing. */

import { h } from "../parts/element.js";

const PREFIX = "wavefold:document:", MOST = 24;

/** `title` is what the view calls it, `name` what somebody has called it. */
/** @typedef {{id: string, view: string, title: string, name?: string, when: number, picture?: string, document: any}} Entry */

/** Newest first. @returns {Entry[]} */
export function listRecent() {
  const entries = [];
  for (let index = 0; index < localStorage.length; index++) {
    const key = localStorage.key(index) ?? "";
    if (!key.startsWith(PREFIX)) continue;
    try { entries.push(JSON.parse(localStorage.getItem(key) ?? "")); } catch { localStorage.removeItem(key); }
  }
  return entries.sort((one, other) => other.when - one.when);
}

/** @param {string} id @returns {Entry|null} */
export function findRecent(id) {
  try { return JSON.parse(localStorage.getItem(PREFIX + id) ?? "null"); } catch { return null; }
}

/** Store a document; the oldest make room, unless it does not fit even then. @param {Entry} entry @returns {boolean} whether it is stored */
export function saveRecent(entry) {
  const others = listRecent().filter(({ id }) => id !== entry.id), taken = /** @type {Entry[]} */ ([]);
  const whole = { name: findRecent(entry.id)?.name, ...entry };
  while (!write(whole)) {
    const oldest = others.pop();
    if (!oldest) { // nothing is lost: what was there fits
      taken.forEach(write);
      return false;
    }
    forgetRecent(oldest.id);
    taken.push(oldest);
  }
  for (const { id } of others.slice(MOST - 1)) forgetRecent(id);
  return true;
}

/** @param {Entry} entry @returns {boolean} false: there is no room */
function write(entry) {
  try {
    localStorage.setItem(PREFIX + entry.id, JSON.stringify(entry));
    return true;
  } catch { return false; }
}

/** @param {string} id */
export function forgetRecent(id) {
  localStorage.removeItem(PREFIX + id);
}

/** A new name for a document. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (each) => each.toString(16).padStart(2, "0")).join("");
}

/** A small picture of the middle of a canvas, for lists. @param {HTMLCanvasElement|OffscreenCanvas} canvas */
export function thumbnail(canvas, width = 240, height = 160) {
  if (!canvas.width || !canvas.height) return ""; // of a view that was left
  const small = h("canvas", { width, height }), scale = Math.max(width / canvas.width, height / canvas.height), ink = small.getContext("2d");
  const [across, down] = [canvas.width * scale, canvas.height * scale];
  ink.imageSmoothingEnabled = scale < 1;
  ink.imageSmoothingQuality = "high";
  ink.drawImage(canvas, (width - across) / 2, (height - down) / 2, across, down);
  return small.toDataURL("image/webp", 0.7);
}
