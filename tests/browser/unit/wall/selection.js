import { HOME } from "../../../../app/browser/wall/camera.js";
import {
  adaptedView,
  combine,
  count,
  howOf,
  reportOf,
  rowsWith,
} from "../../../../app/browser/wall/selection.js";
import { equal, test } from "../harness.js";
import { dataOf } from "../walls.js";

const BEFORE = Uint8Array.of(1, 1, 0, 0);
const ROWS = Uint8Array.of(0, 1, 1, 0);

test("rows replace, join or leave the selection", () => {
  equal(combine(BEFORE, ROWS, "replace"), [0, 1, 1, 0]);
  equal(combine(BEFORE, ROWS, "add"), [1, 1, 1, 0]);
  equal(combine(BEFORE, ROWS, "remove"), [1, 0, 0, 0]);
  equal(count(BEFORE), 2);
});

test("Shift adds, Alt removes, also with Shift", () => {
  equal(howOf({ altKey: false, shiftKey: false }), "replace");
  equal(howOf({ altKey: false, shiftKey: true }), "add");
  equal(howOf({ altKey: true, shiftKey: true }), "remove");
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

const DATA = dataOf(["", "", ""]);
const CAMERA = { ...HOME, zoom: 3 };
const VIEW = {
  ...adaptedView(null, DATA),
  column: "b",
  selected: Uint8Array.of(0, 1, 0),
  cameras: [CAMERA, HOME],
  picked: { row: 2, pane: 1 },
};

/** @param {object} changes */
const changed = (changes, nPanes = 2) => dataOf(["", "", ""], nPanes, changes);

test("a new wall selects nothing and colours by the first column", () => {
  const { selected, column, cameras, mode } = adaptedView(null, DATA);
  equal([selected, column, cameras.length, mode], [[0, 0, 0], "a", 2, "lasso"]);
  equal(adaptedView(null, changed({ columns: [] })).column, "");
});

test("the view of the same rows stays", () => {
  equal(adaptedView(VIEW, changed({ content: "other" })), VIEW);
});

test("nothing of it stays with other rows", () => {
  equal(
    adaptedView(VIEW, changed({ ids: "others" })),
    adaptedView(null, changed({ ids: "others" })),
  );
});

test("a column that is gone is replaced by the first", () => {
  const column = { name: "c", unit: "", labels: [], rows: [] };
  equal(adaptedView(VIEW, changed({ columns: [column] })).column, "c");
});

test("a new pane looks through the first camera where they are linked", () => {
  equal(adaptedView(VIEW, changed({}, 3)).cameras[2], CAMERA);
  equal(adaptedView({ ...VIEW, linked: false }, changed({}, 3)).cameras[2], HOME);
});

test("what was picked in a pane that is gone is picked in the first", () => {
  equal(adaptedView(VIEW, changed({}, 1)).picked, { row: 2, pane: 0 });
});
