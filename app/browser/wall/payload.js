/* Read the bytes of payload.py, behind which component.py writes the wall's key and its length. */

import { decodeUtf8, readMessage } from "../shared/wire.js";

/** Return what the server sent: panes, columns and texts, the arrays as views on one copy. */
export function parsePayload(data) {
  const { header, body, bytes } = readMessage(data);
  const nKey = new DataView(bytes.buffer).getUint32(bytes.length - 4, true);
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
