/** The meshes of a map of blocks: an instanced one for each pattern and set of sides that are hidden. */

import { Skin } from "./skin.js";

/** @typedef {{mesh: any, cells: number[]}} Bucket what one instanced mesh shows */

const GROWTH = 160, DROP = 0.5; // milliseconds in which a block appears, and from how high it falls

/** A texel keeps its colour but for a pixel where it meets the next: crisp from near, smooth from far away. */
const CRISP = `
  vec2 size = vec2(textureSize(map, 0)), texel = vMapUv * size, seam = floor(texel + 0.5);
  texel = seam + clamp((texel - seam) / max(fwidth(texel), 1e-4), -0.5, 0.5);
  diffuseColor *= textureGrad(map, texel / size, dFdx(vMapUv), dFdy(vMapUv));`;

export class BlockMeshes {
  /** @param {any} three @param {any} scene @param {import("./grid.js").BlockGrid} grid */
  constructor(three, scene, grid) {
    this.three = three;
    this.scene = scene;
    this.grid = grid;
    this.skin = new Skin(grid.models);
    const { texels, width, height } = this.skin, map = new three.DataTexture(texels, width, height);
    Object.assign(map, { colorSpace: three.SRGBColorSpace, generateMipmaps: true, needsUpdate: true });
    Object.assign(map, { magFilter: three.LinearFilter, minFilter: three.LinearMipmapLinearFilter });
    this.material = new three.MeshLambertMaterial({ map, shadowSide: three.FrontSide });
    this.material.onBeforeCompile = (/** @type {any} */ shader) => {
      shader.fragmentShader = shader.fragmentShader.replace("#include <map_fragment>", CRISP);
    };
    this._buckets = /** @type {Map<number, Bucket>} */ (new Map());
    this._geometries = /** @type {Map<number, any>} */ (new Map());
    this._key = new Int32Array(0); // of the bucket a cell is in; -1: none
    this._slot = new Int32Array(0);
    this._changed = /** @type {Set<number>} */ (new Set());
    this._young = /** @type {Map<number, number>} */ (new Map()); // when a block appeared
    this._matrix = new three.Matrix4();
  }

  /** Whether blocks are appearing. */
  get isMoving() { return this._young.size > 0; }

  /** Begin again, with as many cells as the grid has. */
  clear() {
    const { length } = this.grid.patterns;
    this._key = new Int32Array(length).fill(-1);
    this._slot = new Int32Array(length);
    this._changed.clear();
    this._young.clear();
    for (const { mesh } of this._buckets.values()) { this.scene.remove(mesh); mesh.dispose(); }
    this._buckets.clear();
  }

  close() {
    this.clear();
    for (const geometry of this._geometries.values()) geometry.dispose();
    this.material.map.dispose();
    this.material.dispose();
  }

  /** A cell is something else now, so others beside it may be seen. @param {number} cell @param {boolean} isNew */
  change(cell, isNew) {
    if (isNew) this._young.set(cell, performance.now());
    this._changed.add(cell);
    for (let side = 0; side < 6; side++) { const other = this.grid.beside(cell, side); if (other >= 0) this._changed.add(other); }
  }

  changeAll() {
    for (let cell = 0; cell < this.grid.patterns.length; cell++) this._changed.add(cell);
  }

  /** Bring the meshes to what the grid is at a moment. @param {number} now @returns {boolean} whether anything is different */
  update(now) {
    const isOther = this._changed.size > 0 || this.isMoving;
    for (const cell of this._changed) this._place(cell);
    this._changed.clear();
    for (const [cell, born] of this._young) {
      if (now - born > GROWTH) this._young.delete(cell);
      this._move(cell, Math.min(1, (now - born) / GROWTH));
    }
    return isOther;
  }

  /** Put a cell into the bucket of its pattern and hidden sides. */
  _place(/** @type {number} */ cell) {
    const wanted = this._wanted(cell), now = this._key[cell];
    if (wanted === now) return;
    if (now >= 0) this._take(cell, now);
    if (wanted >= 0) this._put(cell, wanted);
  }

  _wanted(/** @type {number} */ cell) {
    const { grid } = this, { models, patterns } = grid;
    if (!grid.isShown(cell)) return -1;
    let hidden = 0;
    for (let side = 0; side < 5; side++) { // nobody looks from below
      const other = grid.beside(cell, side), opposite = side < 4 ? (side + 2) % 4 : 5;
      if (other >= 0 && grid.isShown(other) && models.isFull[patterns[other]][opposite]) hidden |= 1 << side;
    }
    return hidden === 31 ? -1 : patterns[cell] * 32 + hidden;
  }

  _take(/** @type {number} */ cell, /** @type {number} */ key) {
    const { mesh, cells } = /** @type {Bucket} */ (this._buckets.get(key)), slot = this._slot[cell];
    const last = /** @type {number} */ (cells.pop());
    this._key[cell] = -1;
    mesh.count = cells.length;
    mesh.visible = cells.length > 0;
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
    bucket.mesh.visible = true;
    this._move(cell, this._young.has(cell) ? 0 : 1);
  }

  /** A mesh with room for twice as many. @returns {Bucket} */
  _grow(/** @type {number} */ key, /** @type {Bucket|undefined} */ old) {
    const room = Math.max(8, 2 * (old?.cells.length ?? 0));
    const mesh = new this.three.InstancedMesh(this._geometry(key), this.material, room);
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
    const known = this._geometries.get(key), { BufferAttribute, BufferGeometry } = this.three;
    if (known) return known;
    const { index, uv, ...faces } = this.skin.faces(key >> 5, key & 31), geometry = new BufferGeometry();
    for (const [name, values] of Object.entries(faces)) geometry.setAttribute(name, new BufferAttribute(values, 3));
    geometry.setAttribute("uv", new BufferAttribute(uv, 2));
    geometry.setIndex(new BufferAttribute(index, 1));
    this._geometries.set(key, geometry);
    return geometry;
  }

  /** Write where a block is: whole, or partly grown. */
  _move(/** @type {number} */ cell, /** @type {number} */ age) {
    const bucket = this._buckets.get(this._key[cell]);
    if (!bucket) return;
    const [x, y, z] = this.grid.coordinates(cell), grown = Math.max(1e-3, 1 - (1 - age) ** 3), margin = (1 - grown) / 2;
    this._matrix.makeScale(grown, grown, grown).setPosition(x + margin, z + DROP * (1 - grown), y + margin);
    bucket.mesh.setMatrixAt(this._slot[cell], this._matrix);
    bucket.mesh.instanceMatrix.needsUpdate = true;
  }
}
