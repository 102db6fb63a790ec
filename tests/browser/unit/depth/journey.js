import { curvesOf } from "../../../../app/browser/depth/curves.js";
import { AS_IT_IS, Journey } from "../../../../app/browser/depth/journey.js";
import { sentence } from "../../../../app/browser/depth/sentence.js";
import { spearman } from "../../../../app/browser/depth/space.js";
import { equal, near, test } from "../harness.js";

/** Return numbers as the server packs them. @param {number[]} numbers */
function packed(numbers) {
  return btoa(String.fromCharCode(...new Uint8Array(Int16Array.from(numbers).buffer)));
}

/*
 * Two pairs in two coordinates and a rest of length 1, whose mean is 0: (3, 0 | a), (4, 0 | b) and
 * (3, 4 | a), (3, 0 | b), where a and b are orthogonal. The mean at the coordinates is (1, 0).
 */
const SPACE = {
  ...{ chosen: [7, 2], shares: [0.6, 0.3], mean: [1, 0], rest_mean: 0, scales: Array(6).fill(1) },
  numbers: packed([
    ...[2, 2, 3, 2], // the first coordinate of both first and both second sentences, less its mean
    ...[0, 4, 0, 0],
    ...[1, 1, 1, 1],
    ...[0, 0, 0, 0],
    ...[0, 0], // within the pairs
    ...[1, 0, 0, 0, 0, 1], // of rows 0, 1, 2, 3
  ]),
};
const LAYER = { token_entropy: 0.5, first_norm: 10, first_part: 0.25, flow: 0.7 };
const DATA = {
  model: "tiny",
  layers: [{ ...LAYER, name: "0", all: SPACE, after_first: SPACE }],
  ...{ tilt: 0, circles: [], n: 2, gold: [1, 5], unscored: "", shown: [0, 1] },
  scale: /** @type {[number, number]} */ ([0, 5]),
  texts: /** @type {[string, string][]} */ ([
    ["a", "b"],
    ["c", "d"],
  ]),
};
const both = (/** @type {number[]} */ ...out) => ({ ...AS_IT_IS, out: new Set(out) });

test("cosines follow from the products, whatever is left out", () => {
  const space = new Journey(DATA).space(0, AS_IT_IS);
  near(space.cosines(AS_IT_IS), [12 / Math.sqrt(10 * 17), 9 / Math.sqrt(26 * 10)]);
  near(space.cosines(both(1)), [12 / Math.sqrt(10 * 17), 9 / 10]);
  near(space.cosines(both(0, 1)), [0, 0]);
  near(space.cosines({ ...AS_IT_IS, isCentred: true }), [6 / Math.sqrt(50), 4 / Math.sqrt(105)]);
  near(space.gram(both(0)).slice(0, 4), [1, 1 / Math.sqrt(17), 0, 0]);
});

test("the pairs that change most have their cosines before and now", () => {
  const journey = new Journey(DATA);
  equal(journey.mostChanged(0, AS_IT_IS), []);
  const [first, second, ...others] = journey.mostChanged(0, both(0, 1));
  equal([first.pair, second.pair, others], [0, 1, []]);
  near([first.before, first.now], [12 / Math.sqrt(10 * 17), 0]);
  near([second.before, second.now], [9 / Math.sqrt(26 * 10), 0]);
});

test("equal values share a rank", () => {
  near(spearman([1, 2, 2, 4], [1, 2, 3, 4]), 4.5 / Math.sqrt(4.5 * 5));
  near(spearman([1, 2, 3], [3, 2, 1]), -1);
});

test("the sentence says what makes the cosine and what leaving it out does", () => {
  const journey = new Journey(DATA);
  const made = "In layer 0, coordinates 7 and 2 make 90 % of the cosine of two random sentences";
  const start = `${made}; the first token accounts for 25 % of it. `;
  equal(sentence(journey, 0, AS_IT_IS), `${start}Rho x 100 is -100.00; the flow gives 70.00.`);
  const one = sentence(journey, 0, { ...both(1), isCentred: true });
  equal(one.startsWith(`${start}Without coordinate 2 and the mean, the random cosine `), true);
  const two = sentence(journey, 0, { ...both(0, 1), isAfterFirst: true });
  equal(
    two.startsWith(
      `${made}, without their first tokens. Without the first token and these two coordinates, `,
    ),
    true,
  );
});

test("the sentence does not name a second coordinate without a share", () => {
  const alone = { ...SPACE, shares: [0.9, 0.004] };
  const journey = new Journey({ ...DATA, layers: [{ ...DATA.layers[0], all: alone }] });
  const start = "In layer 0, coordinate 7 makes 90 % of the cosine of two random sentences; ";
  const found = sentence(journey, 0, both(0, 1));
  equal(found.startsWith(start), true);
  equal(found.includes(" Without coordinates 7 and 2, the random cosine "), true);
});

test("a first token with next to no part has 0 % of the cosine, not -0 %", () => {
  const journey = new Journey({ ...DATA, layers: [{ ...DATA.layers[0], first_part: -0.0001 }] });
  equal(sentence(journey, 0, AS_IT_IS).includes("accounts for 0 % of it."), true);
});

test("a curve that is absent says why", () => {
  const unscored = "There are no gold scores.";
  const journey = new Journey({ ...DATA, gold: null, unscored });
  const [cosine, rho, share, norm, entropy] = curvesOf(journey, AS_IT_IS);
  equal([cosine.why, rho.why], [undefined, unscored]);
  equal(rho.lines[0][1], [Number.NaN]);
  near(
    [share, norm, entropy].map(({ lines }) => lines[0][1][0]),
    [0.6, 1, 0.5],
  );
  equal(sentence(journey, 0, AS_IT_IS).includes("Rho"), false);
});
