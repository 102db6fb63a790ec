/* What pictures.py sends. */

/** Coordinates in [-1, 1], to the right and up; the radius of a sphere is 1. */
export interface Curve {
  x: number[];
  y: number[];
}

/** What a sphere draws. */
export interface Points extends Curve {
  /** Any CSS colour. */
  colour: string;
  /** Above 0 for the points on the near side. */
  near: number[];
  /** The upper end of the arrow. */
  top: number;
}

export interface Titled extends Points {
  title: string;
  mean_length: number;
}

export interface Panel extends Titled {
  /** Angles in degrees, one per pair. */
  pair_angles: number[];
}

export interface Payload {
  panels: Panel[];
  /** Outline and circles, the same on each sphere. */
  circles: Curve[];
  /** Two sentences and their gold score; row i of a panel is the first of pair i, row n + i the second. */
  pairs: [string, string, number][];
  /** The lowest and the highest possible gold score. */
  scale: [number, number];
}
