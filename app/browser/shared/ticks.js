/* Round numbers along an axis, written with as many digits as tell them apart. */

/** @typedef {readonly [low: number, high: number]} Range */

const STEPS = [1, 2, 5, 10];
const MOST_DIGITS = 12;

/**
 * Return the multiples of 1, 2 or 5 times a power of ten in a range, at most `most` + 1, each as
 * `{ value, text }`.
 * @param {Range} range
 * @param {number} most
 */
export function ticks([low, high], most) {
  const least = (high - low) / most;
  const power = 10 ** power10(least);
  const step = power * (STEPS.find((each) => each * power >= least) ?? 10);
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const value = (first + i) * step;
    return { value, text: written(value, step) };
  });
}

/** @param {number} value @param {number} step */
function written(value, step) {
  const digits = value ? power10(value) - power10(step) + 1 : 1;
  const maximumSignificantDigits = Math.min(MOST_DIGITS, Math.max(1, digits));
  return value.toLocaleString("en", { maximumSignificantDigits });
}

/** @param {number} value */
function power10(value) {
  return Math.floor(Math.log10(Math.abs(value)));
}
