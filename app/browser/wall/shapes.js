/* Which rows lie in a lasso, a box or a circle: one byte per row. */

/** @import { Box, Point, Screen } from "./types" */

/**
 * Return the rows in a polygon by the even-odd rule.
 * @param {Screen} screen
 * @param {Point[]} polygon
 */
export function rowsInPolygon(screen, polygon) {
  const [left, right] = range(polygon.map(({ x }) => x));
  const [top, bottom] = range(polygon.map(({ y }) => y));
  return marked(
    screen,
    (x, y) => x >= left && x <= right && y >= top && y <= bottom && isInside(polygon, x, y),
  );
}

/**
 * Return the rows in the box between two corners.
 * @param {Screen} screen
 * @param {Point} a
 * @param {Point} b
 */
export function rowsInBox(screen, a, b) {
  const [left, right] = range([a.x, b.x]);
  const [top, bottom] = range([a.y, b.y]);
  return marked(screen, (x, y) => x >= left && x <= right && y >= top && y <= bottom);
}

/**
 * Return the rows in a circle, of those in the plot.
 * @param {Screen} screen
 * @param {Point} centre
 * @param {number} radius
 * @param {Box} plot
 */
export function rowsInCircle(screen, centre, radius, plot) {
  return marked(
    screen,
    (x, y) =>
      Math.hypot(x - centre.x, y - centre.y) <= radius &&
      x >= plot.x &&
      x <= plot.x + plot.w &&
      y >= plot.y &&
      y <= plot.y + plot.h,
  );
}

/** @param {Screen} screen @param {(x: number, y: number) => boolean} test */
function marked(screen, test) {
  const rows = new Uint8Array(screen.x.length);
  for (let row = 0; row < rows.length; row++) {
    if (test(screen.x[row], screen.y[row])) rows[row] = 1;
  }
  return rows;
}

/** @param {Point[]} polygon @param {number} x @param {number} y */
function isInside(polygon, x, y) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [a, b] = [polygon[i], polygon[j]];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** @param {number[]} values */
function range(values) {
  return [Math.min(...values), Math.max(...values)];
}
