import {
  colourBy,
  MISSING,
  OTHER,
  rowsOfSlot,
  scaleText,
  slotColours,
  slotOf,
  valueText,
} from "../../../../app/browser/wall/colouring.js";
import { equal, near, test } from "../harness.js";

/** @param {object} changes */
function column(changes) {
  return { name: "size", unit: "", labels: [], rows: [], ...changes };
}

/** @param {...number} values */
const row = (...values) => Float32Array.from(values);

test("numbers are spread between their 1st and 99th percentile", () => {
  // 0 to 100: the percentiles are 1 and 99 themselves.
  const colouring = colourBy(column({ rows: [row(...Array(101).keys())] }), 1);
  const { low, high, slots } = colouring.panes[0];
  near([low, high], [1, 99]);
  equal([slots[0], slots[1], slots[50], slots[99], slots[100]], [0, 0, 127, 253, 253]);
});

test("a percentile between two values is mixed from both", () => {
  const { low, high } = colourBy(column({ rows: [row(10, 0)] }), 1).panes[0];
  near([low, high], [0.1, 9.9], 1e-5);
});

test("a missing value has the slot for it and is counted", () => {
  const colouring = colourBy(column({ rows: [row(NaN, 0, 1, NaN)] }), 1);
  equal([...colouring.panes[0].slots].slice(0, 1), [MISSING]);
  equal(colouring.panes[0].nMissing, 2);
  equal(scaleText(colouring, 0).note, "size, 1st to 99th percentile; grey: missing");
});

test("a column without any value says so", () => {
  const colouring = colourBy(column({ rows: [row(NaN)] }), 1);
  equal(scaleText(colouring, 0).ends, ["", "no values"]);
});

test("equal numbers do not divide by zero", () => {
  equal(colourBy(column({ rows: [row(3, 3)] }), 1).panes[0].slots, [0, 0]);
});

test("one row of values serves all panes, more are one per pane", () => {
  const shared = colourBy(column({ rows: [row(1, 2)] }), 3);
  equal(
    [shared.perPane, ...shared.panes.map(({ values }) => values)],
    [false, [1, 2], [1, 2], [1, 2]],
  );
  const own = colourBy(column({ rows: [row(1, 2), row(5, 9)] }), 2);
  equal([own.perPane, own.panes[1].values], [true, [5, 9]]);
  near(
    own.panes.map(({ high }) => high),
    [1.99, 8.96],
    1e-5,
  );
});

test("categories have slots in the order of their labels", () => {
  const labels = ["a", "b"];
  const plain = colourBy(column({ labels, rows: [row(1, 0, NaN)] }), 1);
  equal(plain.panes[0].slots, [1, 0, MISSING]);
  equal(plain.entries, [
    { slot: 0, text: "a" },
    { slot: 1, text: "b" },
    { slot: MISSING, text: "missing" },
  ]);
});

test("of more than seven categories the rarest fall into other", () => {
  const labels = [..."abcdefghi"];
  // h twice and i thrice: of the others, once each, the first five are kept.
  const colouring = colourBy(
    column({ labels, rows: [row(0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 8)] }),
    1,
  );
  equal(
    colouring.entries.map(({ text }) => text),
    ["a", "b", "c", "d", "e", "h", "i", "other (2 more)"],
  );
  equal(colouring.panes[0].slots, [0, 1, 2, 3, 4, OTHER, OTHER, 5, 5, 6, 6, 6]);
});

test("a value is written with name and unit", () => {
  const numbers = colourBy(column({ unit: "per million", rows: [row(0.123456, NaN)] }), 1);
  equal(valueText(numbers, 0, 0), "size: 0.1235 per million");
  equal(valueText(numbers, 0, 1), "size: missing");
  const labels = colourBy(column({ labels: ["a", "b"], rows: [row(1)] }), 1);
  equal(valueText(labels, 0, 0), "size: b");
  equal(valueText(colourBy(column({ name: "", labels: [""], rows: [row(0)] }), 1), 0, 0), "");
});

test("a scale is written with its ends and unit", () => {
  const colouring = colourBy(column({ unit: "m", rows: [row(...Array(101).keys())] }), 1);
  equal(scaleText(colouring, 0), { ends: ["1", "99"], note: "size (m), 1st to 99th percentile" });
  const ranks = row(...Array(10_001).keys()).slice(1); // their percentiles lie between two ranks
  equal(scaleText(colourBy(column({ rows: [ranks] }), 1), 0).ends, ["101", "9,900"]);
});

/** @type {import("../../../../app/browser/shared/types").Theme} */
const THEME = {
  background: [255, 255, 255],
  ink: [0, 0, 0],
  muted: [1, 1, 1],
  line: [2, 2, 2],
  dim: [3, 3, 3],
  missing: [128, 128, 128],
  primary: [0, 0, 255],
  dark: false,
  font: "sans-serif",
};

test("a share fills 254 slots and no more", () => {
  equal([0, 0.5, 1, -3, 7].map(slotOf), [0, 127, 253, 0, 253]);
});

test("numbers run from the dark end of the scale to the bright one", () => {
  const colours = slotColours("number", THEME);
  equal(colours[0], [68, 1, 84]);
  equal([colours.length, colours[MISSING]], [256, [128, 128, 128]]);
  const light = ([red, green, blue] = colours[0]) => 0.3 * red + 0.59 * green + 0.11 * blue;
  for (let slot = 1; slot < OTHER; slot++) {
    if (light(colours[slot]) < light(colours[slot - 1]) - 0.5) throw new Error(`slot ${slot}`);
  }
});

test("categories are the ink and the palette of Okabe and Ito", () => {
  const colours = slotColours("category", THEME);
  equal(colours.slice(0, 4), [
    [0, 0, 0],
    [230, 159, 0],
    [86, 180, 233],
    [0, 158, 115],
  ]);
  equal(colours[OTHER], [97, 97, 97]); // 0.62 of black mixed into white
});

test("a category has the rows that any pane has in it", () => {
  const own = colourBy(column({ labels: ["a", "b"], rows: [row(1, 0, 0), row(0, 0, 1)] }), 2);
  equal(rowsOfSlot(own, 1), [1, 0, 1]);
});
