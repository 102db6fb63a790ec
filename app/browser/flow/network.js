/* A coupling's network on one number, as bertflow_core/flows/glow.py has it: two hidden layers
   (linear, ActNorm, ReLU), and a linear one times exp(3 logs). */

import { LOGSCALE_FACTOR, scalesOf, standardizing } from "./actnorm.js";

/** @import { Kept, Numbers } from "./types" */

/** Standard deviation of the hidden weights at the start. */
const WEIGHT_STD = 0.05;

/** The network m of x1, or (t, s) where there are two outputs. */
export class Network {
  /** @param {number} width @param {number} nOutputs @param {() => number} normal */
  constructor(width, nOutputs, normal) {
    /** @param {number} n */
    const drawn = (n) => Float64Array.from({ length: n }, () => WEIGHT_STD * normal());
    /** @param {number} n */
    const zeros = (n) => new Float64Array(n);
    this.width = width;
    this.nOutputs = nOutputs;
    this.w1 = drawn(width);
    this.b1 = zeros(width);
    this.logs1 = zeros(width);
    this.w2 = drawn(width * width);
    this.b2 = zeros(width);
    this.logs2 = zeros(width);
    this.w3 = zeros(nOutputs * width);
    this.c = zeros(nOutputs);
    this.logs3 = zeros(nOutputs);
    const { w1, b1, logs1, w2, b2, logs2, w3, c, logs3 } = this;
    /** In the order of the core's. @type {Numbers[]} */
    this.parameters = [w1, w2, w3, c, logs3, b1, logs1, b2, logs2];
  }

  /** Return the outputs, row by row, and what they came from. @param {Numbers} x @returns {Kept} */
  forward(x) {
    const { width, nOutputs, w2, b2, w3, c } = this;
    const [scales2, scales3] = [this.logs2, this.logs3].map(scalesOf);
    const h1 = this.#first(x);
    const [h2, out] = [width, nOutputs].map((n) => new Float64Array(x.length * n));
    for (let row = 0; row < x.length; row++) {
      for (let j = 0; j < width; j++) {
        const sum = dot(w2, j * width, h1, row * width, width);
        h2[row * width + j] = Math.max(0, (sum + b2[j]) * scales2[j]);
      }
      for (let k = 0; k < nOutputs; k++) {
        const sum = dot(w3, k * width, h2, row * width, width);
        out[row * nOutputs + k] = (sum + c[k]) * scales3[k];
      }
    }
    return { x, h1, h2, out };
  }

  /** Return the first hidden layer. @param {Numbers} x */
  #first(x) {
    const { width, w1, b1 } = this;
    const scales = scalesOf(this.logs1);
    return new Float64Array(x.length * width).map((_, at) => {
      const i = at % width;
      return Math.max(0, (w1[i] * x[(at - i) / width] + b1[i]) * scales[i]);
    });
  }

  /**
   * Add the gradients by the parameters to `into`, and return that by x.
   * @param {Kept} kept
   * @param {Numbers} gout the gradient by the outputs
   * @param {Numbers[]} into in the order of `parameters`
   */
  backward({ x, h1, h2, out }, gout, [gw1, gw2, gw3, gc, glogs3, gb1, glogs1, gb2, glogs2]) {
    const { width, nOutputs, w1, w2, w3 } = this;
    const [scales1, scales2, scales3] = [this.logs1, this.logs2, this.logs3].map(scalesOf);
    const gx = new Float64Array(x.length);
    const [gh1, gh2] = [new Float64Array(width), new Float64Array(width)];
    for (let row = 0; row < x.length; row++) {
      const start = row * width;
      gh1.fill(0);
      gh2.fill(0);
      for (let k = 0; k < nOutputs; k++) {
        const at = row * nOutputs + k;
        glogs3[k] += LOGSCALE_FACTOR * gout[at] * out[at];
        const g = gout[at] * scales3[k];
        gc[k] += g;
        for (let j = 0; j < width; j++) {
          gw3[k * width + j] += g * h2[start + j];
          gh2[j] += g * w3[k * width + j];
        }
      }
      for (let j = 0; j < width; j++) {
        if (h2[start + j] === 0) continue; // ReLU passes nothing back
        glogs2[j] += LOGSCALE_FACTOR * gh2[j] * h2[start + j];
        const g = gh2[j] * scales2[j];
        gb2[j] += g;
        for (let i = 0; i < width; i++) {
          gw2[j * width + i] += g * h1[start + i];
          gh1[i] += g * w2[j * width + i];
        }
      }
      for (let i = 0; i < width; i++) {
        if (h1[start + i] === 0) continue;
        glogs1[i] += LOGSCALE_FACTOR * gh1[i] * h1[start + i];
        const g = gh1[i] * scales1[i];
        gb1[i] += g;
        gw1[i] += g * x[row];
        gx[row] += g * w1[i];
      }
    }
    return gx;
  }

  /** Give both hidden layers their start from the inputs. @param {Numbers} x */
  initialize(x) {
    const { width, w1, w2 } = this;
    const rows = new Float64Array(x.length * width);
    const first = standardizing(
      rows.map((_, at) => w1[at % width] * x[Math.floor(at / width)]),
      width,
      true,
    );
    this.b1.set(first.b);
    this.logs1.set(first.logs);
    const h1 = this.#first(x);
    const second = standardizing(
      rows.map((_, at) => dot(w2, (at % width) * width, h1, at - (at % width), width)),
      width,
      true,
    );
    this.b2.set(second.b);
    this.logs2.set(second.logs);
  }
}

/**
 * Return the sum of products of two stretches of `n` numbers.
 * @param {Numbers} a
 * @param {number} atA
 * @param {Numbers} b
 * @param {number} atB
 * @param {number} n
 */
function dot(a, atA, b, atB, n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[atA + i] * b[atB + i];
  return sum;
}
