/* The data of the live page, and the answers of its networks. */

import type { Curve } from "../cone/types";

/** For n sentences in S spaces, flat: cosines (S, n, n), and coordinates right, up and towards the viewer (S, n, 3). */
export type Answer = [cosines: ArrayLike<number>, places: ArrayLike<number>];

export interface Space {
  /** Title of the sphere: layers and calibrator. */
  title: string;
  spec: string;
  /** Any CSS colour. */
  colour: string;
  /** The upper end of the arrow. */
  top: number;
  /** Length of the mean of the data's unit vectors. */
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
