// Calls kernels in WebAssembly: node wasm_host.mjs LIBRARY < calls > answers. See kernel_calls.py.
//
// An answer is the result of the kernel, in 64 bits, and the arrays.
import fs from "node:fs";

const WHOLE = 0, REAL = 1; // kinds of arguments; all others are structs
const BASE = 1 << 24; // where arrays begin, behind the library's own memory
const PAGE = 1 << 16;
const ALIGNMENT = 64;

const memory = new WebAssembly.Memory({ initial: BASE / PAGE, maximum: PAGE });
const library = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const { exports } = new WebAssembly.Instance(library, { env: { memory } });

function read(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const count = fs.readSync(0, bytes, at, size - at);
    if (count === 0) process.exit(0); // there are no more calls
    at += count;
  }
  return bytes;
}

function readNumber() {
  return Number(read(8).readBigInt64LE());
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(1, bytes, at);
}

function reserve(end) {
  const missing = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
  if (missing > 0) memory.grow(missing);
}

/** Write the tables of structs behind the arrays; the arguments of the call. */
function placeArguments(words, start) {
  const view = new DataView(memory.buffer);
  const given = [];
  let at = start;
  const push = (word) => view.setBigInt64((at += 8) - 8, word, true);
  for (let from = 0; from < words.length; ) {
    const kind = Number(words[from++]);
    const number = words[from++];
    if (kind === WHOLE) given.push(number);
    else if (kind === REAL) given.push(new Float64Array(new BigInt64Array([number]).buffer)[0]);
    else {
      given.push(BigInt(at));
      for (let columns = number; columns > 0n; columns--) {
        let rank = words[from++];
        push(BigInt(BASE) + words[from++]);
        for (; rank > 0n; rank--) push(words[from++]);
      }
    }
  }
  return given;
}

for (;;) {
  const name = read(readNumber()).toString();
  const head = read(8 * readNumber());
  const words = Array.from({ length: head.length / 8 }, (_, at) => head.readBigInt64LE(8 * at));
  const arrays = read(readNumber());
  const tables = BASE + Math.ceil(arrays.length / ALIGNMENT) * ALIGNMENT;
  reserve(tables + head.length);
  new Uint8Array(memory.buffer).set(arrays, BASE);
  const answer = Buffer.alloc(8);
  answer.writeBigInt64LE(BigInt(exports[`wf_${name}`](...placeArguments(words, tables))));
  write(answer);
  write(new Uint8Array(memory.buffer, BASE, arrays.length));
}
