import { Sphere } from "../../../../app/browser/cone/sphere.js";
import { readTheme } from "../../../../app/browser/shared/palette.js";
import { equal, near, test } from "../harness.js";

const SIZE = 216; // a radius of 100 around (108, 108)
const PANEL = {
  title: "layer:4: flow",
  colour: "#0072b2",
  x: [0.5, -0.5, 0.7, 0],
  y: [0.5, 0.5, 0.5, -0.9],
  near: /** @type {(0 | 1)[]} */ ([1, 0, 1, 1]),
  top: 0.8,
  mean_length: 0.84,
  pair_angles: [30, 70],
};
const CIRCLES = [{ x: [0, 0], y: [1, -1] }];

/** Return a sphere, and what shows the colour at a place of its picture. */
function drawn(pair = [0, 2]) {
  const canvas = document.createElement("canvas");
  const sphere = new Sphere(canvas, PANEL);
  sphere.resize(SIZE);
  sphere.draw(readTheme(document.body), CIRCLES, pair);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const ratio = devicePixelRatio;
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    Array.from(context.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data);
  return { sphere, at };
}

test("up is up: a point is found where it is drawn, the nearer of two, none far away", () => {
  const { sphere } = drawn();
  equal([sphere.nearest(158, 58), sphere.nearest(170, 58), sphere.nearest(58, 58)], [0, 2, 1]);
  equal([sphere.nearest(108, 198), sphere.nearest(108, 20)], [3, -1]);
});

test("points have their colour, paler on the far side; the arrow points up to its length", () => {
  near(drawn([1, 3]).at(158, 58), [0, 114, 178, 217], 2);
  near(drawn([0, 2]).at(58, 58), [0, 114, 178, 102], 3);
  const { at } = drawn();
  equal(at(108, 40), [213, 94, 0, 255]);
  equal(at(108, 130).join() === at(108, 40).join(), false); // the line of a circle alone
});

test("a line joins the two sentences of the marked pair: row i and row n + i", () => {
  const ink = [...readTheme(document.body).ink, 255];
  const [level, steep] = /** @type {const} */ ([
    [(158 + 178) / 2, 58],
    [(58 + 108) / 2, (58 + 198) / 2],
  ]);
  equal([drawn([0, 2]).at(...level), drawn([0, 2]).at(...steep)[3]], [ink, 0]);
  equal([drawn([1, 3]).at(...steep), drawn([1, 3]).at(...level)[3]], [ink, 0]);
});
