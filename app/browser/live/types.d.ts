/* What the live page carries, and what its networks answer. */

import type { Curve } from "../cone/types";

/** Of n sentences in S spaces: cosines (S, n, n), and places across, up and near (S, n, 3), flat. */
export type Answer = [cosines: ArrayLike<number>, places: ArrayLike<number>];

export interface Space {
  /** Of its sphere: layers and calibrator. */
  title: string;
  spec: string;
  /** Any CSS colour. */
  colour: string;
  /** The upper end of the arrow. */
  top: number;
  /** Of the mean of the unit vectors of the data's sentences. */
  mean_length: number;
}

export interface Example {
  title: string;
  watch: string;
  sentences: string[];
  answer: Answer;
}

export interface Payload {
  /** The middle layer, the same under each calibrator, the plain output. */
  spaces: Space[];
  circles: Curve[];
  examples: Example[];
  /** Bytes of each file that the page reads. */
  files: Record<string, number>;
  /** Most tokens of a sentence. */
  longest: number;
}
