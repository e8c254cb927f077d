// What the studio's Blocks view uses of three.js; esbuild leaves out the rest.
export {
  BoxGeometry, BufferAttribute, BufferGeometry, DirectionalLight, EdgesGeometry, FrontSide, HemisphereLight, InstancedMesh,
  LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PCFShadowMap, PerspectiveCamera, Scene,
  Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
