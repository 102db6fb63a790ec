/* Types that the modules of the flow on the plane share. */

/** Numbers. Points of the plane are stored as x1, y1, x2, y2 and so on. */
export type Numbers = Float64Array;

/** One layer applied to N points: the outputs, and log|det| at each point in nats. */
export interface Passed {
  y: Numbers;
  ladj: Numbers;
  /** The inputs of a network, and the outputs of each of its layers. */
  kept?: Numbers[];
}

/** An invertible map of the plane. */
export interface Layer {
  readonly name: string;
  readonly parameters: Numbers[];
  readonly gradients: Numbers[];
  forward(x: Numbers): Passed;
  inverse(y: Numbers): Numbers;
  /**
   * Add to the `gradients` of a loss, and return its gradient by x. `gy` is its gradient by y, and
   * `gl` its gradient by the log|det| of each point.
   */
  backward(passed: Passed, gy: Numbers, gl: number): Numbers;
  /** Initialise the layer from its input points; return the output points. */
  initialize(x: Numbers): Numbers;
}

export type Kind = "additive" | "affine";

/** What a flow on the plane is made of. */
export interface Architecture {
  depth: number;
  width: number;
  coupling: Kind;
  seed: number;
}

/** Points through the layers: h_0 = x to h_L = z, and what each layer adds to log p(x). */
export interface Trace {
  states: Numbers[];
  ladj: Numbers[];
}
