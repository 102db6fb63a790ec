import { chartsAcross, chartsOf } from "../../../../app/browser/newborn/charts.js";
import { Reel, sharesOf } from "../../../../app/browser/newborn/reel.js";
import { describe, Words } from "../../../../app/browser/newborn/words.js";
import { readTheme } from "../../../../app/browser/shared/palette.js";
import { equal, near, test } from "../harness.js";

const FRAME = { loss: 5, mean_cosine: 0.1, frequency_rho: null, norms: [1, 2], rho: 0.5 };
const RECORDING = {
  words: ["the", "cat", "[unused0]"],
  counts: [100, 1, 0],
  bins: ["50 most frequent", "ranks 51 to 60"],
  frames: [
    { ...FRAME, step: 0, unused_norm: 3, random_cosine: 0.2, places: "0 0 1000 -500 0 0" },
    { ...FRAME, step: 10, unused_norm: 4, random_cosine: 0.4, places: "0 1000 2000 0 -4000 0" },
  ],
};

test("places are thousandths, and words move in a straight line between frames", () => {
  const reel = new Reel(RECORDING);
  near(reel.at(0), [0, 0, 1, -0.5, 0, 0]);
  near(reel.at(0.25), [0, 0.25, 1.25, -0.375, -1, 0]);
  near(reel.at(1), [0, 1, 2, 0, -4, 0]);
  near(reel.step(0.25), 2.5);
  equal(reel.frame(0.9).step, 0);
  equal(reel.reach, { low: [-4, -0.5], high: [2, 1] });
});

test("colours follow the logarithm of counts; what never occurs has none", () => {
  const [most, once, never] = sharesOf([100, 1, 0]);
  near([most ?? -1, sharesOf([100, 10])[1] ?? -1, once ?? -1], [1, 0.5, 0]);
  equal(never, null);
});

test("charts hold a line a bin and one for what never occurs", () => {
  const values = chartsOf(new Reel(RECORDING)).map(([, lines]) => lines.map(([, , each]) => each));
  equal(values, [
    [
      [0.1, 0.1],
      [null, null],
    ],
    [
      [1, 1],
      [2, 2],
      [3, 4],
    ],
    [
      [0.2, 0.4],
      [0.5, 0.5],
    ],
    [[5, 5]],
  ]);
});

test("charts stand side by side where there is room", () => {
  equal([chartsAcross(800), chartsAcross(300)], [2, 1]);
});

test("the word under the pointer is found and described", () => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas.style, { width: "400px", height: "300px", display: "block" });
  document.body.append(canvas);
  const reel = new Reel(RECORDING);
  const words = new Words(canvas, readTheme(canvas), reel, 1);
  const [x, y] = words.pixel(2, 0);
  const [left, below] = words.pixel(1, -1);
  equal(left < x && below > y, true);
  equal([words.nearest(x + 3, y), words.nearest(x, y + 99)], [1, -1]);
  equal(
    [0, 1, 2].map((row) => describe(reel, row)),
    ["the: 100 times", "cat: once", "never occurs"],
  );
  canvas.remove();
});
