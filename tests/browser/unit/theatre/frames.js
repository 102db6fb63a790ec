import { between, Frames } from "../../../../app/browser/theatre/frames.js";
import { equal, test } from "../harness.js";

/** @param {number} x */
function state(x) {
  return {
    step: x,
    bits: x,
    density: Float32Array.of(x),
    latent: Float32Array.of(x, -x),
    lines: Float32Array.of(0),
  };
}

/** @param {Frames} frames @param {string} run @param {number} first @param {number[]} xs */
function added(frames, run, first, ...xs) {
  return frames.add({ run, first, states: xs.map(state) });
}

test("states that are missing are noticed, and come again", () => {
  // Streamlit shows only the newest of two payloads that come at once.
  const frames = new Frames();
  equal([added(frames, "a", 0, 0, 10), added(frames, "a", 4, 40)], [false, true]);
  equal([added(frames, "a", 2, 20, 30, 40), frames.last], [false, 4]);
});

test("between two states the numbers are mixed", () => {
  const frames = new Frames();
  added(frames, "a", 0, 0, 10, 20);
  const { step, bits, density, latent } = frames.at(1.25);
  equal([step, bits, density, latent], [13, 12.5, [12.5], [12.5, -12.5]]);
  equal([frames.at(2).step, frames.at(9).step], [20, 20]);
});

test("another fit begins anew", () => {
  const frames = new Frames();
  added(frames, "a", 0, 1, 2);
  equal([added(frames, "b", 3, 1), frames.last], [true, -1]);
});

test("between two layers the rows are mixed", () => {
  const stack = Float32Array.of(0, 1, 10, 11, 20, 21);
  equal(between(stack, 2, 1), [10, 11]);
  equal(between(stack, 2, 1.5), [15, 16]);
  equal(between(stack, 2, 2), [20, 21]);
});
