/* The density log p(x) = log N(z; 0, I) + log|det dz/dx| on the plane, as bertflow_core/flows has it
   at one level: steps of ActNorm, reversal and coupling. Direction: forward is x -> z. */

import { ActNorm } from "./actnorm.js";
import { Coupling } from "./coupling.js";
import { normals, uniforms } from "./random.js";
import { REVERSAL } from "./reversal.js";

/** @import { Architecture, Layer, Numbers, Trace } from "./types" */

/** A flow; `layers` are applied in order. */
export class Flow {
  /** @param {Architecture} architecture */
  constructor({ depth, width, coupling, seed }) {
    const normal = normals(uniforms(seed));
    /** @type {Layer[]} */
    this.layers = Array.from({ length: depth }, (_, step) => [
      new ActNorm(step > 0),
      REVERSAL,
      new Coupling(coupling, width, normal),
    ]).flat();
    this.parameters = this.layers.flatMap((layer) => layer.parameters);
  }

  /** Give each layer its start from points. @param {Numbers} points */
  initialize(points) {
    this.layers.reduce((x, layer) => layer.initialize(x), points);
  }

  /** Follow points through the layers. @param {Numbers} points @returns {Trace} */
  trace(points) {
    const passed = this.#passes(points);
    return { states: [points, ...passed.map(({ y }) => y)], ladj: passed.map(({ ladj }) => ladj) };
  }

  /** @param {Numbers} points */
  #passes(points) {
    let x = points;
    return this.layers.map((layer) => {
      const passed = layer.forward(x);
      x = passed.y;
      return passed;
    });
  }

  /**
   * Follow points of the space after `from` layers back to the data: h_0 to h_from.
   * @param {Numbers} points
   * @param {number} from
   */
  back(points, from = this.layers.length) {
    const states = [points];
    for (let at = from - 1; at >= 0; at--) states.unshift(this.layers[at].inverse(states[0]));
    return states;
  }

  /** Return log p of each point in nats. @param {Numbers} points */
  logProb(points) {
    const { states, ladj } = this.trace(points);
    const z = /** @type {Numbers} */ (states.at(-1));
    return new Float64Array(points.length / 2).map((_, row) =>
      ladj.reduce((sum, each) => sum + each[row], logNormal(z[2 * row], z[2 * row + 1])),
    );
  }

  /**
   * Return the mean of -log2 p(x) / 2 over points, and its gradients in the order of `parameters`.
   * @param {Numbers} points
   */
  gradients(points) {
    const passed = this.#passes(points);
    const [n, z] = [points.length / 2, /** @type {Numbers} */ (passed.at(-1)?.y ?? points)];
    const unit = 1 / (2 * Math.LN2 * n);
    let bits = 0;
    for (let row = 0; row < n; row++) {
      const ladj = passed.reduce((sum, each) => sum + each.ladj[row], 0);
      bits -= unit * (logNormal(z[2 * row], z[2 * row + 1]) + ladj);
    }
    const gradients = this.parameters.map((values) => new Float64Array(values.length));
    /** @type {Numbers} */
    let g = z.map((value) => value * unit);
    let end = gradients.length;
    for (let at = this.layers.length - 1; at >= 0; at--) {
      const layer = this.layers[at];
      const start = end - layer.parameters.length;
      g = layer.backward(passed[at], g, -unit, gradients.slice(start, end));
      end = start;
    }
    return { bits, gradients };
  }
}

/** Return log N((x, y); 0, I) in nats. @param {number} x @param {number} y */
export function logNormal(x, y) {
  return -0.5 * (x * x + y * y) - Math.log(2 * Math.PI);
}

/**
 * Return the Jacobian of a layer at a place, by rows.
 * @param {Layer} layer
 * @param {readonly [number, number]} place
 * @returns {readonly [number, number, number, number]}
 */
export function jacobian(layer, place) {
  const passed = layer.forward(Float64Array.from(place));
  const nowhere = layer.parameters.map((values) => new Float64Array(values.length));
  const [a, b] = layer.backward(passed, Float64Array.of(1, 0), 0, nowhere);
  const [c, d] = layer.backward(passed, Float64Array.of(0, 1), 0, nowhere);
  return [a, b, c, d];
}
