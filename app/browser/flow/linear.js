/* Affine maps of rows, initialised from data: parts of ActNorm and of a coupling's network. */

/** @import { Numbers } from "./types" */

/** How much faster than its parameter a log-scale moves. */
export const LOGSCALE_FACTOR = 3;
const SCALE_FLOOR = 1e-6;

/**
 * Return b and logs that standardize columns of rows; a constant column keeps its scale.
 * @param {Numbers} rows one after the other
 * @param {number} width of a row
 * @param {boolean} isUnit whether the rows were normalised before
 */
export function standardizing(rows, width, isUnit) {
  const n = rows.length / width;
  const [means, stds] = [new Float64Array(width), new Float64Array(width)];
  for (let i = 0; i < rows.length; i++) means[i % width] += rows[i] / n;
  for (let i = 0; i < rows.length; i++) stds[i % width] += (rows[i] - means[i % width]) ** 2 / n;
  const largest = isUnit ? 1 : Math.sqrt(Math.max(...stds));
  return {
    b: means.map((mean) => -mean),
    logs: stds.map((variance) => {
      const std = Math.sqrt(variance);
      return std > SCALE_FLOOR * largest ? -Math.log(std) / LOGSCALE_FACTOR : 0;
    }),
  };
}

/** Return exp(3 logs). @param {Numbers} logs */
export function scalesOf(logs) {
  return logs.map((each) => Math.exp(LOGSCALE_FACTOR * each));
}

/** One layer of a network: (W x + b) exp(3 logs), and a ReLU if it is hidden. */
export class Linear {
  /** @param {Numbers} w weights, one output after the other @param {number} nOut @param {boolean} isHidden */
  constructor(w, nOut, isHidden) {
    this.w = w;
    this.b = new Float64Array(nOut);
    this.logs = new Float64Array(nOut);
    this.nIn = w.length / nOut;
    this.isHidden = isHidden;
    this.parameters = [this.w, this.b, this.logs];
    this.gradients = this.parameters.map((values) => new Float64Array(values.length));
  }

  /** @param {Numbers} x rows one after the other */
  forward(x) {
    const { b, isHidden } = this;
    const scales = scalesOf(this.logs);
    return this.#products(x).map((sum, at) => {
      const y = (sum + b[at % b.length]) * scales[at % b.length];
      return isHidden ? Math.max(0, y) : y;
    });
  }

  /** Return W x of each row. @param {Numbers} x */
  #products(x) {
    const { w, nIn, b } = this;
    const products = new Float64Array((x.length / nIn) * b.length);
    for (let row = 0, at = 0; row < x.length; row += nIn)
      for (let from = 0; from < w.length; from += nIn, at++) {
        let sum = 0;
        for (let i = 0; i < nIn; i++) sum += w[from + i] * x[row + i];
        products[at] = sum;
      }
    return products;
  }

  /**
   * Add to `gradients`, and return the gradient by x.
   * @param {Numbers} x
   * @param {Numbers} y the output of `forward` for x
   * @param {Numbers} gy the gradient by y
   */
  backward(x, y, gy) {
    const { w, nIn, isHidden } = this;
    const [gw, gb, glogs] = this.gradients;
    const scales = scalesOf(this.logs);
    const gx = new Float64Array(x.length);
    for (let at = 0; at < y.length; at++) {
      if (isHidden && y[at] === 0) continue; // ReLU passes nothing back
      const out = at % gb.length;
      const [from, row] = [out * nIn, ((at - out) / gb.length) * nIn];
      const g = gy[at] * scales[out];
      glogs[out] += LOGSCALE_FACTOR * gy[at] * y[at];
      gb[out] += g;
      for (let i = 0; i < nIn; i++) {
        gw[from + i] += g * x[row + i];
        gx[row + i] += g * w[from + i];
      }
    }
    return gx;
  }

  /** Set b and logs so that the output is standardized, and return it. @param {Numbers} x */
  initialize(x) {
    const { b, logs } = standardizing(this.#products(x), this.b.length, true);
    this.b.set(b);
    this.logs.set(logs);
    return this.forward(x);
  }
}
