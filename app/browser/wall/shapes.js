/* Rows and pixels: those in a lasso or a circle, a byte per row, and the one nearest to a point. */

/** @import { Point, Screen, Size } from "./types" */

/** Return the rows in a polygon by the even-odd rule. @param {Screen} screen @param {Point[]} polygon */
export function rowsInPolygon(screen, polygon) {
  const [left, right] = ends(polygon.map(({ x }) => x));
  const [top, bottom] = ends(polygon.map(({ y }) => y));
  return marked(
    screen,
    (x, y) => x >= left && x <= right && y >= top && y <= bottom && isInside(polygon, x, y),
  );
}

/**
 * Return the rows in a circle, of those in the plot.
 * @param {Screen} screen
 * @param {Point} centre
 * @param {number} radius
 * @param {Size} size
 */
export function rowsInCircle(screen, centre, radius, { w, h }) {
  return marked(
    screen,
    (x, y) =>
      Math.hypot(x - centre.x, y - centre.y) <= radius && x >= 0 && x <= w && y >= 0 && y <= h,
  );
}

/** @param {Screen} screen @param {(x: number, y: number) => boolean} test */
function marked({ x, y }, test) {
  const rows = new Uint8Array(x.length);
  for (let row = 0; row < rows.length; row++) if (test(x[row], y[row])) rows[row] = 1;
  return rows;
}

/**
 * Return the row in the plot that is nearest to a point within `reach` pixels, or -1.
 * @param {Screen} screen
 * @param {Point} point
 * @param {number} reach
 * @param {Size} size
 */
export function nearestRow({ x, y }, point, reach, size) {
  let [best, closest] = [-1, reach * reach];
  for (let row = 0; row < x.length; row++) {
    const distance = (x[row] - point.x) ** 2 + (y[row] - point.y) ** 2;
    if (distance > closest || !holds(size, { x: x[row], y: y[row] })) continue;
    best = row; // of two at one place the last, which is drawn on top
    closest = distance;
  }
  return best;
}

/** Tell whether a point lies in a plot. @param {Size} size @param {Point} point */
export function holds({ w, h }, { x, y }) {
  return x >= 0 && x <= w && y >= 0 && y <= h;
}

/** Return a point's nearest place in a plot. @param {Point} point @param {Size} size */
export function clamped({ x, y }, { w, h }) {
  return { x: Math.min(w, Math.max(0, x)), y: Math.min(h, Math.max(0, y)) };
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
function ends(values) {
  return [Math.min(...values), Math.max(...values)];
}
