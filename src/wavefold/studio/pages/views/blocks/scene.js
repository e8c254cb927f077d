/** A cube map in space, with three.js: one instanced mesh for each pattern and set of sides that are seen. */

import { UNDECIDED } from "../../board/board.js";
import { BlockGrid, SIDES } from "./grid.js";

/** @typedef {{mesh: any, cells: number[]}} Bucket what one instanced mesh shows */

const GROWTH = 160, DROP = 0.5; // milliseconds in which a block appears, and from how high it falls
const SKIES = { // sky above and at the horizon, light of sky, ground and sun, plate below the map
  light: ["#9fc9ea", "#eef3f1", "#dfeaf7", "#8d8268", "#fff0d6", "#d9d3c4"],
  dark: ["#0b1220", "#27344a", "#8ea4cc", "#2a2c38", "#ffd9a8", "#4a5566"],
};

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
    this.material = new three.MeshLambertMaterial({ vertexColors: true, shadowSide: three.FrontSide });
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
    this._buckets = /** @type {Map<number, Bucket>} */ (new Map());
    this._geometries = /** @type {Map<number, any>} */ (new Map());
    this._key = new Int32Array(0); // of the bucket a cell is in; -1: none
    this._slot = new Int32Array(0);
    this._changed = /** @type {Set<number>} */ (new Set());
    this._young = /** @type {Map<number, number>} */ (new Map()); // when a block appeared
    this._isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this._matrix = new three.Matrix4();
    this._resizing = new ResizeObserver(() => this._resize());
    this._resizing.observe(canvas);
    this.showTheme();
  }

  /** Another map. @param {number[]} size x, y, z */
  open(size) {
    const isOther = size.join() !== this.size.join(), [width, height] = size;
    super.open(size);
    this._key = new Int32Array(this.patterns.length).fill(-1);
    this._slot = new Int32Array(this.patterns.length);
    this._changed.clear();
    this._young.clear();
    for (const { mesh } of this._buckets.values()) { this.scene.remove(mesh); mesh.dispose(); }
    this._buckets.clear();
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
    if (isNew) this._young.set(cell, performance.now());
    this._changed.add(cell);
    for (let side = 0; side < 6; side++) { const other = this.beside(cell, side); if (other >= 0) this._changed.add(other); }
    this.draw();
  }

  /** @param {import("./grid.js").Cut} cut */
  setCut(cut) {
    this.cut = cut;
    for (let cell = 0; cell < this.patterns.length; cell++) this._changed.add(cell);
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

  /** What a point of the page shows: walks along the line of sight, voxel by voxel. @param {number} clientX @param {number} clientY @returns {import("./grid.js").Hit|null} */
  hitAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect(), { Vector3 } = this.three;
    const end = new Vector3(2 * (clientX - box.left) / box.width - 1, 1 - 2 * (clientY - box.top) / box.height, 0.5).unproject(this.camera);
    const from = this.camera.position, fine = this.models.size, swap = (/** @type {any} */ { x, y, z }) => [x * fine[0], z * fine[1], y * fine[2]];
    return this._walk(swap(from), swap(end.sub(from).normalize()));
  }

  /** The whole map, from the southeast and above. */
  fit() {
    const [width, height, depth] = this.size, { Vector3 } = this.three, high = this._highest() || depth / 2, { camera, controls: { target } } = this;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((each) => new Vector3(each & 1 ? width + 0.5 : -0.5, each & 2 ? high : 0, each & 4 ? height + 0.5 : -0.5));
    let far = 2 * (width + height);
    target.set(width / 2, high / 3, height / 2);
    for (let round = 0; round < 10; round++) { // nearer or farther, higher or lower, until it fills the canvas
      camera.position.copy(target).add(new Vector3(0.62, 0.6, 0.78).normalize().multiplyScalar(far));
      camera.lookAt(target);
      camera.updateMatrixWorld();
      const seen = corners.map((corner) => corner.clone().project(camera)), ups = seen.map(({ y }) => y), top = Math.max(...ups), bottom = Math.min(...ups);
      target.y += (top + bottom) / 2 * far * 0.25;
      far *= Math.max((top - bottom) / 2, ...seen.map(({ x }) => Math.abs(x))) / 0.9;
    }
    Object.assign(this.controls, { minDistance: 3, maxDistance: far * 3 });
    this.controls.update();
    this.draw();
  }

  /** Turn around the map, and nearer or farther. @param {number} angle radians @param {number} [lift] @param {number} [factor] */
  turn(angle, lift = 0, factor = 1) {
    const { Vector3 } = this.three, arm = this.camera.position.clone().sub(this.controls.target), flat = Math.hypot(arm.x, arm.z);
    const length = arm.length() * factor, up = Math.min(1.5, Math.max(0.03, Math.atan2(arm.y, flat) + lift)), around = Math.atan2(arm.z, arm.x) + angle;
    this.camera.position.copy(this.controls.target).add(new Vector3(Math.cos(around) * Math.cos(up), Math.sin(up), Math.sin(around) * Math.cos(up)).multiplyScalar(length));
    this.controls.update();
    this.draw();
  }

  showTheme() {
    const isDark = document.documentElement.dataset.theme === "dark", [above, horizon, sky, ground, sun, plate] = SKIES[isDark ? "dark" : "light"];
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
    const { width, height } = this.canvas, whole = new OffscreenCanvas(width, height), ink = /** @type {OffscreenCanvasRenderingContext2D} */ (whole.getContext("2d"));
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
    this.renderer.dispose();
  }

  _resize() {
    const { clientWidth, clientHeight } = this.canvas, isFirst = this.camera.aspect === 1;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    if (isFirst) this.fit();
    this._paint();
  }

  _placeSun() {
    const [width, height, depth] = this.size, reach = Math.hypot(width, height, depth) / 2 + 1, middle = [width / 2, depth / 2, height / 2];
    this.sun.target.position.set(...middle);
    this.sun.position.set(middle[0] - reach * 0.55, middle[1] + reach * 1.5, middle[2] + reach * 0.95);
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1, far: 4 * reach });
    this.sun.shadow.camera.updateProjectionMatrix();
    this.renderer.shadowMap.needsUpdate = true;
  }

  _paint() {
    this._asked = 0;
    const started = performance.now();
    if (this._changed.size || this._young.size) this.renderer.shadowMap.needsUpdate = true;
    for (const cell of this._changed) this._place(cell);
    this._changed.clear();
    for (const [cell, born] of this._young) {
      if (started - born > GROWTH) this._young.delete(cell);
      this._move(cell, Math.min(1, (started - born) / GROWTH));
    }
    this.renderer.render(this.scene, this.camera);
    this.canvas.dataset.blocks = String(this._young.size ? "appearing" : this.renderer.info.render.triangles);
    this.onframe?.(performance.now() - started);
    if (this._young.size) this.draw();
  }

  onframe = /** @type {((milliseconds: number) => void)|null} */ (null);
  _asked = 0;

  /** Put a cell into the bucket of its pattern and hidden sides. */
  _place(/** @type {number} */ cell) {
    const wanted = this._wanted(cell), now = this._key[cell];
    if (wanted === now) return;
    if (now >= 0) this._take(cell, now);
    if (wanted >= 0) this._put(cell, wanted);
  }

  /** Layers up to the highest block. */
  _highest() {
    let cell = this.patterns.length - 1;
    while (cell >= 0 && !this.isShown(cell)) cell--;
    return cell < 0 ? 0 : this.coordinates(cell)[2] + 1;
  }

  _wanted(/** @type {number} */ cell) {
    const pattern = this.patterns[cell];
    if (!this.isShown(cell)) return -1;
    let hidden = 0;
    for (let side = 0; side < 6; side++) {
      const other = this.beside(cell, side), opposite = side < 4 ? (side + 2) % 4 : 9 - side;
      if (other >= 0 && this.isShown(other) && this.models.isFull[this.patterns[other]][opposite]) hidden |= 1 << side;
    }
    if ((hidden & 31) === 31) return -1; // nobody sees it from below
    return pattern * 32 + (hidden & 31);
  }

  _take(/** @type {number} */ cell, /** @type {number} */ key) {
    const { mesh, cells } = /** @type {Bucket} */ (this._buckets.get(key)), last = /** @type {number} */ (cells.pop()), slot = this._slot[cell];
    this._key[cell] = -1;
    mesh.count = cells.length;
    if (last === cell) return;
    cells[slot] = last;
    this._slot[last] = slot;
    this._move(last, 1);
  }

  _put(/** @type {number} */ cell, /** @type {number} */ key) {
    let bucket = this._buckets.get(key);
    if (!bucket || bucket.cells.length === bucket.mesh.instanceMatrix.count) bucket = this._grow(key, bucket);
    this._key[cell] = key;
    this._slot[cell] = bucket.cells.push(cell) - 1;
    bucket.mesh.count = bucket.cells.length;
    this._move(cell, this._young.has(cell) ? 0 : 1);
  }

  /** A mesh with room for twice as many. @returns {Bucket} */
  _grow(/** @type {number} */ key, /** @type {Bucket|undefined} */ old) {
    const three = this.three, room = Math.max(8, 2 * (old?.cells.length ?? 0)), mesh = new three.InstancedMesh(this._geometry(key), this.material, room);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    if (old) {
      mesh.instanceMatrix.array.set(old.mesh.instanceMatrix.array);
      this.scene.remove(old.mesh);
      old.mesh.dispose();
    }
    const bucket = { mesh, cells: old?.cells ?? [] };
    this.scene.add(mesh);
    this._buckets.set(key, bucket);
    return bucket;
  }

  _geometry(/** @type {number} */ key) {
    const known = this._geometries.get(key), three = this.three;
    if (known) return known;
    const { index, ...faces } = this.models.faces(key >> 5, key & 31), geometry = new three.BufferGeometry();
    for (const [name, values] of Object.entries(faces)) geometry.setAttribute(name, new three.BufferAttribute(values, 3));
    geometry.setIndex(new three.BufferAttribute(index, 1));
    this._geometries.set(key, geometry);
    return geometry;
  }

  /** Write where a block is: whole, or partly grown. */
  _move(/** @type {number} */ cell, /** @type {number} */ age) {
    const bucket = this._buckets.get(this._key[cell]);
    if (!bucket) return;
    const [x, y, z] = this.coordinates(cell), grown = 1 - (1 - age) ** 3, margin = (1 - grown) / 2;
    this._matrix.makeScale(grown || 1e-3, grown || 1e-3, grown || 1e-3).setPosition(x + margin, z + DROP * (1 - grown), y + margin);
    bucket.mesh.setMatrixAt(this._slot[cell], this._matrix);
    bucket.mesh.instanceMatrix.needsUpdate = true;
  }

  /** The first voxel on a line, in voxels of the map. @returns {import("./grid.js").Hit|null} */
  _walk(/** @type {number[]} */ from, /** @type {number[]} */ way) {
    const fine = this.models.size, ends = this.size.map((each, axis) => each * fine[axis]);
    let enters = 0, leaves = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const [one, other] = [-from[axis] / way[axis], (ends[axis] - from[axis]) / way[axis]].sort((a, b) => a - b);
      enters = Math.max(enters, one);
      leaves = Math.min(leaves, other);
    }
    if (enters >= leaves) return null;
    const at = from.map((each, axis) => Math.min(ends[axis] - 1, Math.max(0, Math.floor(each + (enters + 1e-6) * way[axis]))));
    const next = at.map((each, axis) => (each + (way[axis] > 0 ? 1 : 0) - from[axis]) / way[axis]);
    let axis = 2;
    for (;;) {
      const [x, y, z] = at.map((each, index) => Math.floor(each / fine[index])), cell = (z * this.size[1] + y) * this.size[0] + x;
      if (this.isShown(cell) && this.models.at(this.patterns[cell], at[0] % fine[0], at[1] % fine[1], at[2] % fine[2]) >= 0)
        return { cell, side: SIDES.findIndex((side) => side[axis] === -Math.sign(way[axis])) };
      axis = next.indexOf(Math.min(...next));
      at[axis] += Math.sign(way[axis]);
      next[axis] += 1 / Math.abs(way[axis]);
      if (at[axis] < 0 || at[axis] >= ends[axis]) return null;
    }
  }
}
