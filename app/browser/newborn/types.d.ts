/* A recording as studies/newborn/recording.py writes it, and as it is drawn. */

export interface Frame {
  step: number;
  loss: number;
  mean_cosine: number;
  frequency_rho: number | null;
  norms: number[];
  unused_norm: number | null;
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

export interface Payload {
  run: string;
  is_live: boolean;
  recording: Recording;
}
