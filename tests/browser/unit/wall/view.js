import { HOME } from "../../../../app/browser/wall/camera.js";
import { adaptedView } from "../../../../app/browser/wall/view.js";
import { equal, test } from "../harness.js";
import { dataOf } from "../walls.js";

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
