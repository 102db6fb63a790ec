import { csvOf } from "../../../../app/browser/wall/beside.js";
import { equal, test } from "../harness.js";
import { dataOf } from "../walls.js";

const COLUMN = { unit: "", labels: [] };
const COLUMNS = [
  {
    ...COLUMN,
    name: "norm",
    unit: "L2",
    rows: [Float32Array.of(1, 0.1), Float32Array.of(3, NaN)],
  },
  { ...COLUMN, name: "side", labels: ["=a", "b"], rows: [Float32Array.of(0, 1)] },
];

test("a column per pane where they differ; texts are quoted, formulas guarded", () => {
  const written = csvOf(dataOf(['a "dog", ä', "=1+1"], 2, { columns: COLUMNS }), [0, 1]);
  equal(written.split("\r\n"), [
    '"row","text","norm (L2), raw","norm (L2), flow","side"',
    '0,"a ""dog"", ä",1,3,"\'=a"',
    '1,"\'=1+1",0.1,,"b"',
    "",
  ]);
});

test("only the rows that are asked for are written, in their order", () => {
  equal(csvOf(dataOf(["a", "b"], 2, { columns: COLUMNS }), [1]).split("\r\n")[1], '1,"b",0.1,,"b"');
});
