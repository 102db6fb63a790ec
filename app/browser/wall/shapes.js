/* Rows and pixels: those in a lasso or a circle, a byte per row, and the one nearest to a point. */

/** @import { Plotted, Point, Size } from "./types" */

/** Return the rows in a polygon by the even-odd rule. @param {Plotted} plot @param {Point[]} polygon */
export function rowsInPolygon(plot, polygon) {
  return marked(plot, ({ x, y }) => {
    let isInside = false;
    for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
      const [a, b] = [polygon[i], polygon[j]];
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x)
        isInside = !isInside;
    }
    return isInside;
  });
}

/** Return the rows in a circle, of those in the plot. @param {Plotted} plot @param {Point & { radius: number }} circle */
export function rowsInCircle(plot, { x, y, radius }) {
  return marked(
    plot,
    (place) => Math.hypot(place.x - x, place.y - y) <= radius && holds(plot.size, place),
  );
}

/** @param {Plotted} plot @param {(place: Point) => boolean} test */
function marked({ screen: { x, y } }, test) {
  return Uint8Array.from(x, (across, row) => Number(test({ x: across, y: y[row] })));
}

/**
 * Return the row in the plot that is nearest to a point within `reach` pixels, or null.
 * @param {Plotted} plot
 * @param {Point} point
 * @param {number} reach
 */
export function nearestRow({ screen: { x, y }, size }, point, reach) {
  let [nearest, closest] = [/** @type {number | null} */ (null), reach * reach];
  for (let row = 0; row < x.length; row++) {
    const distance = (x[row] - point.x) ** 2 + (y[row] - point.y) ** 2;
    if (distance > closest || !holds(size, { x: x[row], y: y[row] })) continue;
    [nearest, closest] = [row, distance]; // of two rows at one place the last, which is on top
  }
  return nearest;
}

/** Tell whether a point lies in a plot. @param {Size} size @param {Point} point */
export function holds({ w, h }, { x, y }) {
  return x >= 0 && x <= w && y >= 0 && y <= h;
}

/** Return a point's nearest place in a plot. @param {Point} point @param {Size} size */
export function clamped({ x, y }, { w, h }) {
  return { x: Math.min(w, Math.max(0, x)), y: Math.min(h, Math.max(0, y)) };
}
