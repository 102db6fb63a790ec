/* ActNorm on the plane, as bertflow_core/flows/glow.py has it: y = (x + b) exp(3 logs). */

/** @import { Layer, Numbers, Passed } from "./types" */

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

/** @implements {Layer} */
export class ActNorm {
  name = "ActNorm";
  b = new Float64Array(2);
  logs = new Float64Array(2);
  parameters = [this.b, this.logs];

  /** @param {boolean} isUnit whether its points were normalised by a layer before */
  constructor(isUnit) {
    this.isUnit = isUnit;
  }

  /** @param {Numbers} x @returns {Passed} */
  forward(x) {
    const scales = scalesOf(this.logs);
    const y = x.map((value, i) => (value + this.b[i % 2]) * scales[i % 2]);
    const ladj = LOGSCALE_FACTOR * (this.logs[0] + this.logs[1]);
    return { x, y, ladj: new Float64Array(x.length / 2).fill(ladj) };
  }

  /** @param {Numbers} y */
  inverse(y) {
    const scales = scalesOf(this.logs);
    return y.map((value, i) => value / scales[i % 2] - this.b[i % 2]);
  }

  /** @param {Passed} passed @param {Numbers} gy @param {number} gl @param {Numbers[]} into */
  backward({ x, y }, gy, gl, [gb, glogs]) {
    const scales = scalesOf(this.logs);
    const gx = gy.map((value, i) => value * scales[i % 2]);
    for (let i = 0; i < x.length; i++) {
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
