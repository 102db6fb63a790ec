/* Read the bytes of bertflow_core/exhibits/wall/payload.py: the length of a header in JSON, the header,
   little-endian arrays at offsets that the header names, the wall's key and the key's length. */

/** @import { Column, Data, Neighbours, PaneData } from "./types" */

const decoder = new TextDecoder();

/**
 * Return what the server sent: panes, columns and texts, the arrays as views on one copy.
 * @param {Uint8Array} data
 * @returns {Data}
 */
export function parsePayload(data) {
  // A copy starts at byte 0, so the 4-byte alignment of the format holds for typed arrays too.
  const bytes = data.slice();
  const view = new DataView(bytes.buffer);
  const body = 4 + view.getUint32(0, true);
  const header = JSON.parse(decoder.decode(bytes.subarray(4, body)));
  const end = bytes.length - 4 - view.getUint32(bytes.length - 4, true);
  /** @param {number} at */
  const floats = (at) => new Float32Array(bytes.buffer, body + at, header.n);
  /** @type {(pane: PaneData & { planes: number[] }) => PaneData} */
  const withPlanes = (pane) => ({ ...pane, planes: pane.planes.map(floats) });
  /** @type {(column: Column & { rows: number[] }) => Column} */
  const withRows = (column) => ({ ...column, rows: column.rows.map(floats) });
  /** @type {(each: { k: number, rows: number, values: number }) => Neighbours} */
  const withNeighbours = ({ k, rows, values }) => ({
    k,
    rows: new Uint32Array(bytes.buffer, body + rows, header.n * k),
    values: new Float32Array(bytes.buffer, body + values, header.n * k),
  });
  return {
    key: decoder.decode(bytes.subarray(end, bytes.length - 4)),
    ...{ content: header.content, ids: header.ids, n: header.n },
    panes: header.panes.map(withPlanes),
    columns: header.columns.map(withRows),
    neighbours: header.neighbours.map(withNeighbours),
    textOffsets: new Uint32Array(bytes.buffer, body + header.text_offsets, header.n + 1),
    textBytes: bytes.subarray(body + header.text_bytes, end),
  };
}

/** Return the text of one row. @param {Data} data @param {number} row */
export function textOf({ textBytes, textOffsets }, row) {
  return decoder.decode(textBytes.subarray(textOffsets[row], textOffsets[row + 1]));
}
