/** A cube map in space, with three.js: light, the camera, and when it is drawn. */

import { UNDECIDED } from "../../board/board.js";
import { BlockGrid } from "./grid.js";
import { BlockMeshes } from "./meshes.js";
import { findHit } from "./sight.js";

const SLOW = 50, COARSE = 0.5; // milliseconds from frame to frame while one turns the map, beyond which it has fewer pixels
const SHADOWS = 120; // milliseconds from one drawing of all shadows to the next, while blocks appear
const SKIES = { // sky above and at the horizon, light of sky, ground and sun, plate below the map
  light: ["#9fc9ea", "#eef3f1", "#dfeaf7", "#8d8268", "#fff0d6", "#d9d3c4"],
  dark: ["#0b1220", "#27344a", "#8ea4cc", "#2a2c38", "#ffd9a8", "#4a5566"],
};

/** Where the camera is from the middle of the map, when all of it is shown. */
const SOUTHEAST = [0.62, 0.6, 0.78];

export class BlockScene extends BlockGrid {
  /** @param {HTMLCanvasElement} canvas @param {any} three @param {import("./models.js").Models} models */
  constructor(canvas, three, models) {
    super(canvas, models);
    this.three = three;
    this.renderer = new three.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = three.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // only when blocks have changed
    this.scene = new three.Scene();
    this.camera = new three.PerspectiveCamera(32, 1, 0.5, 2000);
    this.sky = new three.HemisphereLight(0xffffff, 0x888888, 1);
    this.sun = new three.DirectionalLight(0xffffff, 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.03;
    this.sun.shadow.radius = 4;
    this.plate = new three.Mesh(new three.BoxGeometry(1, 1, 1), new three.MeshLambertMaterial());
    this.plate.receiveShadow = true;
    const box = new three.BoxGeometry(1.02, 1.02, 1.02), veil = { depthTest: false, transparent: true };
    this.cursor = new three.Mesh(box, new three.MeshBasicMaterial({ ...veil, opacity: 0.3 }));
    this.cursor.add(new three.LineSegments(new three.EdgesGeometry(box), new three.LineBasicMaterial(veil)));
    this.cursor.visible = false;
    this.scene.add(this.sky, this.sun, this.sun.target, this.plate, this.cursor);
    this.controls = new three.OrbitControls(this.camera, canvas);
    Object.assign(this.controls, { enableDamping: false, maxPolarAngle: Math.PI / 2 - 0.02, zoomToCursor: true, zoomSpeed: 1.2 });
    this.controls.addEventListener("change", () => this.draw());
    this.controls.addEventListener("start", () => { this._turned = performance.now(); });
    this.controls.addEventListener("end", () => this._stopTurning());
    this.meshes = new BlockMeshes(three, this.scene, this);
    this._isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this._resizing = new ResizeObserver(() => this._resize());
    this._resizing.observe(canvas);
    this.showTheme();
  }

  /** Another map. @param {number[]} size x, y, z */
  open(size) {
    const isOther = size.join() !== this.size.join(), [width, height] = size;
    super.open(size);
    this.meshes.clear();
    this.plate.scale.set(width + 1, 0.3, height + 1);
    this.plate.position.set(width / 2, -0.16, height / 2);
    this._placeSun();
    if (isOther) this.fit();
    this.draw();
  }

  /** Set what a cell is. @param {number} cell @param {number} pattern or UNDECIDED */
  set(cell, pattern) {
    if (this.patterns[cell] === pattern) return;
    const isNew = this.patterns[cell] === UNDECIDED && !this._isCalm;
    this.patterns[cell] = pattern;
    this.meshes.change(cell, isNew);
    this.draw();
  }

  /** @param {import("./grid.js").Cut} cut */
  setCut(cut) {
    this.cut = cut;
    this.meshes.changeAll();
    this.draw();
  }

  /** Outline a cell; -1: none. @param {number} cell @param {boolean} [isRefused] */
  point(cell, isRefused = false) {
    this.cursor.visible = cell >= 0;
    if (cell >= 0) { const [x, y, z] = this.coordinates(cell); this.cursor.position.set(x + 0.5, z + 0.5, y + 0.5); }
    const colour = getComputedStyle(this.canvas).getPropertyValue(isRefused ? "--error" : "--accent").trim();
    this.cursor.material.color.set(colour);
    this.cursor.children[0].material.color.set(isRefused ? colour : "#ffffff");
    this.draw();
  }

  /** What a point of the page shows. @param {number} clientX @param {number} clientY @returns {import("./grid.js").Hit|null} */
  hitAt(clientX, clientY) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect(), [across, down, high] = this.models.size;
    const right = 2 * (clientX - left) / width - 1, up = 1 - 2 * (clientY - top) / height, from = this.camera.position;
    const end = new this.three.Vector3(right, up, 0.5).unproject(this.camera);
    const swap = (/** @type {any} */ { x, y, z }) => [x * across, z * down, y * high];
    return findHit(this, swap(from), swap(end.sub(from).normalize()));
  }

  /** The whole map, from the southeast and above. */
  fit() {
    const [width, height, depth] = this.size, { Vector3 } = this.three, { camera, controls: { target } } = this;
    const high = this._highest() || depth / 2;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((each) =>
      new Vector3(each & 1 ? width + 0.5 : -0.5, each & 2 ? high : 0, each & 4 ? height + 0.5 : -0.5));
    let far = 2 * (width + height);
    target.set(width / 2, high / 3, height / 2);
    for (let round = 0; round < 10; round++) { // nearer or farther, higher or lower, until it fills the canvas
      camera.position.copy(target).add(new Vector3(...SOUTHEAST).normalize().multiplyScalar(far));
      camera.lookAt(target);
      camera.updateMatrixWorld();
      const seen = corners.map((corner) => corner.clone().project(camera)), ups = seen.map(({ y }) => y);
      const top = Math.max(...ups), bottom = Math.min(...ups);
      target.y += (top + bottom) / 2 * far * 0.25;
      far *= Math.max((top - bottom) / 2, ...seen.map(({ x }) => Math.abs(x))) / 0.9;
    }
    Object.assign(this.controls, { minDistance: 3, maxDistance: far * 3 });
    this.controls.update();
    this.draw();
  }

  /** Turn around the map, and nearer or farther. @param {number} angle radians @param {number} [lift] @param {number} [factor] */
  turn(angle, lift = 0, factor = 1) {
    const { Vector3 } = this.three, { position } = this.camera, { target } = this.controls, arm = position.clone().sub(target);
    const around = Math.atan2(arm.z, arm.x) + angle, lifted = Math.atan2(arm.y, Math.hypot(arm.x, arm.z)) + lift;
    const up = Math.min(1.5, Math.max(0.03, lifted));
    const way = new Vector3(Math.cos(around) * Math.cos(up), Math.sin(up), Math.sin(around) * Math.cos(up));
    position.copy(target).add(way.multiplyScalar(arm.length() * factor));
    this.controls.update();
    this.draw();
  }

  showTheme() {
    const isDark = document.documentElement.dataset.theme === "dark";
    const [above, horizon, sky, ground, sun, plate] = SKIES[isDark ? "dark" : "light"];
    this.canvas.style.background = `linear-gradient(${above}, ${horizon})`;
    this._background = [above, horizon];
    this.sky.color.set(sky); this.sky.groundColor.set(ground); this.sun.color.set(sun);
    this.sky.intensity = isDark ? 1.8 : 2.1;
    this.sun.intensity = isDark ? 2.2 : 2.6;
    this.plate.material.color.set(plate);
    this._placeSun();
    this.draw();
  }

  /** The view as a picture. */
  takePicture() {
    const { width, height } = this.canvas, whole = new OffscreenCanvas(width, height);
    const ink = /** @type {OffscreenCanvasRenderingContext2D} */ (whole.getContext("2d"));
    const sky = ink.createLinearGradient(0, 0, 0, height), isPointing = this.cursor.visible;
    /** @type {string[]} */ (this._background).forEach((colour, index) => sky.addColorStop(index, colour));
    ink.fillStyle = sky;
    ink.fillRect(0, 0, width, height);
    this.cursor.visible = false;
    this._paint();
    ink.drawImage(this.canvas, 0, 0);
    this.cursor.visible = isPointing;
    return whole;
  }

  draw() {
    this._asked ||= requestAnimationFrame(() => this._paint());
  }

  close() {
    cancelAnimationFrame(this._asked ?? 0);
    this._asked = -1; // draws nothing any more
    this._resizing.disconnect();
    this.controls.dispose();
    this.meshes.close();
    this.renderer.dispose();
  }

  _resize() {
    const { clientWidth, clientHeight } = this.canvas, isFirst = this.camera.aspect === 1;
    if (!clientWidth || !clientHeight) return;
    this._setCoarse(false);
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    if (isFirst) this.fit();
    this._paint();
  }

  _placeSun() {
    const [width, height, depth] = this.size, reach = Math.hypot(width, height, depth) / 2 + 1;
    const middle = [width / 2, depth / 2, height / 2];
    this.sun.target.position.set(...middle);
    this.sun.position.set(middle[0] - reach * 0.55, middle[1] + reach * 1.5, middle[2] + reach * 0.95);
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1, far: 4 * reach });
    this.sun.shadow.camera.updateProjectionMatrix();
    this.renderer.shadowMap.needsUpdate = true;
  }

  _paint() {
    this._asked = 0;
    const now = performance.now();
    if (this.meshes.update(now) && (!this.meshes.isMoving || now - this._shaded > SHADOWS)) {
      this.renderer.shadowMap.needsUpdate = true;
      this._shaded = now;
    }
    if (this._turned) {
      if (now - this._turned > SLOW && !this._isCoarse) this._setCoarse(true);
      this._turned = now;
    }
    this.renderer.render(this.scene, this.camera);
    this.canvas.dataset.blocks = String(this.meshes.isMoving ? "appearing" : this.renderer.info.render.triangles);
    if (this.meshes.isMoving) this.draw();
  }

  _asked = 0;
  _turned = 0; // when it was drawn last while somebody turns it; 0: nobody does
  _isCoarse = false;
  _shaded = 0; // when shadows were drawn last

  _stopTurning() {
    this._turned = 0;
    if (this._isCoarse) { this._setCoarse(false); this.draw(); }
  }

  _setCoarse(/** @type {boolean} */ isCoarse) {
    this._isCoarse = isCoarse;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio) * (isCoarse ? COARSE : 1));
  }

  /** Layers up to the highest block. */
  _highest() {
    let cell = this.patterns.length - 1;
    while (cell >= 0 && !this.isShown(cell)) cell--;
    return cell < 0 ? 0 : this.coordinates(cell)[2] + 1;
  }
}
