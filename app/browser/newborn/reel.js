/* The frames of a recording as numbers, and the places of words between two of them. */

/** @import { Chart, Frame, Recording } from "./types" */

const THOUSANDTHS = 1_000;

/** A recording that can be looked at anywhere between its frames. */
export class Reel {
  /** @param {Recording} recording */
  constructor(recording) {
    this.words = recording.words;
    this.counts = recording.counts;
    this.bins = recording.bins;
    this.frames = recording.frames;
    this.places = recording.frames.map(({ places }) =>
      Float32Array.from(places.split(" "), (text) => Number(text) / THOUSANDTHS),
    );
    this.shares = sharesOf(recording.counts);
    this.reach = reachOf(this.places);
  }

  get last() {
    return this.frames.length - 1;
  }

  /** Return the frame at or before a position. @param {number} position @returns {Frame} */
  frame(position) {
    return this.frames[Math.min(this.last, Math.floor(position + 1e-6))];
  }

  /** Return the step at a position, also between frames. @param {number} position */
  step(position) {
    const from = Math.min(this.last, Math.floor(position));
    const [a, b] = [this.frames[from], this.frames[Math.min(this.last, from + 1)]];
    return a.step + (position - from) * (b.step - a.step);
  }

  /** Return x and y of every row in turn at a position. @param {number} position */
  at(position) {
    const from = Math.min(this.last, Math.floor(position));
    const share = position - from;
    const a = this.places[from];
    const b = this.places[Math.min(this.last, from + 1)];
    return share > 0 ? a.map((value, i) => value + share * (b[i] - value)) : a;
  }

  /** Return what is drawn beside the words. @returns {Chart[]} */
  charts() {
    const { frames, bins } = this;
    /** @type {(name: string, colour: number, of: (frame: Frame) => number | null) => any} */
    const line = (name, colour, of) => ({ name, colour, values: frames.map(of) });
    const norms = bins.map((bin, i) => line(bin, i, ({ norms }) => norms[i]));
    if (frames[0].unused_norm !== null)
      norms.push(line("never occur", 3, ({ unused_norm }) => unused_norm));
    return [
      {
        title: "Words: cone, frequency",
        lines: [
          line("mean cosine", 0, ({ mean_cosine }) => mean_cosine),
          line("|rho| with frequency", 2, ({ frequency_rho }) => frequency_rho),
        ],
      },
      { title: "Words: mean norm", lines: norms },
      {
        title: "Sentences: cone, rho",
        lines: [
          line("mean cosine", 0, ({ random_cosine }) => random_cosine),
          line("rho with people", 3, ({ rho }) => rho),
        ],
      },
      { title: "Loss, nats", lines: [line("masked words", 0, ({ loss }) => loss)] },
    ];
  }
}

/** Return the place of each count on a log scale, 0 for the rarest, 1 for the most frequent. */
/** @param {number[]} counts @returns {(number | null)[]} null for what never occurs */
export function sharesOf(counts) {
  const top = Math.log(Math.max(2, ...counts));
  return counts.map((count) => (count > 0 ? Math.log(count) / top : null));
}

/** Return the least and largest x and y of all frames. @param {Float32Array[]} all */
function reachOf(all) {
  const [low, high] = [
    [0, 0],
    [0, 0],
  ];
  for (const places of all) {
    places.forEach((value, i) => {
      low[i % 2] = Math.min(low[i % 2], value);
      high[i % 2] = Math.max(high[i % 2], value);
    });
  }
  return { low, high };
}
