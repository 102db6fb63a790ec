import { ticks } from "../../../../app/browser/shared/chart.js";
import { equal, near, test } from "../harness.js";

/** @type {[number, number, number, string][]} */
const AXES = [
  [-0.22, 5.22, 6, "0 1 2 3 4 5"],
  [-0.13, 1.03, 4, "0 0.5 1"],
  [0.39, 15.6, 8, "2 4 6 8 10 12 14"],
  [-3e-7, 2e-7, 5, "-3e-7 -2e-7 -1e-7 0 1e-7 2e-7"],
  [-1, 1, 2, "-1 0 1"],
  [7000, 7100, 3, "7000 7050 7100"],
  [-0.20003, -0.19998, 6, "-0.20003 -0.20002 -0.20001 -0.2 -0.19999 -0.19998"],
];

for (const [low, high, most, expected] of AXES) {
  test(`the ticks of ${low} to ${high} are round numbers`, () => {
    const values = expected.split(" ").map(Number);
    const all = ticks([low, high], most);
    near(
      all.map(({ value }) => value),
      values,
      1e-12,
    );
    equal(
      all.map(({ text }) => Number(text.replaceAll(",", ""))),
      values,
    );
  });
}

test("a step of 2 is written without needless digits", () => {
  equal(
    ticks([0, 1], 5).map(({ text }) => text),
    ["0", "0.2", "0.4", "0.6", "0.8", "1"],
  );
});
