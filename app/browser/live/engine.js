/* The networks of the page: loaded once from beside it, then asked for the answer to sentences. */

/** @import { Answer, Payload } from "./types" */

/** @typedef {[Float32Array, Float32Array]} Vectors of a sentence, in the middle and the last layer */

const FOLDER = "live";
const KEPT = 1_000;

/** Return a file beside the page. @param {string} name */
const beside = (name) => new URL(`${FOLDER}/${name}`, document.baseURI).href;

/**
 * Read files and tell how many bytes have arrived.
 * @param {string[]} names
 * @param {(bytes: number) => void} tell
 * @returns {Promise<Uint8Array<ArrayBuffer>[]>}
 */
async function readAll(names, tell) {
  let arrived = 0;
  return Promise.all(
    names.map(async (name) => {
      const answer = await fetch(beside(name));
      if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status}`);
      const parts = [];
      const reader = answer.body.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        parts.push(part.value);
        arrived += part.value.length;
        tell(arrived);
      }
      return new Uint8Array(await new Blob(parts).arrayBuffer());
    }),
  );
}

/** Encodes a sentence once, and compares all that are asked for. */
export class Engine {
  /** @type {Map<string, Vectors>} */
  #kept = new Map();

  /** @param {any} ort @param {any} tokenizer @param {any} encoder @param {any} spaces @param {number} longest */
  constructor(ort, tokenizer, encoder, spaces, longest) {
    this.ort = ort;
    this.tokenizer = tokenizer;
    this.encoder = encoder;
    this.spaces = spaces;
    this.longest = longest;
  }

  /**
   * Load everything; `tell` hears how many of how many bytes have arrived.
   * @param {Payload} payload
   * @param {(bytes: number, of: number) => void} tell
   */
  static async load({ files, longest }, tell) {
    if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
    const read = Object.keys(files).filter((name) => !name.endsWith(".mjs"));
    const total = read.reduce((sum, name) => sum + files[name], 0);
    const bytes = await readAll(read, (arrived) => tell(arrived, total));
    /** @param {string} name */
    const found = (name) => bytes[read.indexOf(name)];
    /** @param {string} name */
    const json = (name) => JSON.parse(new TextDecoder().decode(found(name)));
    const [ort, { Tokenizer }] = await Promise.all([
      import(beside("ort.wasm.bundle.min.mjs")),
      import(beside("tokenizers.min.mjs")),
    ]);
    // More threads need headers that a plain web server does not send.
    Object.assign(ort.env.wasm, {
      numThreads: 1,
      wasmBinary: found("ort-wasm-simd-threaded.wasm").buffer,
    });
    const tokenizer = new Tokenizer(json("tokenizer.json"), json("tokenizer_config.json"));
    const encoder = await ort.InferenceSession.create(found("encoder.onnx"));
    const spaces = await ort.InferenceSession.create(found("spaces.onnx"));
    return new Engine(ort, tokenizer, encoder, spaces, longest);
  }

  /**
   * Answer at least two sentences; null where a newer question came meanwhile.
   * @param {string[]} sentences
   * @param {() => boolean} isOld
   * @returns {Promise<Answer | null>}
   */
  async answer(sentences, isOld) {
    for (const sentence of sentences) {
      if (this.#kept.has(sentence)) continue;
      this.#kept.set(sentence, await this.#encode(sentence));
      await new Promise((done) => setTimeout(done)); // keys are heard between two sentences
      if (isOld()) return null;
    }
    const both = sentences.map((each) => /** @type {Vectors} */ (this.#kept.get(each)));
    if (this.#kept.size > KEPT) this.#kept.clear();
    const [middle, last] = /** @type {const} */ ([0, 1]).map((i) => {
      const size = both[0][i].length;
      const rows = new Float32Array(both.length * size);
      both.forEach((each, row) => {
        rows.set(each[i], row * size);
      });
      return new this.ort.Tensor("float32", rows, [both.length, size]);
    });
    const { cosines, places } = await this.spaces.run({ middle, last });
    return { cosines: nested(cosines), places: nested(places) };
  }

  /** @param {string} sentence @returns {Promise<Vectors>} */
  async #encode(sentence) {
    /** @type {number[]} */
    let ids = this.tokenizer.encode(sentence).ids;
    if (ids.length > this.longest) ids = [...ids.slice(0, this.longest - 1), ids[ids.length - 1]];
    const input = new this.ort.Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const { middle, last } = await this.encoder.run({ input_ids: input });
    return [middle.data, last.data];
  }
}

/** Return a tensor of three axes as lists. @param {{ data: Float32Array, dims: number[] }} tensor */
function nested({ data, dims: [first, second, third] }) {
  return Array.from({ length: first }, (_, i) =>
    Array.from({ length: second }, (_, j) => {
      const at = (i * second + j) * third;
      return Array.from(data.slice(at, at + third));
    }),
  );
}
