import {
  clamped,
  nearestRow,
  rowsInCircle,
  rowsInPolygon,
} from "../../../../app/browser/wall/shapes.js";
import { equal, test } from "../harness.js";

const SIZE = { w: 300, h: 200 };

/** @param {[number, number][]} places */
function plotOf(places) {
  const axis = (/** @type {0 | 1} */ i) => Float32Array.from(places, (place) => place[i]);
  return { screen: { x: axis(0), y: axis(1) }, size: SIZE };
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
  const rows = plotOf([
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
  const rows = plotOf([
    [50, 50],
    [50, 15],
    [20, 40],
  ]);
  equal(rowsInPolygon(rows, star), [0, 1, 1]);
});

test("a circle holds the rows within its radius that the plot shows", () => {
  const rows = plotOf([
    [6, 14],
    [6.1, 14],
    [3, 10],
    [-1, 10],
  ]);
  equal(rowsInCircle(rows, { x: 3, y: 10, radius: 5 }), [1, 0, 1, 0]);
});

test("a row is found up to the reach and no farther", () => {
  const rows = plotOf([[16, 16]]);
  equal(nearestRow(rows, { x: 6, y: 16 }, 10), 0);
  equal(nearestRow(rows, { x: 5.9, y: 16 }, 10), null);
  equal(nearestRow(rows, { x: 16, y: 26 }, 10), 0);
});

test("the nearest of many rows is found, and of rows at one place the last, which is on top", () => {
  const rows = plotOf(Array.from({ length: 500 }, (_, i) => [(i * 73) % 300, (i * 37) % 200]));
  const { x, y } = rows.screen;
  for (let i = 0; i < 200; i++) {
    const point = { x: (i * 97) % 300, y: (i * 61) % 200 };
    const all = Array.from(x, (at, row) => Math.hypot(at - point.x, y[row] - point.y));
    const least = Math.min(...all);
    equal(nearestRow(rows, point, 9), least <= 9 ? all.lastIndexOf(least) : null);
  }
});

test("a row outside the plot is not found, one on its edge is", () => {
  const rows = plotOf([
    [-1, 0],
    [300, 200],
    [301, 200],
  ]);
  equal(nearestRow(rows, { x: 302, y: 200 }, 10), 1);
  equal(nearestRow(rows, { x: 0, y: 0 }, 10), null);
});

test("a point outside is moved to the nearest edge", () => {
  equal(clamped({ x: -9, y: 300 }, SIZE), { x: 0, y: 200 });
  equal(clamped({ x: 301, y: 11 }, SIZE), { x: 300, y: 11 });
});
