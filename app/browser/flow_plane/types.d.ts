/* Types that the flow view's modules share. */

import type { Architecture } from "../flow/types";

export type { Architecture, Kind, Layer, Numbers, Trace } from "../flow/types";
export type { Box, Rgb, Theme } from "../shared/types";

/** A square of the plane: its centre and half of its side. */
export type Square = readonly [x: number, y: number, half: number];

export type Place = readonly [x: number, y: number];

/** Everything that decides what is fitted; `shape` names one of SHAPES, or is `drawn`. */
export interface Choice extends Architecture {
  shape: string;
  lr: number;
}

/** Which points are followed: the data, or draws from N(0, I) mapped back by the inverse. */
export type Source = "data" | "draws";
