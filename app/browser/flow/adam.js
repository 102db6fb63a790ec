/* Adam with corrected moments, as bertflow_core/flows has it. */

/** @import { Numbers } from "./types" */

const [BETA1, BETA2, EPS] = [0.9, 0.999, 1e-6];

export class Adam {
  #step = 0;

  /** @param {Numbers[]} parameters which the steps change in place @param {number} lr */
  constructor(parameters, lr) {
    this.parameters = parameters;
    this.lr = lr;
    this.means = parameters.map((values) => new Float64Array(values.length));
    this.squares = parameters.map((values) => new Float64Array(values.length));
  }

  /** Move every parameter by its gradient. @param {Numbers[]} gradients */
  step(gradients) {
    this.#step += 1;
    const [first, second] = [1 - BETA1 ** this.#step, 1 - BETA2 ** this.#step];
    this.parameters.forEach((values, p) => {
      const [mean, square] = [this.means[p], this.squares[p]];
      for (let i = 0; i < values.length; i++) {
        const g = gradients[p][i];
        mean[i] = BETA1 * mean[i] + (1 - BETA1) * g;
        square[i] = BETA2 * square[i] + (1 - BETA2) * g * g;
        values[i] -= (this.lr * mean[i]) / first / (Math.sqrt(square[i] / second) + EPS);
      }
    });
  }
}
