/** A live session: commands go up as JSON, boards and events come down as binary frames (docs/guide/live.md). */

import { API, get, Problem } from "./api.js";

export const FRAME = { EVENTS: 1, BOARD: 2, ENTROPY: 3, COLOURS: 4, DOMAINS: 5 };
const WIDTHS = { 1: [4, Int32Array], 2: [3, Int32Array], 3: [1, Uint8Array], 4: [4, Uint8Array], 5: [1, Uint32Array] };
const PAUSES = [250, 500, 1000, 2000, 4000]; // milliseconds before connecting again

const LOST = { error: "Disconnected", detail: "The connection was lost." };
const FORBIDDEN = { error: "Forbidden", title: "Your key may only read", detail: "Maps are solved on the server, which needs a key that may write.", advice: "Ask whoever runs the server for one." };

/** Whether the key of this browser does not allow live sessions. */
async function isForbidden() {
  const { scope } = await get("/session").catch(() => ({ scope: "write" })); // nobody answers: it may be allowed
  if (!scope) dispatchEvent(new Event("unauthorized"));
  return scope !== "write";
}

/** @typedef {{kind: number, tag: number, count: number, rows: Int32Array|Uint8Array|Uint32Array}} Frame */

/** @param {ArrayBuffer} message @returns {Frame} */
export function decodeFrame(message) {
  const header = new DataView(message, 0, 8), kind = header.getUint8(0), count = header.getUint32(4, true);
  const [columns, Rows] = /** @type {any} */ (WIDTHS)[kind] ?? [];
  if (!Rows || header.getUint8(1) !== 1) throw new Error("The server speaks a newer protocol: reload the page.");
  return { kind, tag: header.getUint16(2, true), count, rows: new Rows(message, 8, count * columns) };
}

export class Live extends EventTarget {
  /** @param {(frame: Frame) => void} onframe */
  constructor(onframe) {
    super();
    this._onframe = onframe;
    this._version = 0;
    this._since = 0; // the version of the last `open`
    /** @type {Map<number, {command: string, resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this._waiting = new Map();
    this._failures = 0;
    this._isClosed = this._isOpen = false;
    this._open = () => {};
    this._refuse = (/** @type {Error} */ _error) => {};
    this._awaitOpening();
    this._connect();
  }

  /**
   * Send a command; its answer. Rejects with a Problem, also if its session was lost: only `open` waits for the next connection.
   * @param {string} command @param {Record<string, any>} [options]
   */
  async ask(command, options = {}) {
    if (this._failures && command !== "open") throw new Problem(LOST);
    await this._opened;
    if (this._isClosed) return new Promise(() => {}); // nobody waits for an answer any more
    const version = ++this._version;
    this._socket?.send(JSON.stringify({ command, version, ...options }));
    if (command === "open" || command === "seed") this._since = version;
    return new Promise((resolve, reject) => this._waiting.set(version, { command, resolve, reject }));
  }

  /** The command that a frame belongs to; "" if a session has begun since. @param {Frame} frame */
  nameOf(frame) {
    const version = this._version - ((this._version - frame.tag) & 0xffff);
    return version < this._since ? "" : this._waiting.get(version)?.command ?? "";
  }

  close() {
    this._isClosed = true;
    this._socket?.close();
  }

  _connect() {
    const url = new URL(`${API}/live`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = (this._socket = new WebSocket(url, ["wavefold"]));
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      const isAgain = this._failures > 0;
      this._failures = 0;
      this._isOpen = true;
      this._open();
      if (isAgain) this.dispatchEvent(new Event("again"));
    });
    socket.addEventListener("message", ({ data }) => (typeof data === "string" ? this._answer(JSON.parse(data)) : this._onframe(decodeFrame(data))));
    socket.addEventListener("close", () => this._reconnect());
  }

  _answer(/** @type {any} */ answer) {
    const waiting = this._waiting.get(answer.version);
    this._waiting.delete(answer.version);
    if (!waiting) return;
    if (answer.problem) waiting.reject(Object.assign(new Problem(answer.problem), { answer }));
    else waiting.resolve(answer);
  }

  _awaitOpening() {
    this._isOpen = false;
    this._opened = new Promise((resolve, reject) => { this._open = () => resolve(null); this._refuse = reject; });
    this._opened.catch(() => {}); // nobody may be waiting
  }

  async _reconnect() {
    for (const { reject } of this._waiting.values()) reject(new Problem(LOST));
    this._waiting.clear();
    if (this._isClosed) return;
    const failures = this._failures++;
    if (this._isOpen) this._awaitOpening();
    else if (await isForbidden()) { // browsers do not say why a socket was refused
      this.close();
      return this._refuse(new Problem(FORBIDDEN));
    }
    if (this._isClosed) return;
    this.dispatchEvent(new Event("lost"));
    setTimeout(() => this._isClosed || this._connect(), PAUSES[Math.min(failures, PAUSES.length - 1)]);
  }
}
