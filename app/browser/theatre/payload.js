/* Read the bytes of payload.py, in which an array is named by its offset and length. */

import { readPayload } from "../shared/wire.js";

/** @import { Payload } from "./types" */

/**
 * Return what the server sent, the arrays as views on one copy.
 * @param {Uint8Array} data
 * @returns {Payload}
 */
export function parsePayload(data) {
  const { header, body, bytes } = readPayload(data);
  /** @type {(record: Record<string, any>, names: string[]) => Record<string, any>} */
  const withArrays = (record, names) => {
    const arrays = names.map((name) => {
      const [at, length] = record[name];
      return [name, new Float32Array(bytes.buffer, body + at, length)];
    });
    return { ...record, ...Object.fromEntries(arrays) };
  };
  /** @param {Record<string, any>} state */
  const state = (state) => withArrays(state, ["density", "latent", "lines"]);
  const payload = withArrays(header, ["points", "latent_lines"]);
  payload.states = header.states.map(state);
  payload.layers = header.layers && withArrays(header.layers, ["points", "lines", "way"]);
  return /** @type {Payload} */ (payload);
}
