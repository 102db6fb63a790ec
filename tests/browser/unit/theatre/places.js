import { layerText } from "../../../../app/browser/theatre/controls.js";
import { layOut } from "../../../../app/browser/theatre/layout.js";
import { Pane } from "../../../../app/browser/theatre/pane.js";
import { isWithin, sharesAcross, squareAt } from "../../../../app/browser/theatre/places.js";
import { equal, near, test } from "../harness.js";

test("points have their shares from left to right", () => {
  near(sharesAcross(Float32Array.of(2, 9, 4, -9, 3, 0)), [0, 1, 0.5]);
  equal(sharesAcross(Float32Array.of(5, 1, 5, 2)), [0, 0]);
});

test("a place is within a square up to its edge", () => {
  equal(isWithin([3, -1], [1, 1, 2]), true);
  equal(isWithin([3.01, 1], [1, 1, 2]), false);
  equal(isWithin([1, -1.01], [1, 1, 2]), false);
});

test("the square holds the points of a layer, and the latent space has its own", () => {
  const layers = { names: ["a", "b"], points: Float32Array.of(1, -10, 2, 4, 99, 99) };
  near(squareAt(layers, 2, 0), [0, 0, 10.5]);
  near(squareAt(layers, 2, 1), [0, 0, 4.2]);
  near(squareAt(layers, 2, 0.5), [0, 0, (10.5 + 4.2) / 2]);
  near(squareAt(layers, 2, 2), [0, 0, 3.3]);
});

test("a place and its pixel follow from each other, up is up", () => {
  const nothing = /** @type {any} */ (null);
  const pane = new Pane(nothing, nothing, { x: 34, y: 5, w: 200, h: 200 }, [1, 2, 4], "x");
  near(pane.pixel(1, 2), [134, 105]);
  near(pane.pixel(-3, 6), [34, 5]);
  near(pane.pixel(3, 5), [184, 30]);
  near(pane.place(184, 30), [3, 5]);
});

test("two squares stand side by side, in a narrow place one below the other", () => {
  equal(layOut(602), {
    height: 282,
    plots: [
      { x: 34, y: 0, w: 260, h: 260 },
      { x: 342, y: 0, w: 260, h: 260 },
    ],
  });
  equal(layOut(336), {
    height: 644,
    plots: [
      { x: 34, y: 0, w: 300, h: 300 },
      { x: 34, y: 322, w: 300, h: 300 },
    ],
  });
  equal(layOut(3000).plots[0].w, 460);
});

test("the layer is named by what was applied", () => {
  const layers = { names: ["ActNorm", "reversal"] };
  equal(layerText(layers, 0.4), "data space, before the first layer");
  equal(layerText(layers, 0.5), "after layer 1 of 2, ActNorm");
  equal(layerText(layers, 2), "after layer 2 of 2, reversal: latent space");
});
