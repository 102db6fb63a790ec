/* The networks of the page: loaded once from its folder, then run on sentences. */

/** @import { Answer, Payload } from "./types" */
/** @typedef {[Float32Array, Float32Array]} Vectors of a sentence, in the middle and the last layer */

/** Return the address of a file in the folder of the page. @param {string} name */
const beside = (name) => new URL(`live/${name}`, document.baseURI).href;

const PACKED = ".gzip";

/** Read a file, unpacked; `tell` is called with the number of bytes of each part. @param {string} name @param {(bytes: number) => void} tell */
async function read(name, tell) {
  const { ok, status, body } = await fetch(beside(name));
  if (!ok || !body) throw new Error(`${name}: ${status}`);
  const counted = new TransformStream({
    transform(part, passed) {
      tell(part.length);
      passed.enqueue(part);
    },
  });
  const arriving = body.pipeThrough(counted);
  const whole = name.endsWith(PACKED)
    ? arriving.pipeThrough(new DecompressionStream("gzip"))
    : arriving;
  return new Response(whole).arrayBuffer();
}

/**
 * Load everything; `tell` is called with the bytes that have arrived and their total. Return a
 * function that answers at least two sentences, or returns nothing if a newer question has come.
 * @param {Payload} payload
 * @param {(bytes: number, of: number) => void} tell
 * @returns {Promise<(sentences: string[], isOld: () => boolean) => Promise<Answer | undefined>>}
 */
export async function loadEngine({ files, longest }, tell) {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const total = Object.values(files).reduce((sum, bytes) => sum + bytes);
  let arrived = 0;
  const one = async (/** @type {string} */ name) => {
    const bytes = await read(name, (more) => {
      arrived += more;
      tell(arrived, total);
    });
    return [name.replace(PACKED, ""), bytes];
  };
  /** @type {Record<string, ArrayBuffer>} */
  const bytes = Object.fromEntries(await Promise.all(Object.keys(files).map(one)));
  // The worker of the site keeps them for the next visit.
  void navigator.serviceWorker?.ready.then(({ active }) =>
    active?.postMessage(Object.keys(files).map(beside)),
  );
  const ort = await import(beside("ort.wasm.bundle.min.mjs"));
  const { Tokenizer } = await import(beside("tokenizers.min.mjs"));
  // More threads need headers that a plain web server does not send.
  const wasmBinary = bytes["ort-wasm-simd-threaded.wasm"];
  Object.assign(ort.env.wasm, { numThreads: 1, wasmBinary });
  // This tokenizer reads nothing from the second argument.
  const tokenizer = new Tokenizer(await new Response(bytes["tokenizer.json"]).json(), {});
  const encoder = await ort.InferenceSession.create(bytes["encoder.onnx"]);
  const spaces = await ort.InferenceSession.create(bytes["spaces.onnx"]);

  const encode = async (/** @type {string} */ sentence) => {
    /** @type {number[]} */
    let ids = tokenizer.encode(sentence).ids;
    if (ids.length > longest) ids = [...ids.slice(0, longest - 1), ids[ids.length - 1]];
    const input_ids = new ort.Tensor("int64", BigInt64Array.from(ids, BigInt), [ids.length]);
    const { middle, last } = await encoder.run({ input_ids });
    return /** @type {Vectors} */ ([middle.data, last.data]);
  };
  /** @type {Map<string, Vectors>} */
  let known = new Map();
  return async (sentences, isOld) => {
    for (const sentence of sentences.filter((each) => !known.has(each))) {
      known.set(sentence, await encode(sentence));
      await new Promise((done) => setTimeout(done)); // lets the page handle keys meanwhile
      if (isOld()) return;
    }
    const rows = sentences.map((each) => /** @type {Vectors} */ (known.get(each)));
    known = new Map(sentences.map((sentence, row) => [sentence, rows[row]]));
    const [middle, last] = [0, 1].map((layer) => {
      const numbers = rows.flatMap((each) => Array.from(each[layer]));
      return new ort.Tensor("float32", numbers, [rows.length, numbers.length / rows.length]);
    });
    const { cosines, places } = await spaces.run({ middle, last });
    return [cosines.data, places.data];
  };
}
