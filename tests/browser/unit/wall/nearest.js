import { fileRows, nearestRow } from "../../../../app/browser/wall/nearest.js";
import { equal, test } from "../harness.js";

const PLOT = { x: 30, y: 40, w: 300, h: 200 };

/** Numbers that look random and are the same in every run. */
function* sequence() {
  let state = 1;
  while (true) {
    state = (state * 48271) % 2147483647;
    yield state / 2147483647;
  }
}

/** @param {number[]} x @param {number[]} y */
function screenOf(x, y) {
  return { x: Float32Array.from(x), y: Float32Array.from(y), depth: null, order: null };
}

test("the nearest row is that of a comparison with all rows", () => {
  const numbers = sequence();
  const next = () => numbers.next().value ?? 0;
  const n = 500;
  const x = Array.from({ length: n }, () => PLOT.x + PLOT.w * next());
  const y = Array.from({ length: n }, () => PLOT.y + PLOT.h * next());
  const screen = screenOf(x, y);
  const filed = fileRows(screen, PLOT);
  for (let i = 0; i < 200; i++) {
    const point = { x: PLOT.x + PLOT.w * next(), y: PLOT.y + PLOT.h * next() };
    const reach = 1 + 30 * next();
    const all = Array.from(screen.x, (_, row) =>
      Math.hypot(screen.x[row] - point.x, screen.y[row] - point.y),
    );
    const least = Math.min(...all);
    const expected = least <= reach ? all.indexOf(least) : -1;
    equal(nearestRow(filed, point, reach), expected);
  }
});

test("a row is found up to the reach and no farther, over the borders of cells", () => {
  const filed = fileRows(screenOf([PLOT.x + 16], [PLOT.y + 16]), PLOT);
  equal(nearestRow(filed, { x: PLOT.x + 6, y: PLOT.y + 16 }, 10), 0);
  equal(nearestRow(filed, { x: PLOT.x + 5.9, y: PLOT.y + 16 }, 10), -1);
  equal(nearestRow(filed, { x: PLOT.x + 16, y: PLOT.y + 26 }, 10), 0);
});

test("of rows at one place the last is taken, which is drawn on top", () => {
  const filed = fileRows(screenOf([50, 50, 50], [60, 60, 60]), PLOT);
  equal(nearestRow(filed, { x: 51, y: 60 }, 10), 2);
});

test("a row outside the plot is not filed, one on its edge is", () => {
  const { x, y, w, h } = PLOT;
  const filed = fileRows(screenOf([x - 1, x + w, x + w + 1], [y, y + h, y + h]), PLOT);
  equal(filed.rows, [1]);
  equal(nearestRow(filed, { x: x + w, y: y + h }, 10), 1);
});
