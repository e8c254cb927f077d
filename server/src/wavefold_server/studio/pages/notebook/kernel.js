/** Questions to the kernel of a notebook: each message has one answer, with binary parts. */

/** @typedef {{on: Function, off: Function, send: Function, get: (name: string) => any}} Model as anywidget gives it */
/** @typedef {{answer: any, buffers: DataView[]}} Reply */

const PATIENCE = 10_000; // milliseconds

export class Kernel {
  /** @param {Model} model @param {() => void} onsilence a question has no answer after a while */
  constructor(model, onsilence) {
    this._model = model;
    this._onsilence = onsilence;
    this._count = 0;
    this._name = Math.random().toString(36).slice(2); // a widget may be shown twice: both views hear all answers
    /** @type {Map<string, (reply: Reply) => void>} */
    this._waiting = new Map();
    /** Called with answers to another view. @type {(reply: Reply) => void} */
    this.onother = () => {};
    this._take = (/** @type {any} */ answer, /** @type {DataView[]} */ buffers = []) => {
      (this._waiting.get(answer.version) ?? this.onother)({ answer, buffers });
      this._waiting.delete(answer.version);
    };
    model.on("msg:custom", this._take);
  }

  /** @param {string} command @param {Record<string, any>} [options] @returns {Promise<Reply>} */
  ask(command, options = {}) {
    const version = `${this._name} ${++this._count}`;
    try { this._model.send({ command, version, ...options }); } catch { this._onsilence(); } // there is none any more
    return new Promise((resolve) => {
      const timer = setTimeout(this._onsilence, PATIENCE);
      this._waiting.set(version, (reply) => { clearTimeout(timer); resolve(reply); });
    });
  }

  close() { this._model.off("msg:custom", this._take); }
}

/** The bytes of a binary part, on their own. @param {DataView} view @returns {ArrayBuffer} */
export const bytesOf = (view) => /** @type {ArrayBuffer} */ (view.buffer).slice(view.byteOffset, view.byteOffset + view.byteLength);
