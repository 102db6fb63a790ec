/* Find the row under the pointer: rows filed by cells of the screen, so that few are compared. */

/** @import { Box, Filed, Point, Screen } from "./types" */

const CELL = 16;

/** File the rows that lie in the plot. @param {Screen} screen @param {Box} plot @returns {Filed} */
export function fileRows(screen, plot) {
  const across = Math.ceil(plot.w / CELL) + 1;
  const down = Math.ceil(plot.h / CELL) + 1;
  const cellOf = new Int32Array(screen.x.length).fill(-1);
  const starts = new Uint32Array(across * down + 1);
  for (let row = 0; row < cellOf.length; row++) {
    const [x, y] = [screen.x[row] - plot.x, screen.y[row] - plot.y];
    if (x < 0 || y < 0 || x > plot.w || y > plot.h) continue;
    cellOf[row] = Math.floor(y / CELL) * across + Math.floor(x / CELL);
    starts[cellOf[row] + 1] += 1;
  }
  for (let cell = 0; cell < across * down; cell++) starts[cell + 1] += starts[cell];
  const rows = new Uint32Array(starts[across * down]);
  const next = starts.slice();
  for (let row = 0; row < cellOf.length; row++) {
    if (cellOf[row] >= 0) rows[next[cellOf[row]]++] = row;
  }
  return { across, down, starts, rows, plot, screen };
}

/**
 * Return the row nearest to a point within `reach` pixels, or -1; of two at one place the last.
 * @param {Filed} filed
 * @param {Point} point
 * @param {number} reach
 */
export function nearestRow(filed, point, reach) {
  const { across, down, starts, rows, plot, screen } = filed;
  const [x, y] = [point.x - plot.x, point.y - plot.y];
  /** @param {number} value @param {number} n */
  const cell = (value, n) => Math.min(n - 1, Math.max(0, Math.floor(value / CELL)));
  let [best, closest] = [-1, reach * reach];
  for (let cy = cell(y - reach, down); cy <= cell(y + reach, down); cy++) {
    const first = starts[cy * across + cell(x - reach, across)];
    const last = starts[cy * across + cell(x + reach, across) + 1];
    for (let i = first; i < last; i++) {
      const [dx, dy] = [screen.x[rows[i]] - point.x, screen.y[rows[i]] - point.y];
      const distance = dx * dx + dy * dy;
      // The last drawn is the one that is seen.
      if (distance <= closest) [best, closest] = [rows[i], distance];
    }
  }
  return best;
}
