import { layerText } from "../../../../app/browser/flow_plane/controls.js";
import { Pane } from "../../../../app/browser/flow_plane/pane.js";
import { layOut } from "../../../../app/browser/flow_plane/picture.js";
import {
  between,
  boxAround,
  cellsOf,
  latentLines,
  nearestRow,
  sharesAcross,
  squareAt,
} from "../../../../app/browser/flow_plane/places.js";
import { equal, near, test } from "../harness.js";

test("points have their shares from left to right", () => {
  near(sharesAcross(Float64Array.of(2, 9, 4, -9, 3, 0)), [0, 1, 0.5]);
  equal(sharesAcross(Float64Array.of(5, 1, 5, 2)), [0, 0]);
});

test("the square holds the points of a layer, and the latent space has its own", () => {
  const layers = [
    [1, -10],
    [2, 4],
    [99, 99],
  ].map((values) => Float64Array.from(values));
  near(squareAt(layers, 0), [0, 0, 10.5]);
  near(squareAt(layers, 1), [0, 0, 4.2]);
  near(squareAt(layers, 0.5), [0, 0, (10.5 + 4.2) / 2]);
  near(squareAt(layers, 2), [0, 0, 3.3]);
});

test("a place and its pixel follow from each other, up is up", () => {
  const nothing = /** @type {any} */ (null);
  const pane = new Pane(nothing, nothing, { x: 34, y: 5, w: 200, h: 200 }, [1, 2, 4], "x");
  near(pane.pixel(1, 2), [134, 105]);
  near(pane.pixel(-3, 6), [34, 5]);
  near(pane.pixel(3, 5), [184, 30]);
  near(pane.place(184, 30), [3, 5]);
  equal([pane.holds(34, 205), pane.holds(33, 205), pane.holds(34, 206)], [true, false, false]);
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

test("between two layers the rows are mixed", () => {
  const states = [Float64Array.of(0, 1), Float64Array.of(10, 11), Float64Array.of(20, 21)];
  equal(between(states, 1), [10, 11]);
  equal(between(states, 1.5), [15, 16]);
  equal(between(states, 2), [20, 21]);
});

test("a box holds all points with a margin", () => {
  near(boxAround(Float64Array.of(0, 0, 4, 1)), [2, 0.5, 2.5]);
});

test("the cells of a square go by rows from below", () => {
  // They are 1 wide.
  const cells = cellsOf([0.5, -0.25, 2], 4);
  near(cells.subarray(2 * 6, 2 * 7), [0.5 - 1.5 + 2, -0.25 - 1.5 + 1]);
});

test("the latent grid has upright lines, then level ones", () => {
  const lines = latentLines();
  near(lines.subarray(0, 4), [-3, -3, -3, -2.85]);
  near(lines.subarray(-4), [2.85, 3, 3, 3]);
});

test("the nearest point is found within reach only", () => {
  const points = Float64Array.of(0, 0, 1, 1, 3, 3);
  equal(nearestRow(points, [1.2, 1], 0.5), 1);
  equal(nearestRow(points, [2, 2], 0.5), null);
});

test("the layer is named by what was applied", () => {
  const layers = [{ name: "ActNorm" }, { name: "reversal" }];
  equal(layerText(layers, 0.4), "data space, before the first layer");
  equal(layerText(layers, 0.5), "after layer 1 of 2, ActNorm");
  equal(layerText(layers, 2), "after layer 2 of 2, reversal: latent space");
});
