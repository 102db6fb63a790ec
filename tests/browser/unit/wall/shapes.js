import { rowsInBox, rowsInCircle, rowsInPolygon } from "../../../../app/browser/wall/shapes.js";
import { equal, test } from "../harness.js";

/** @param {[number, number][]} places */
function screenOf(places) {
  const axis = (/** @type {0 | 1} */ i) => Float32Array.from(places, (place) => place[i]);
  return { x: axis(0), y: axis(1), depth: null, order: null };
}

/** @param {[number, number][]} places */
function corners(places) {
  return places.map(([x, y]) => ({ x, y }));
}

test("a lasso holds the rows within, not those in a bay of its outline", () => {
  // A U: the bay between its arms is open at the top, y = 0.
  const u = corners([
    [0, 0],
    [0, 10],
    [10, 10],
    [10, 0],
    [7, 0],
    [7, 6],
    [3, 6],
    [3, 0],
  ]);
  const rows = screenOf([
    [1, 1],
    [5, 2],
    [5, 8],
    [9, 1],
    [11, 5],
    [5, -1],
  ]);
  equal(rowsInPolygon(rows, u), [1, 0, 1, 1, 0, 0]);
});

test("what a lasso goes around twice is outside, by the even-odd rule", () => {
  const star = corners([
    [50, 0],
    [80, 90],
    [0, 35],
    [100, 35],
    [20, 90],
  ]);
  const rows = screenOf([
    [50, 50],
    [50, 15],
    [20, 40],
  ]);
  equal(rowsInPolygon(rows, star), [0, 1, 1]);
});

test("a box holds its corners, whichever comes first", () => {
  const rows = screenOf([
    [1, 2],
    [5, 6],
    [3, 4],
    [0.9, 4],
    [3, 6.1],
  ]);
  const [a, b] = corners([
    [5, 2],
    [1, 6],
  ]);
  equal(rowsInBox(rows, a, b), [1, 1, 1, 0, 0]);
  equal(rowsInBox(rows, b, a), [1, 1, 1, 0, 0]);
});

test("a circle holds the rows within its radius that the plot shows", () => {
  const rows = screenOf([
    [13, 14],
    [13.1, 14],
    [10, 10],
    [6, 10],
  ]);
  const plot = { x: 7, y: 0, w: 50, h: 50 };
  equal(rowsInCircle(rows, { x: 10, y: 10 }, 5, plot), [1, 0, 1, 0]);
});
