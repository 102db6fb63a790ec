/* AdamW with corrected moments, and the clipping before it, as bertflow_core/flows has them. */

/** @import { Numbers } from "./types" */

const [BETA1, BETA2, EPS, WEIGHT_DECAY, CLIP_NORM] = [0.9, 0.999, 1e-6, 0.01, 1];

export class AdamW {
  #step = 0;

  /** @param {Numbers[]} parameters which the steps change in place @param {number} lr */
  constructor(parameters, lr) {
    this.parameters = parameters;
    this.lr = lr;
    this.means = parameters.map((values) => new Float64Array(values.length));
    this.squares = parameters.map((values) => new Float64Array(values.length));
  }

  /** Move every parameter by its gradient, clipped to a global norm of 1. @param {Numbers[]} gradients */
  step(gradients) {
    this.#step += 1;
    const norm = Math.hypot(...gradients.map((each) => Math.hypot(...each)));
    const share = Math.min(1, CLIP_NORM / (norm + 1e-6));
    const [first, second] = [1 - BETA1 ** this.#step, 1 - BETA2 ** this.#step];
    this.parameters.forEach((values, p) => {
      const [mean, square] = [this.means[p], this.squares[p]];
      for (let i = 0; i < values.length; i++) {
        const g = share * gradients[p][i];
        mean[i] = BETA1 * mean[i] + (1 - BETA1) * g;
        square[i] = BETA2 * square[i] + (1 - BETA2) * g * g;
        const step = mean[i] / first / (Math.sqrt(square[i] / second) + EPS);
        values[i] -= this.lr * (WEIGHT_DECAY * values[i] + step);
      }
    });
  }
}
