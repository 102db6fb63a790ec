/* A fit of a flow to points of the plane, one step at a time: Adam with bias-corrected
   moments, as in bertflow_core/flows. */

import { Flow } from "./flow.js";
import { shuffled, uniforms } from "./random.js";

/** @import { Architecture, Numbers } from "./types" */

const BATCH_SIZE = 256;
const [BETA1, BETA2, EPS] = [0.9, 0.999, 1e-6];

/**
 * Return a function that moves parameters by one step of Adam per call.
 * @param {Pick<Flow, "parameters" | "gradients">} flow whose parameters change in place
 * @param {number} lr
 */
export function adam({ parameters, gradients }, lr) {
  const [means, squares] = [0, 1].map(() =>
    parameters.map((each) => new Float64Array(each.length)),
  );
  let step = 0;
  return () => {
    step += 1;
    const [first, second] = [1 - BETA1 ** step, 1 - BETA2 ** step];
    parameters.forEach((values, p) => {
      const [mean, square, gradient] = [means[p], squares[p], gradients[p]];
      for (let i = 0; i < values.length; i++) {
        const g = gradient[i];
        mean[i] = BETA1 * mean[i] + (1 - BETA1) * g;
        square[i] = BETA2 * square[i] + (1 - BETA2) * g * g;
        values[i] -= (lr * mean[i]) / first / (Math.sqrt(square[i] / second) + EPS);
      }
    });
  };
}

export class Fit {
  /** @type {number[]} */
  #order = [];
  /** Bits per dimension of each step so far. @type {number[]} */
  bits = [];

  /**
   * @param {Numbers} points which may change between two steps
   * @param {Architecture & { lr: number }} choice
   */
  constructor(points, choice) {
    this.points = points;
    this.flow = new Flow(choice);
    this.flow.initialize(points);
    this.move = adam(this.flow, choice.lr);
    this.uniform = uniforms(choice.seed + 1);
  }

  get steps() {
    return this.bits.length;
  }

  /** Tell whether the last loss was not a number; further steps cannot help then. */
  get isBroken() {
    return this.steps > 0 && !Number.isFinite(this.bits[this.steps - 1]);
  }

  /** Take one step on the next batch of at most 256 points; an epoch has each point once. */
  step() {
    const n = this.points.length / 2;
    const size = Math.min(BATCH_SIZE, n);
    if (this.#order.length < size) this.#order = shuffled(n, this.uniform);
    const batch = this.#order
      .splice(0, size)
      .flatMap((row) => [this.points[2 * row], this.points[2 * row + 1]]);
    this.bits.push(this.flow.loss(Float64Array.from(batch)));
    if (!this.isBroken) this.move();
  }
}
