/* The reversal: both coordinates change places, so that each conditions in some couplings. Of two
   coordinates a random order, which the flow on sentences draws, is this one or no change at all. */

/** @import { Layer, Numbers } from "./types" */

/** @param {Numbers} points */
const swapped = (points) => points.map((_, i) => points[i ^ 1]);

/** @type {Layer} */
export const REVERSAL = {
  name: "reversal",
  parameters: [],
  forward: (x) => ({ x, y: swapped(x), ladj: new Float64Array(x.length / 2) }),
  inverse: swapped,
  backward: (_, gy) => swapped(gy),
  initialize: swapped,
};
