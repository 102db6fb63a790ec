/* Round numbers along an axis. */

const STEPS = [1, 2, 5, 10];

/** Return the multiples of 1, 2 or 5 times a power of ten in a range, at most `most` + 1. */
export function ticks([low, high], most) {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * STEPS.find((each) => each * power >= least);
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}
