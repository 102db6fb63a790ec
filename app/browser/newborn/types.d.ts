/* A recording as `Recording.picture` of exhibits/newborn.py returns it. */

export interface Frame {
  step: number;
  loss: number;
  mean_cosine: number;
  frequency_rho: number | null;
  norms: number[];
  unused_norm: number;
  rho: number | null;
  random_cosine: number;
  /** x and y of each shown row in turn, in thousandths, with blanks between them. */
  places: string;
}

export interface Recording {
  words: string[];
  counts: number[];
  bins: string[];
  frames: Frame[];
}
