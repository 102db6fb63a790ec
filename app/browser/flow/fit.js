/* A fit of a flow to points of the plane, one step at a time. */

import { Adam } from "./adam.js";
import { Flow } from "./flow.js";
import { shuffled, uniforms } from "./random.js";

/** @import { Architecture, Numbers } from "./types" */

const BATCH_SIZE = 256;

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
    this.optimizer = new Adam(this.flow.parameters, choice.lr);
    this.uniform = uniforms(choice.seed + 1);
  }

  get steps() {
    return this.bits.length;
  }

  /** Tell whether the last loss was no number: then no step helps any more. */
  get isBroken() {
    return this.steps > 0 && !Number.isFinite(this.bits[this.steps - 1]);
  }

  /** Take one step, on at most 256 points. */
  step() {
    const { bits, gradients } = this.flow.gradients(this.#batch());
    this.bits.push(bits);
    if (!this.isBroken) this.optimizer.step(gradients);
  }

  /** Return the next points of a random order, in which each occurs once. */
  #batch() {
    const n = this.points.length / 2;
    const size = Math.min(BATCH_SIZE, n);
    if (this.#order.length < size) this.#order = shuffled(n, this.uniform);
    const batch = new Float64Array(2 * size);
    this.#order.splice(0, size).forEach((row, i) => {
      batch.set(this.points.subarray(2 * row, 2 * row + 2), 2 * i);
    });
    return batch;
  }
}
