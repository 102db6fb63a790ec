/* The layers of a flow on the plane, as in bertflow_core/flows/transforms.py: ActNorm, reversal and
   couplings. Direction: forward is x -> y, on the way to the latent space. */

import { Linear, LOGSCALE_FACTOR, scalesOf, standardizing } from "./linear.js";

/** @import { Kind, Layer, Numbers, Passed } from "./types" */

/** Initial standard deviation of a network's hidden weights. */
const WEIGHT_STD = 0.05;

/**
 * y = (x + b) exp(3 logs).
 * @implements {Layer}
 */
export class ActNorm {
  name = "ActNorm";
  b = new Float64Array(2);
  logs = new Float64Array(2);
  parameters = [this.b, this.logs];
  gradients = [new Float64Array(2), new Float64Array(2)];

  /** @param {boolean} isUnit whether an earlier layer normalised its points */
  constructor(isUnit) {
    this.isUnit = isUnit;
  }

  /** @param {Numbers} x @returns {Passed} */
  forward(x) {
    const scales = scalesOf(this.logs);
    const y = x.map((value, i) => (value + this.b[i % 2]) * scales[i % 2]);
    const ladj = LOGSCALE_FACTOR * (this.logs[0] + this.logs[1]);
    return { y, ladj: new Float64Array(x.length / 2).fill(ladj) };
  }

  /** @param {Numbers} y */
  inverse(y) {
    const scales = scalesOf(this.logs);
    return y.map((value, i) => value / scales[i % 2] - this.b[i % 2]);
  }

  /** @param {Passed} passed @param {Numbers} gy @param {number} gl */
  backward({ y }, gy, gl) {
    const [gb, glogs] = this.gradients;
    const scales = scalesOf(this.logs);
    const gx = gy.map((value, i) => value * scales[i % 2]);
    for (let i = 0; i < gx.length; i++) {
      gb[i % 2] += gx[i];
      glogs[i % 2] += LOGSCALE_FACTOR * (gy[i] * y[i] + gl);
    }
    return gx;
  }

  /** @param {Numbers} x */
  initialize(x) {
    const { b, logs } = standardizing(x, 2, this.isUnit);
    this.b.set(b);
    this.logs.set(logs);
    return this.forward(x).y;
  }
}

/** @param {Numbers} points */
const swapped = (points) => points.map((_, i) => points[i ^ 1]);

/**
 * Swaps both coordinates, so that each is the condition in some couplings. The flow on sentences
 * draws a random order, which for two coordinates is this swap or no change.
 * @type {Layer}
 */
export const REVERSAL = {
  name: "reversal",
  parameters: [],
  gradients: [],
  forward: (x) => ({ y: swapped(x), ladj: new Float64Array(x.length / 2) }),
  inverse: swapped,
  backward: (_, gy) => swapped(gy),
  initialize: swapped,
};

/**
 * x1 stays and decides, through a network of two hidden layers, how x2 changes.
 * Additive: y2 = x2 + m(x1). Affine: y2 = (x2 + t(x1)) sigmoid(s(x1) + 2).
 * @implements {Layer}
 */
export class Coupling {
  /** @param {Kind} kind @param {number} width @param {() => number} normal */
  constructor(kind, width, normal) {
    this.name = `${kind} coupling`;
    this.isAffine = kind === "affine";
    const nOut = this.isAffine ? 2 : 1;
    /** @param {number} n */
    const drawn = (n) => new Float64Array(n).map(() => WEIGHT_STD * normal());
    this.network = [
      new Linear(drawn(width), width, true),
      new Linear(drawn(width * width), width, true),
      new Linear(new Float64Array(nOut * width), nOut, false),
    ];
    this.parameters = this.network.flatMap((layer) => layer.parameters);
    this.gradients = this.network.flatMap((layer) => layer.gradients);
  }

  /** Return shift and log-scale of x2 for each x1, and the outputs of the network's layers. @param {Numbers} x1 */
  effect(x1) {
    const kept = [x1];
    for (const layer of this.network) kept.push(layer.forward(kept[kept.length - 1]));
    const out = kept[kept.length - 1];
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
    return { y, ladj: logScale, kept };
  }

  /** @param {Numbers} y */
  inverse(y) {
    const { shift, logScale } = this.effect(firsts(y));
    return y.map((value, i) =>
      i % 2 ? value * Math.exp(-logScale[i >> 1]) - shift[i >> 1] : value,
    );
  }

  /** @param {Passed} passed @param {Numbers} gy @param {number} gl */
  backward({ y, ladj, kept = [] }, gy, gl) {
    const gx = gy.map((value, i) => (i % 2 ? value * Math.exp(ladj[i >> 1]) : value));
    let g = kept[3].map((_, i) => {
      const row = this.isAffine ? i >> 1 : i;
      if (!this.isAffine || i % 2 === 0) return gx[2 * row + 1];
      // By log sigmoid(s + 2), whose derivative by s is 1 - sigmoid(s + 2).
      return (gy[2 * row + 1] * y[2 * row + 1] + gl) * (1 - Math.exp(ladj[row]));
    });
    for (let at = 2; at >= 0; at--) g = this.network[at].backward(kept[at], kept[at + 1], g);
    return gx.map((value, i) => (i % 2 ? value : value + g[i >> 1]));
  }

  /** @param {Numbers} x */
  initialize(x) {
    const [first, second] = this.network;
    second.initialize(first.initialize(firsts(x)));
    return this.forward(x).y;
  }
}

/** Return the first coordinate of each point. @param {Numbers} points */
function firsts(points) {
  return new Float64Array(points.length / 2).map((_, row) => points[2 * row]);
}
