/* The frames of a recording as numbers, and the places of words between two frames. */

/** @import { Recording } from "./types" */

const THOUSANDTHS = 1_000;

/** A recording that can be shown at any position, also between its frames. */
export class Reel {
  /** @param {Recording} recording */
  constructor({ words, counts, bins, frames }) {
    this.words = words;
    this.counts = counts;
    this.bins = bins;
    this.frames = frames;
    this.places = frames.map(({ places }) =>
      Float32Array.from(places.split(" "), (text) => Number(text) / THOUSANDTHS),
    );
    this.shares = sharesOf(counts);
    /** The range of x and y over all frames and the origin. */
    this.reach = { low: [0, 0], high: [0, 0] };
    const { low, high } = this.reach;
    for (const places of this.places)
      places.forEach((value, i) => {
        low[i % 2] = Math.min(low[i % 2], value);
        high[i % 2] = Math.max(high[i % 2], value);
      });
  }

  get last() {
    return this.frames.length - 1;
  }

  /** Return the frame at or before a position. @param {number} position */
  frame(position) {
    return this.frames[Math.min(this.last, Math.floor(position + 1e-6))];
  }

  /** Return the two frames around a position, and how far it is from the first to the second. @param {number} position */
  #between(position) {
    const from = Math.min(this.last, Math.floor(position));
    return { from, to: Math.min(this.last, from + 1), share: position - from };
  }

  /** Return the step at a position, also between frames. @param {number} position */
  step(position) {
    const { from, to, share } = this.#between(position);
    const { step } = this.frames[from];
    return step + share * (this.frames[to].step - step);
  }

  /** Return x and y of every row in turn at a position. @param {number} position */
  at(position) {
    const { from, to, share } = this.#between(position);
    const next = this.places[to];
    return this.places[from].map((value, i) => value + share * (next[i] - value));
  }
}

/**
 * Return the place of each count on a log scale, 0 for the rarest, 1 for the most frequent, null for
 * a word that never occurs.
 * @param {number[]} counts
 */
export function sharesOf(counts) {
  const top = Math.log(Math.max(2, ...counts));
  return counts.map((count) => (count > 0 ? Math.log(count) / top : null));
}
