import { HOME, project, shifted, spaceOf, zoomed } from "../../../../app/browser/wall/camera.js";
import { equal, near, test } from "../harness.js";

const SIZE = { w: 200, h: 100 };
const MIDDLE = { x: 100, y: 50 };
const FLAT = [Float32Array.of(0, 10), Float32Array.of(0, 4)];

test("axes on one scale are divided by the longer half", () => {
  const space = spaceOf(FLAT);
  equal([space.centres, space.unit], [[5, 2], 5]);
  near(space.half, [1, 0.4]);
});

test("one place alone stays finite, in the middle", () => {
  const space = spaceOf([Float32Array.of(7), Float32Array.of(7)]);
  equal([space.unit, space.half], [1, [1e-3, 1e-3]]);
  equal(project(space, HOME, SIZE), { x: [100], y: [50] });
});

test("a flat pane stands in the middle, up is up, 4 % are free", () => {
  // The tighter side is the height: 0.92 * 100 / (2 * 0.4) = 115 pixels a unit; across 92.
  const { x, y } = project(spaceOf(FLAT), HOME, SIZE);
  near(x, [100 - 92, 100 + 92], 1e-4);
  near(y, [50 + 36.8, 50 - 36.8], 1e-4);
});

test("zoom scales about the middle and shift moves against the camera", () => {
  const camera = { ...HOME, zoom: 2, x: 0.5, y: 0.1 };
  const { x, y } = project(spaceOf(FLAT), camera, SIZE);
  near(x, [100 - 184 - 92, 100 + 184 - 92], 1e-4);
  near(y, [50 + 73.6 + 18.4, 50 - 73.6 + 18.4], 1e-4);
});

test("a zoom leaves the row under the pointer where it is", () => {
  const space = spaceOf(FLAT);
  const start = { ...HOME, zoom: 1.5, x: 0.2, y: -0.3 };
  const before = project(space, start, SIZE);
  const point = { x: before.x[1], y: before.y[1] };
  const after = project(space, zoomed(start, 3, point, space, SIZE), SIZE);
  near([after.x[1], after.y[1]], [point.x, point.y], 1e-3);
  near(after.x[1] - after.x[0], 3 * (before.x[1] - before.x[0]), 1e-2);
});

test("zoom is bounded", () => {
  const space = spaceOf(FLAT);
  equal(zoomed(HOME, 1e9, MIDDLE, space, SIZE).zoom, 500);
  equal(zoomed(HOME, 1e-9, MIDDLE, space, SIZE).zoom, 0.2);
});

test("a drag moves every row by as many pixels", () => {
  const space = spaceOf(FLAT);
  const start = { ...HOME, zoom: 2 };
  const [before, after] = [start, shifted(start, { x: 7, y: -3 }, space, SIZE)].map((each) =>
    project(space, each, SIZE),
  );
  near(after.x, [before.x[0] + 7, before.x[1] + 7], 1e-3);
  near(after.y, [before.y[0] - 3, before.y[1] - 3], 1e-3);
});
