/* Read the bytes of message.py: a header in JSON, then little-endian float32 arrays. */

/** Return what the server sent, the arrays as views on one copy. */
export function parseMessage(data) {
  const bytes = data.slice(); // a copy starts at byte 0, as typed arrays need it
  const nHeader = new DataView(bytes.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + nHeader)));
  const floats = ([at, length]) => new Float32Array(bytes.buffer, 4 + nHeader + at, length);
  const arrays = (found, names) =>
    Object.fromEntries(names.map((name) => [name, floats(found[name])]));
  return {
    ...header,
    ...arrays(header, ["points", "latent_lines"]),
    states: header.states.map((state) => ({
      ...state,
      ...arrays(state, ["density", "latent", "lines"]),
    })),
    layers: header.layers && { ...header.layers, ...arrays(header.layers, ["points", "lines", "way"]) },
  };
}
