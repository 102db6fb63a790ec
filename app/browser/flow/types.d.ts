/* What the modules of the flow on the plane hand each other. */

/** Numbers; points of the plane are written x before y, one point after the other. */
export type Numbers = Float64Array;

/** What a network kept of a forward pass over N rows, to go back through it. */
export interface Kept {
  x: Numbers;
  h1: Numbers;
  h2: Numbers;
  out: Numbers;
}

/** One layer applied to N points: what came in, what went out, log|det| of each, in nats. */
export interface Passed {
  x: Numbers;
  y: Numbers;
  ladj: Numbers;
  kept?: Kept;
}

/** An invertible map of the plane. */
export interface Layer {
  readonly name: string;
  readonly parameters: Numbers[];
  forward(x: Numbers): Passed;
  inverse(y: Numbers): Numbers;
  /**
   * Add the gradients of a loss to `into`, one array per parameter, and return that by x; `gy` is
   * the gradient by y, `gl` that by the log|det| of each point.
   */
  backward(passed: Passed, gy: Numbers, gl: number, into: Numbers[]): Numbers;
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
