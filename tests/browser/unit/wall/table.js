import { csvOf } from "../../../../app/browser/wall/table.js";
import { equal, test } from "../harness.js";

/** @param {string[]} texts */
function dataOf(texts) {
  const parts = texts.map((text) => new TextEncoder().encode(text));
  const ends = [0];
  for (const part of parts) ends.push(ends[ends.length - 1] + part.length);
  const pane = { badge: "", axes: [], equal_scale: true, planes: [], topics: [] };
  const column = { unit: "", labels: [], colours: [] };
  return {
    ...{ key: "", content: "", ids: "", caption: "", n: texts.length, dims: 2, neighbours: [] },
    panes: [
      { ...pane, name: "raw" },
      { ...pane, name: "flow" },
    ],
    columns: [
      {
        ...column,
        name: "norm",
        unit: "L2",
        rows: [Float32Array.of(1, 0.1), Float32Array.of(3, NaN)],
      },
      { ...column, name: "side", labels: ["=a", "b"], rows: [Float32Array.of(0, 1)] },
    ],
    textOffsets: Uint32Array.from(ends),
    textBytes: Uint8Array.from(parts.flatMap((part) => [...part])),
  };
}

test("a column per pane where they differ; texts are quoted, formulas guarded", () => {
  const written = csvOf(dataOf(['a "dog", ä', "=1+1"]), [0, 1]);
  equal(written.split("\r\n"), [
    '"row","text","norm (L2), raw","norm (L2), flow","side"',
    '0,"a ""dog"", ä",1,3,"\'=a"',
    '1,"\'=1+1",0.1,,"b"',
    "",
  ]);
});

test("only the rows that are asked for are written, in their order", () => {
  equal(csvOf(dataOf(["a", "b"]), [1]).split("\r\n")[1], '1,"b",0.1,,"b"');
});
