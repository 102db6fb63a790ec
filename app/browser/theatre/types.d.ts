/* What the flow view's modules hand each other. */

export type { Box, Theme } from "../shared/types";

/** Places of the plane one after the other, x before y. */
export type Places = Float32Array;

/** A square of the plane: its middle, and half of its side. */
export type Square = readonly [x: number, y: number, half: number];

export type Place = readonly [x: number, y: number];

/** One state of a fit. */
export interface State {
  step: number;
  bits: number;
  density: Float32Array;
  latent: Places;
  lines: Places;
}

/** The layers of one state: everything after 0 to L of them, one after the other. */
export interface Layers {
  state: number;
  names: string[];
  points: Places;
  lines: Places;
  way: Places;
}

/** A payload, read: `states` are new, `first` is the number of the first of them. */
export interface Payload {
  run: string;
  first: number;
  is_live: boolean;
  at: Place | null;
  box: Square;
  line_length: number;
  points: Places;
  latent_lines: Places;
  states: State[];
  layers: Layers | null;
}
