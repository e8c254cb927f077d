// What the studio's Blocks view uses of three.js; esbuild leaves out the rest.
export {
  BoxGeometry, BufferAttribute, BufferGeometry, DataTexture, DirectionalLight, EdgesGeometry, FrontSide, HemisphereLight, InstancedMesh,
  LinearFilter, LinearMipmapLinearFilter, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  PCFShadowMap, PerspectiveCamera, Scene, SRGBColorSpace, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
