/* Read the bytes that bertflow_core/studies/wall writes: a header in JSON, then little-endian arrays at offsets it names. */

/**
 * Return the header, where the arrays begin, and a copy of the bytes to look at them in.
 * @param {Uint8Array} data
 */
export function readPayload(data) {
  // A copy starts at byte 0, so the 4-byte alignment of the format holds for typed arrays too.
  const bytes = data.slice();
  const body = 4 + new DataView(bytes.buffer).getUint32(0, true);
  return { header: JSON.parse(decodeUtf8(bytes.subarray(4, body))), body, bytes };
}

const decoder = new TextDecoder();

/** @param {Uint8Array} bytes */
export function decodeUtf8(bytes) {
  return decoder.decode(bytes);
}
