import { parsePayload, textOf } from "../../../../app/browser/wall/payload.js";
import { equal, test } from "../harness.js";

/** @param {number[]} numbers */
const floats = (numbers) => [...new Uint8Array(Float32Array.from(numbers).buffer)];
/** @param {number[]} numbers */
const integers = (numbers) => [...new Uint8Array(Uint32Array.from(numbers).buffer)];

/** Two rows in one pane with one column, and the key "wall", byte by byte. */
function payload() {
  const header = {
    ...{ n: 2, ids: "rows", content: "digest" },
    panes: [
      {
        name: "raw",
        badge: "space",
        axes: ["x", "y"],
        planes: [0, 8],
        topics: [],
      },
    ],
    columns: [{ name: "size", unit: "", labels: [], rows: [16] }],
    neighbours: [{ k: 1, rows: 24, values: 32 }],
    text_offsets: 40,
    text_bytes: 52,
  };
  const body = [
    ...floats([1, 2]),
    ...floats([3, 4]),
    ...floats([NaN, 5]),
    ...integers([1, 0]),
    ...floats([0.5, 0.25]),
    ...integers([0, 2, 5]),
    ...new TextEncoder().encode("abäc"),
  ];
  let text = JSON.stringify(header);
  text += " ".repeat((4 - (text.length % 4)) % 4);
  const encode = (/** @type {string} */ part) => [...new TextEncoder().encode(part)];
  const end = [...encode("wall"), ...integers([4])];
  return Uint8Array.from([...integers([text.length]), ...encode(text), ...body, ...end]);
}

test("panes, columns and texts are read from where the header says", () => {
  const data = parsePayload(payload());
  equal([data.key, data.n, data.ids, data.content], ["wall", 2, "rows", "digest"]);
  equal(data.panes[0].planes, [
    [1, 2],
    [3, 4],
  ]);
  equal(data.columns[0].rows, [["NaN", 5]]);
  equal(data.neighbours, [{ k: 1, rows: [1, 0], values: [0.5, 0.25] }]);
  equal([textOf(data, 0), textOf(data, 1)], ["ab", "äc"]);
});

test("bytes that begin anywhere in a buffer are read as well", () => {
  const bytes = payload();
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  equal(parsePayload(shifted.subarray(3)).panes[0].planes[1], [3, 4]);
});
