/* Read the bytes of message.py, in which an array is named by its offset and length. */

import { readMessage } from "../shared/wire.js";

/** Return what the server sent, the arrays as views on one copy. */
export function parseMessage(data) {
  const { header, body, bytes } = readMessage(data);
  const floats = ([at, length]) => new Float32Array(bytes.buffer, body + at, length);
  const arrays = (found, names) =>
    Object.fromEntries(names.map((name) => [name, floats(found[name])]));
  return {
    ...header,
    ...arrays(header, ["points", "latent_lines"]),
    states: header.states.map((state) => ({
      ...state,
      ...arrays(state, ["density", "latent", "lines"]),
    })),
    layers: header.layers && {
      ...header.layers,
      ...arrays(header.layers, ["points", "lines", "way"]),
    },
  };
}
