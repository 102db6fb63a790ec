import { homeCamera } from "../../../../app/browser/wall/camera.js";
import { adaptedView, freshView } from "../../../../app/browser/wall/view.js";
import { equal, test } from "../harness.js";

/** @param {object} changes */
function dataOf(changes = {}, nPanes = 2) {
  const pane = { name: "", badge: "", axes: [], equal_scale: true, planes: [], topics: [] };
  const column = { unit: "", labels: [], colours: [], rows: [] };
  return {
    key: "wall",
    content: "",
    ids: "rows",
    caption: "",
    n: 3,
    dims: 2,
    panes: Array(nPanes).fill(pane),
    columns: ["a", "b"].map((name) => ({ ...column, name })),
    neighbours: [],
    textOffsets: new Uint32Array(4),
    textBytes: new Uint8Array(),
    ...changes,
  };
}

const CAMERA = { ...homeCamera(2), zoom: 3 };
const VIEW = {
  ...freshView(dataOf()),
  column: "b",
  selected: Uint8Array.of(0, 1, 0),
  cameras: [CAMERA, homeCamera(2)],
  picked: { row: 2, pane: 1 },
};

test("a new wall selects nothing and colours by the first column", () => {
  const { selected, column, cameras, mode } = adaptedView(null, dataOf());
  equal([selected, column, cameras.length, mode], [[0, 0, 0], "a", 2, "lasso"]);
  equal(freshView(dataOf({ columns: [] })).column, "");
});

test("the view of the same rows stays", () => {
  equal(adaptedView(VIEW, dataOf({ content: "other" })), VIEW);
});

test("nothing of it stays with other rows", () => {
  equal(adaptedView(VIEW, dataOf({ ids: "others" })), freshView(dataOf({ ids: "others" })));
});

test("a column that is gone is replaced by the first", () => {
  const column = { name: "c", unit: "", labels: [], colours: [], rows: [] };
  equal(adaptedView(VIEW, dataOf({ columns: [column] })).column, "c");
});

test("a new pane looks through the first camera where they are linked", () => {
  equal(adaptedView(VIEW, dataOf({}, 3)).cameras[2], CAMERA);
  equal(adaptedView({ ...VIEW, linked: false }, dataOf({}, 3)).cameras[2], homeCamera(2));
});

test("what was picked in a pane that is gone is picked in the first", () => {
  equal(adaptedView(VIEW, dataOf({}, 1)).picked, { row: 2, pane: 0 });
});

test("other dimensions reset the cameras, and flat panes do not turn", () => {
  const turned = adaptedView({ ...VIEW, dims: 3, mode: "rotate" }, dataOf());
  equal([turned.mode, turned.cameras[0], turned.selected], ["lasso", homeCamera(2), [0, 1, 0]]);
});
