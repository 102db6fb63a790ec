/* The couplings on the plane: x1 stays and decides, through a network, how x2 changes. */

import { Network } from "./network.js";

/** @import { Kept, Kind, Layer, Numbers, Passed } from "./types" */

/**
 * Additive: y2 = x2 + m(x1). Affine: y2 = (x2 + t(x1)) sigmoid(s(x1) + 2).
 * @implements {Layer}
 */
export class Coupling {
  /** @param {Kind} kind @param {number} width @param {() => number} normal */
  constructor(kind, width, normal) {
    this.name = `${kind} coupling`;
    this.isAffine = kind === "affine";
    this.network = new Network(width, this.isAffine ? 2 : 1, normal);
    this.parameters = this.network.parameters;
  }

  /** Return shift and log-scale of x2 for each x1. @param {Numbers} x1 */
  effect(x1) {
    const kept = this.network.forward(x1);
    const { out } = kept;
    if (!this.isAffine) return { kept, shift: out, logScale: new Float64Array(x1.length) };
    const logScale = x1.map((_, row) => -Math.log1p(Math.exp(-(out[2 * row + 1] + 2))));
    return { kept, shift: x1.map((_, row) => out[2 * row]), logScale };
  }

  /** @param {Numbers} x @returns {Passed} */
  forward(x) {
    const { kept, shift, logScale } = this.effect(firsts(x));
    const y = x.map((value, i) =>
      i % 2 ? (value + shift[i >> 1]) * Math.exp(logScale[i >> 1]) : value,
    );
    return { x, y, ladj: logScale, kept };
  }

  /** @param {Numbers} y */
  inverse(y) {
    const { shift, logScale } = this.effect(firsts(y));
    return y.map((value, i) =>
      i % 2 ? value * Math.exp(-logScale[i >> 1]) - shift[i >> 1] : value,
    );
  }

  /** @param {Passed} passed @param {Numbers} gy @param {number} gl @param {Numbers[]} into */
  backward({ y, ladj, kept }, gy, gl, into) {
    const gx = gy.slice();
    const { x, out } = /** @type {Kept} */ (kept);
    const gout = new Float64Array(out.length);
    for (let row = 0; row < x.length; row++) {
      const [g2, scale] = [gy[2 * row + 1], Math.exp(ladj[row])];
      gx[2 * row + 1] = g2 * scale;
      gout[this.isAffine ? 2 * row : row] = g2 * scale;
      // By log sigmoid(s + 2), whose derivative by s is 1 - sigmoid(s + 2).
      if (this.isAffine) gout[2 * row + 1] = (g2 * y[2 * row + 1] + gl) * (1 - scale);
    }
    const g1 = this.network.backward(/** @type {Kept} */ (kept), gout, into);
    for (let row = 0; row < x.length; row++) gx[2 * row] += g1[row];
    return gx;
  }

  /** @param {Numbers} x */
  initialize(x) {
    this.network.initialize(firsts(x));
    return this.forward(x).y;
  }
}

/** Return the first coordinate of each point. @param {Numbers} points */
function firsts(points) {
  return new Float64Array(points.length / 2).map((_, row) => points[2 * row]);
}
