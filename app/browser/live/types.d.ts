/* What the live page carries, and what its networks answer. */

import type { Curve } from "../cone/types";

/** Of n sentences in each space: cosines (n by n), and places across, up and near (n by 3). */
export interface Answer {
  cosines: number[][][];
  places: number[][][];
}

export interface Space {
  spec: string;
  /** The layers, or `plain output`. */
  layers: string;
  /** Any CSS colour. */
  colour: string;
  /** The upper end of the arrow. */
  top: number;
  /** Of the mean of the unit vectors of the data's sentences. */
  length: number;
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
  /** Bytes of each file that the page loads. */
  files: Record<string, number>;
  /** Most tokens of a sentence. */
  longest: number;
}
