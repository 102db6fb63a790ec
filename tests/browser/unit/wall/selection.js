import {
  ADD,
  combine,
  count,
  howOf,
  REMOVE,
  REPLACE,
  reportOf,
  rowsWith,
} from "../../../../app/browser/wall/selection.js";
import { equal, test } from "../harness.js";
import { dataOf } from "../walls.js";

const BEFORE = Uint8Array.of(1, 1, 0, 0);
const ROWS = Uint8Array.of(0, 1, 1, 0);

test("rows replace, join or leave the selection", () => {
  equal(combine(BEFORE, ROWS, REPLACE), [0, 1, 1, 0]);
  equal(combine(BEFORE, ROWS, ADD), [1, 1, 1, 0]);
  equal(combine(BEFORE, ROWS, REMOVE), [1, 0, 0, 0]);
  equal(count(BEFORE), 2);
});

test("Shift adds, Alt removes, also with Shift", () => {
  equal(howOf({ altKey: false, shiftKey: false }), REPLACE);
  equal(howOf({ altKey: false, shiftKey: true }), ADD);
  equal(howOf({ altKey: true, shiftKey: true }), REMOVE);
});

test("a report has one bit per row, the lowest first", () => {
  const selected = new Uint8Array(10);
  selected[0] = selected[9] = 1; // bytes 1 and 2
  const report = reportOf({ ids: "rows", selected, picked: { row: 7, pane: 1 } });
  equal(report, { ids: "rows", selected: btoa("\x01\x02"), picked: 7, pane: 1 });
});

test("nothing selected and nothing picked are null", () => {
  const report = reportOf({ ids: "rows", selected: new Uint8Array(3), picked: null });
  equal(report, { ids: "rows", selected: null, picked: null, pane: null });
});

test("a word is found whatever its case, and signs mean themselves", () => {
  const data = dataOf(["An Apple", "pear", "", "ÄPFEL (2)"]);
  equal(
    ["apple", "äpf", "(2)", "p.a"].map((word) => [...rowsWith(data, word)].join("")),
    ["1000", "0001", "0001", "0000"],
  );
});
