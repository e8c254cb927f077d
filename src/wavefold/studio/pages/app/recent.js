/** Autosave: documents in the browser's storage, so that a reload loses nothing. */

const PREFIX = "wavefold:document:", MOST = 24;

/** @typedef {{id: string, view: string, title: string, when: number, picture?: string, document: any}} Entry */

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

/** Store a document; the oldest make room. @param {Entry} entry */
export function saveRecent(entry) {
  const others = listRecent().filter(({ id }) => id !== entry.id);
  for (const old of others.slice(MOST - 1)) localStorage.removeItem(PREFIX + old.id);
  for (;;) {
    try {
      localStorage.setItem(PREFIX + entry.id, JSON.stringify(entry));
      return true;
    } catch { // full: forget the oldest, and try again
      const oldest = others.pop();
      if (!oldest) return false;
      localStorage.removeItem(PREFIX + oldest.id);
    }
  }
}

/** @param {string} id */
export function forgetRecent(id) {
  localStorage.removeItem(PREFIX + id);
}

/** A new name for a document. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (each) => each.toString(16).padStart(2, "0")).join("");
}

/** A small picture of a canvas, for the list. @param {HTMLCanvasElement} canvas */
export function thumbnail(canvas) {
  if (!canvas.width || !canvas.height) return ""; // of a view that was left
  const small = document.createElement("canvas"), scale = Math.max(240 / canvas.width, 160 / canvas.height), ink = small.getContext("2d");
  [small.width, small.height] = [240, 160];
  ink?.drawImage(canvas, 120 - (canvas.width * scale) / 2, 80 - (canvas.height * scale) / 2, canvas.width * scale, canvas.height * scale);
  return small.toDataURL("image/webp", 0.7);
}
