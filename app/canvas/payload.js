/* Read the bytes of payload.py: a header in JSON, then little-endian arrays at offsets it names. */

/** Return what the server sent: panes, columns and texts, the arrays as views on one copy. */
export function parsePayload(data) {
  // A copy starts at byte 0, so the 4-byte alignment of the format holds for typed arrays too.
  const bytes = data.slice();
  const numbers = new DataView(bytes.buffer);
  const nKey = numbers.getUint32(bytes.length - 4, true);
  const nHeader = numbers.getUint32(0, true);
  const header = JSON.parse(decodeUtf8(bytes.subarray(4, 4 + nHeader)));
  const body = 4 + nHeader;
  const floats = (at) => new Float32Array(bytes.buffer, body + at, header.n);
  return {
    key: decodeUtf8(bytes.subarray(bytes.length - 4 - nKey, bytes.length - 4)),
    content: header.content,
    ids: header.ids,
    caption: header.caption,
    n: header.n,
    dims: header.dims,
    panes: header.panes.map((pane) => ({ ...pane, planes: pane.planes.map(floats) })),
    columns: header.columns.map((column) => ({ ...column, rows: column.rows.map(floats) })),
    textOffsets: new Uint32Array(bytes.buffer, body + header.text_offsets, header.n + 1),
    textBytes: bytes.subarray(body + header.text_bytes, bytes.length - 4 - nKey),
  };
}

/** Return the text of one row. */
export function textOf(data, row) {
  return decodeUtf8(data.textBytes.subarray(data.textOffsets[row], data.textOffsets[row + 1]));
}

function decodeUtf8(bytes) {
  return new TextDecoder().decode(bytes);
}
