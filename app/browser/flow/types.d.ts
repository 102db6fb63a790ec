/* What the modules of the flow on the plane hand each other. */

/** Numbers; points of the plane are written x before y, one point after the other. */
export type Numbers = Float64Array;

/** One layer applied to N points: what went out, log|det| of each, in nats. */
export interface Passed {
  y: Numbers;
  ladj: Numbers;
  /** What came into a network, and what left each of its layers. */
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
   * Add to `gradients` of a loss, and return its gradient by x; `gy` is that by y, `gl` that by the
   * log|det| of each point.
   */
  backward(passed: Passed, gy: Numbers, gl: number): Numbers;
  /** Choose the start from the points that come in; return those that go out. */
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
