/* What studies/depth/spheres.py sends. */

import type { Curve } from "../cone/types";

/** The sentences of one layer under one pooling. */
export interface SpaceData {
  /** The coordinates that contribute most to the random cosine, the largest first. */
  chosen: number[];
  /** Their shares of the mean cosine; none if it is not positive. */
  shares: number[];
  /** The mean of the fit corpus at the chosen coordinates. */
  mean: number[];
  /** The squared length of the rest of that mean. */
  rest_mean: number;
  /** The unit of each column of `numbers`. */
  scales: number[];
  /** Base64 of integers of 16 bits; `space.js` has their order. */
  numbers: string;
}

export interface LayerData {
  name: string;
  token_entropy: number | null;
  first_norm: number | null;
  /** The share of the first tokens in the random cosine; null if that is not positive. */
  first_part: number | null;
  /** Rho under the flow, where it is known. */
  flow: number | null;
  all: SpaceData;
  after_first: SpaceData;
}

export interface Payload {
  model: string;
  layers: LayerData[];
  /** The tilt of the view, in radians. */
  tilt: number;
  circles: Curve[];
  /** The number of scored pairs. */
  n: number;
  /** One per scored pair; null without gold scores, and `unscored` says why. */
  gold: number[] | null;
  unscored: string;
  scale: [number, number];
  /** The shown pairs, as places among the scored ones, and their sentences. */
  shown: number[];
  texts: [string, string][];
}

/** What is left out: bars by their rank, from 0. */
export interface State {
  out: ReadonlySet<number>;
  isCentred: boolean;
  isAfterFirst: boolean;
}
