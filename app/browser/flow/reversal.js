/* The reversal: both coordinates change places, so that each conditions in some couplings. Of two
   coordinates a random order, which the flow on sentences draws, is this one or no change at all. */

/** @import { Layer, Numbers, Passed } from "./types" */

/** @implements {Layer} */
export class Reversal {
  name = "reversal";
  /** @type {Numbers[]} */
  parameters = [];

  /** @param {Numbers} x @returns {Passed} */
  forward(x) {
    return { x, y: swapped(x), ladj: new Float64Array(x.length / 2) };
  }

  /** @param {Numbers} y */
  inverse(y) {
    return swapped(y);
  }

  /** @param {Passed} _ @param {Numbers} gy */
  backward(_, gy) {
    return swapped(gy);
  }

  /** @param {Numbers} x */
  initialize(x) {
    return swapped(x);
  }
}

/** @param {Numbers} points */
function swapped(points) {
  return points.map((_, i) => points[i ^ 1]);
}
