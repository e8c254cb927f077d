// Builds server/src/wavefold_server/studio/pages/three.bundle.js, the only file of the studio that is not written by hand.
import { readFileSync } from "node:fs";
import { build } from "esbuild"; // finds the program of this platform by itself: no install script is needed

const here = new URL(".", import.meta.url).pathname;
const licence = readFileSync(`${here}node_modules/three/LICENSE`, "utf8");
await build({
  entryPoints: [`${here}three.js`], bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none",
  outfile: `${here}../../server/src/wavefold_server/studio/pages/three.bundle.js`, logLevel: "info",
  banner: { js: `/*! three.js, as wavefold's studio uses it. https://threejs.org\n\n${licence}*/` },
});
