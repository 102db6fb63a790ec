import {
  homeCamera,
  normalise,
  project,
  rotated,
  shifted,
  visibleRanges,
  zoomed,
} from "../../../../app/browser/wall/camera.js";
import { equal, near, test } from "../harness.js";

const PLOT = { x: 10, y: 20, w: 200, h: 100 };
const FLAT = [Float32Array.of(0, 10), Float32Array.of(0, 4)];
const RIGHT_ANGLE = (100 * Math.PI) / 2; // pixels, at 0.01 radians a pixel

/** @param {number} n */
function screenOf(n, depth = false) {
  const numbers = () => new Float32Array(n);
  return { x: numbers(), y: numbers(), depth: depth ? numbers() : null, order: null };
}

/** @param {Parameters<typeof project>[0]} space @param {Parameters<typeof project>[1]} camera */
function projected(space, camera) {
  const screen = screenOf(space.planes[0].length, space.planes.length === 3);
  project(space, camera, PLOT, screen);
  return screen;
}

test("axes on one scale are divided by the longer half", () => {
  const space = normalise(FLAT, true);
  equal([space.isApart, space.centres, space.units], [false, [5, 2], [5, 5]]);
  near(space.planes[0], [-1, 1]);
  near(space.planes[1], [-0.4, 0.4]);
  near(space.half, [1, 0.4]);
});

test("axes of different units are divided by their own halves", () => {
  const space = normalise(FLAT, false);
  equal([space.isApart, space.units, space.half], [true, [5, 2], [1, 1]]);
  near(space.planes[1], [-1, 1]);
});

test("one place alone stays finite", () => {
  const space = normalise([Float32Array.of(7), Float32Array.of(7)], true);
  equal(
    [space.units, space.half],
    [
      [1, 1],
      [1e-3, 1e-3],
    ],
  );
  equal(space.planes[0], [0]);
});

test("in three dimensions the sphere about all rows fits", () => {
  const planes = [Float32Array.of(-3, 3), Float32Array.of(-4, 4), Float32Array.of(1, 1)];
  const space = normalise(planes, true);
  equal(
    [space.units, space.half, space.centres],
    [
      [5, 5, 5],
      [1, 1],
      [0, 0, 1],
    ],
  );
  near(space.planes[0], [-0.6, 0.6]);
});

test("a flat pane stands in the middle, up is up, 4 % are free", () => {
  // The tighter side is the height: 0.92 * 100 / (2 * 0.4) = 115 pixels a unit; across 92.
  const { x, y } = projected(normalise(FLAT, true), homeCamera(2));
  near(x, [110 - 92, 110 + 92], 1e-4);
  near(y, [70 + 36.8, 70 - 36.8], 1e-4);
});

test("zoom scales about the middle and shift moves against the camera", () => {
  const camera = { ...homeCamera(2), zoom: 2, x: 0.5, y: 0.1 };
  const { x, y } = projected(normalise(FLAT, true), camera);
  near(x, [110 - 184 - 92, 110 + 184 - 92], 1e-4);
  near(y, [70 + 73.6 + 18.4, 70 - 73.6 + 18.4], 1e-4);
});

test("axes of different units each fill their side", () => {
  const { x, y } = projected(normalise(FLAT, false), homeCamera(2));
  near(x, [18, 202], 1e-4);
  near(y, [116, 24], 1e-4);
});

test("the visible range is that of the plot's ends", () => {
  const space = normalise(FLAT, false);
  const { across, up } = visibleRanges(space, homeCamera(2), PLOT);
  near(across, [5 - 5 / 0.92, 5 + 5 / 0.92]);
  near(up, [2 - 2 / 0.92, 2 + 2 / 0.92]);
  const moved = visibleRanges(space, { ...homeCamera(2), x: 1, y: -1 }, PLOT);
  near(moved.across, [10 - 5 / 0.92, 10 + 5 / 0.92]);
  near(moved.up, [0 - 2 / 0.92, 0 + 2 / 0.92]);
});

test("a zoom leaves the row under the pointer where it is", () => {
  for (const space of [normalise(FLAT, true), normalise(FLAT, false)]) {
    const start = { ...homeCamera(2), zoom: 1.5, x: 0.2, y: -0.3 };
    const before = projected(space, start);
    const point = { x: before.x[1], y: before.y[1] };
    const after = projected(space, zoomed(start, 3, point, space, PLOT));
    near([after.x[1], after.y[1]], [point.x, point.y], 1e-3);
    near(after.x[1] - after.x[0], 3 * (before.x[1] - before.x[0]), 1e-2);
  }
});

test("zoom is bounded", () => {
  const space = normalise(FLAT, true);
  equal(zoomed(homeCamera(2), 1e9, PLOT, space, PLOT).zoom, 500);
  equal(zoomed(homeCamera(2), 1e-9, PLOT, space, PLOT).zoom, 0.2);
});

test("a drag moves every row by as many pixels", () => {
  for (const space of [normalise(FLAT, true), normalise(FLAT, false)]) {
    const start = { ...homeCamera(2), zoom: 2 };
    const [before, after] = [start, shifted(start, 7, -3, space, PLOT)].map((each) =>
      projected(space, each),
    );
    near(after.x, [before.x[0] + 7, before.x[1] + 7], 1e-3);
    near(after.y, [before.y[0] - 3, before.y[1] - 3], 1e-3);
  }
});

/** One row on each axis; the third points at the viewer. */
function axes() {
  const rows = [
    [1, 0, 0, -1],
    [0, 1, 0, -1],
    [0, 0, 1, -1],
  ];
  return {
    ...normalise(
      rows.map((plane) => Float32Array.from(plane)),
      true,
    ),
    centres: [0, 0, 0],
  };
}

test("a drag to the right turns the near side to the right", () => {
  const front = { ...homeCamera(2) };
  const space = { ...axes(), planes: [[0], [0], [1]].map((plane) => Float32Array.from(plane)) };
  near(projected(space, front).depth ?? [], [1]);
  const { x, y, depth } = projected(space, rotated(front, RIGHT_ANGLE, 0));
  near([...x, ...y, ...(depth ?? [])], [110 + 46, 70, 0], 1e-4);
});

test("a drag down turns the near side down", () => {
  const space = { ...axes(), planes: [[0], [0], [1]].map((plane) => Float32Array.from(plane)) };
  const { x, y, depth } = projected(space, rotated(homeCamera(2), 0, RIGHT_ANGLE));
  near([...x, ...y, ...(depth ?? [])], [110, 70 + 46, 0], 1e-4);
});

test("turns follow each other and stay rotations", () => {
  const twice = rotated(rotated(homeCamera(3), 10, 20), -35, 5).turn;
  const rows = [0, 3, 6].map((i) => twice.slice(i, i + 3));
  for (const [i, a] of rows.entries()) {
    for (const [j, b] of rows.entries()) {
      near(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], i === j ? 1 : 0);
    }
  }
  const [a, b, c] = rows;
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  near(cross, c);
});

test("a flat pane is seen from the front, three dimensions from above and aside", () => {
  equal(homeCamera(2).turn, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const { turn } = homeCamera(3);
  near(turn[0], Math.cos(0.6));
  near(turn[4], Math.cos(0.35));
  near(turn[8], Math.cos(0.6) * Math.cos(0.35));
  equal(turn[1], 0); // the second axis stays upright on the screen
});
