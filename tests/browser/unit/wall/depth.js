import { orderByDepth } from "../../../../app/browser/wall/depth.js";
import { equal, test } from "../harness.js";

/** @param {number[]} depths */
function ordered(depths) {
  const order = new Uint32Array(depths.length);
  orderByDepth(Float32Array.from(depths), order);
  return order;
}

test("far rows come first", () => {
  equal(ordered([0.9, -1, 0, 1, -0.5]), [1, 4, 2, 0, 3]);
});

test("rows of equal depth keep their order", () => {
  equal(ordered([0.5, 0.5, -0.5, -0.5]), [2, 3, 0, 1]);
});

test("a depth beyond the sphere by rounding is kept in", () => {
  equal(ordered([1.0001, 0, -1.0001]), [2, 1, 0]);
});
