/* What component.py sends. */

/** Numbers in [-1, 1]: across and up, as seen; the radius of a sphere is 1. */
export interface Curve {
  x: number[];
  y: number[];
}

/** What a sphere draws. */
export interface Points extends Curve {
  /** Any CSS colour. */
  colour: string;
  /** 1 for the points on the near side. */
  near: (0 | 1)[];
  /** The upper end of the arrow. */
  top: number;
}

export interface Panel extends Points {
  title: string;
  mean_length: number;
  /** In degrees, one a pair. */
  pair_angles: number[];
}

export interface Payload {
  panels: Panel[];
  /** Outline and circles, the same on each sphere. */
  circles: Curve[];
  /** Two sentences and people's grade; row i of a panel is the first of pair i, row n + i the second. */
  pairs: [string, string, number][];
  /** The lowest and the highest grade there is. */
  scale: [number, number];
}
