/** Where on the map the canvas looks: a scale in device pixels per map unit, and the map point at its top left. */

const STEPS = [1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 1, 2, 3, 4, 6, 8, 12, 16]; // times the natural size: crisp pixels

export class Camera {
  /**
   * @param {number} natural device pixels per map unit at which pictures have their own size
   * @param {number} smallest @param {number} largest scales, in times the natural one
   */
  constructor(natural = 1, smallest = STEPS[0], largest = STEPS[STEPS.length - 1]) {
    this.natural = natural;
    this.smallest = smallest;
    this.largest = largest;
    this.scale = natural;
    this.x = 0;
    this.y = 0;
  }

  /** Map point under a device pixel. @param {number} px @param {number} py @returns {[number, number]} */
  toMap(px, py) {
    return [this.x + px / this.scale, this.y + py / this.scale];
  }

  /** Device pixel of a map point. @param {number} x @param {number} y @returns {[number, number]} */
  toScreen(x, y) {
    return [Math.round((x - this.x) * this.scale), Math.round((y - this.y) * this.scale)];
  }

  /** Move by device pixels. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  /** Change the scale so that the map point under a device pixel stays there. */
  zoomTo(/** @type {number} */ scale, /** @type {number} */ px, /** @type {number} */ py) {
    const [x, y] = this.toMap(px, py);
    this.scale = Math.min(Math.max(scale, this.natural * this.smallest), this.natural * this.largest);
    this.x = x - px / this.scale;
    this.y = y - py / this.scale;
  }

  /** The next step in or out, at a device pixel. @param {number} direction 1: in, -1: out */
  step(direction, /** @type {number} */ px, /** @type {number} */ py) {
    const now = this.scale / this.natural;
    const next = direction > 0 ? STEPS.find((each) => each > now * 1.01) : STEPS.findLast((each) => each < now / 1.01);
    this.zoomTo(this.natural * (next ?? now), px, py);
  }

  /** Show a rectangle of the map, whole and in the middle, at the largest step that fits. */
  fit(/** @type {{x: number, y: number, width: number, height: number}} */ box, /** @type {number} */ width,
      /** @type {number} */ height, margin = 24) {
    if (!(width > 0 && height > 0)) return; // a canvas without room
    const edge = 2 * Math.min(margin, width / 8, height / 8), room = Math.min((width - edge) / box.width, (height - edge) / box.height);
    const whole = STEPS.findLast((each) => each * this.natural <= room);
    // Pixels are only crisp at their own size and above: smaller ones fill the room that there is.
    this.scale = whole !== undefined && whole >= 1 ? whole * this.natural : room;
    this.x = box.x + box.width / 2 - width / 2 / this.scale;
    this.y = box.y + box.height / 2 - height / 2 / this.scale;
  }
}
