/* The density log p(x) = log N(z; 0, I) + log|det dz/dx| on the plane, as in bertflow_core/flows
   with one level: steps of ActNorm, reversal and coupling. Direction: forward is x -> z. */

import { ActNorm, Coupling, REVERSAL } from "./layers.js";
import { normals, uniforms } from "./random.js";

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
    this.gradients = this.layers.flatMap((layer) => layer.gradients);
  }

  /** Initialise each layer from points. @param {Numbers} points */
  initialize(points) {
    this.layers.reduce((x, layer) => layer.initialize(x), points);
  }

  /** Map points through the layers and keep every state. @param {Numbers} points @returns {Trace} */
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
   * Map points of the space after `from` layers back to the data; return h_0 to h_from.
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
    return logProbOf(this.trace(points));
  }

  /** Return the mean of -log2 p(x) / 2 over points, and set `gradients` to its gradients. @param {Numbers} points */
  loss(points) {
    for (const gradient of this.gradients) gradient.fill(0);
    const passed = this.#passes(points);
    const z = passed[passed.length - 1].y;
    const unit = 1 / (Math.LN2 * points.length);
    /** @type {Numbers} */
    let g = z.map((value) => value * unit);
    for (let at = passed.length - 1; at >= 0; at--)
      g = this.layers[at].backward(passed[at], g, -unit);
    const logs = logProbOf({ states: [z], ladj: passed.map(({ ladj }) => ladj) });
    return -unit * logs.reduce((sum, each) => sum + each, 0);
  }
}

/** Return log p of each point of a trace, in nats. @param {Trace} trace */
function logProbOf({ states, ladj }) {
  const z = states[states.length - 1];
  return new Float64Array(z.length / 2).map((_, row) =>
    ladj.reduce((sum, each) => sum + each[row], logNormal(z[2 * row], z[2 * row + 1])),
  );
}

/** Return log N((x, y); 0, I) in nats. @param {number} x @param {number} y */
export function logNormal(x, y) {
  return -0.5 * (x * x + y * y) - Math.log(2 * Math.PI);
}

/**
 * Return the Jacobian of a layer at a place, row by row. This overwrites the layer's gradients.
 * @param {Layer} layer
 * @param {readonly [number, number]} place
 * @returns {readonly [number, number, number, number]}
 */
export function jacobian(layer, place) {
  const passed = layer.forward(Float64Array.from(place));
  const [a, b] = layer.backward(passed, Float64Array.of(1, 0), 0);
  const [c, d] = layer.backward(passed, Float64Array.of(0, 1), 0);
  return [a, b, c, d];
}
