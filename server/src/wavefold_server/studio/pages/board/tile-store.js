/** Pictures of map tiles, loaded nearest first; loading ends when nobody looks at them any more. */

const AT_ONCE = 4, MOST_KEPT = 500, PAUSE = 1_000; // tiles, tiles, milliseconds

/** @typedef {{image: ImageBitmap, used: number, isStale: boolean, kind: string}} Kept */
/** @typedef {{key: string, z: number, x: number, y: number}} Wanted */

export class TileStore extends EventTarget {
  /**
   * Tells "change" when there is another picture, "tile" how long it took, "fault" when there is none.
   * @param {(z: number, x: number, y: number, before?: Kept) => string} address
   */
  constructor(address) {
    super();
    this.address = address;
    /** @type {Map<string, Kept>} */
    this._kept = new Map();
    /** @type {Map<string, AbortController>} */
    this._loading = new Map();
    this._clock = 0;
    this._pausedUntil = 0;
  }

  /** A tile that is shown now. @param {number} z @param {number} x @param {number} y */
  find(z, x, y) {
    const kept = this._kept.get(`${z}/${x}/${y}`);
    if (kept) kept.used = this._clock;
    return kept;
  }

  /** Load what is missing, the first ones first; what is not wanted is cancelled. @param {Wanted[]} wanted */
  load(wanted) {
    this._clock++;
    const missing = wanted.filter(({ key }) => this._kept.get(key)?.isStale !== false);
    const keys = new Set(missing.map(({ key }) => key));
    for (const [key, loading] of this._loading) if (!keys.has(key)) { loading.abort(); this._loading.delete(key); }
    if (performance.now() < this._pausedUntil) return;
    for (const each of missing) {
      if (this._loading.size >= AT_ONCE) break;
      if (!this._loading.has(each.key)) this._fetch(each);
    }
    if (this._kept.size > MOST_KEPT) this._drop();
  }

  /**
   * Those that a test names are loaded again; the old ones are shown meanwhile.
   * @param {(z: number, x: number, y: number) => boolean} touches
   */
  invalidate(touches) {
    for (const [key, kept] of this._kept) {
      const [z, x, y] = key.split("/").map(Number);
      if (!touches(z, x, y)) continue;
      kept.isStale = true;
      this._loading.get(key)?.abort();
      this._loading.delete(key);
    }
    this._tell("change");
  }

  /**
   * A tile, and how exact it is.
   * @param {Wanted} wanted @param {AbortSignal} signal @returns {Promise<{kind: string, blob: Blob}>}
   */
  async read({ key, z, x, y }, signal) {
    const answer = await fetch(this.address(z, x, y, this._kept.get(key)), { signal });
    if (!answer.ok) throw Object.assign(new Error(), { status: answer.status });
    return { kind: answer.headers.get("x-wavefold-tile") ?? "exact", blob: await answer.blob() };
  }

  close() {
    for (const each of this._loading.values()) each.abort();
    for (const { image } of this._kept.values()) image.close();
    this._kept.clear();
  }

  async _fetch(/** @type {Wanted} */ { key, z, x, y }) {
    const loading = new AbortController(), started = performance.now();
    this._loading.set(key, loading);
    try {
      const { kind, blob } = await this.read({ key, z, x, y }, loading.signal), image = await createImageBitmap(blob);
      if (loading.signal.aborted) return image.close();
      this._kept.get(key)?.image.close();
      const isStale = kind !== "exact" && z > -2; // what is provisional is asked for again
      this._kept.set(key, { image, used: this._clock, isStale, kind });
      this._tell("tile", { milliseconds: performance.now() - started, kind });
    } catch (error) {
      if (loading.signal.aborted) return;
      this._pausedUntil = performance.now() + PAUSE; // the server is busy or gone
      setTimeout(() => this._tell("change"), PAUSE + 10);
      this._tell("fault", /** @type {any} */ (error).status ?? 0);
    } finally {
      if (this._loading.get(key) === loading) this._loading.delete(key);
      this._tell("change");
    }
  }

  _tell(/** @type {string} */ name, /** @type {any} */ detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Forget tiles that were not seen for longest. */
  _drop() {
    const oldest = [...this._kept].sort(([, one], [, other]) => one.used - other.used).slice(0, this._kept.size - MOST_KEPT + 50);
    for (const [key, kept] of oldest) { kept.image.close(); this._kept.delete(key); }
  }
}
