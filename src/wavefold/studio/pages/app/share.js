/** A document as text in a link: deflated JSON in base64url. Beyond 8 kB it becomes a file instead. */

export const LONGEST_LINK = 8_192;
const LONGEST_DOCUMENT = 4 << 20; // bytes after inflating: a link may be hostile

/** @param {any} document @returns {Promise<string>} */
export async function encodeDocument(document) {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const packed = await drain(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")), LONGEST_DOCUMENT);
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Inverse of `encodeDocument`. Throws on anything else. @param {string} text @returns {Promise<any>} */
export async function decodeDocument(text) {
  try {
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(new TextDecoder().decode(await drain(stream, LONGEST_DOCUMENT)));
  } catch {
    throw new Error("This link is damaged or incomplete: copy it again, whole.");
  }
}

/** @param {ReadableStream<Uint8Array>} stream @param {number} most bytes @returns {Promise<Uint8Array>} */
async function drain(stream, most) {
  const parts = [];
  let length = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > most) throw new Error("too long");
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
}

/** Save bytes or text as a file of the user's. @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
