/* From a pane's coordinates to its pixels: an orthographic camera with zoom, shift and rotation. */

/** @import { Box, Camera, Point, Range, Screen, Space, Topic } from "./types" */

const MARGIN = 0.92;
const MIN_ZOOM = 0.2;
const MAX_ZOOM = 500;
const RADIANS_A_PIXEL = 0.01;

/**
 * Return a pane's rows about the origin within 1: one camera then means the same in every pane,
 * however large its space is. Where axes are on one scale, distances do not depend on direction; else each axis fills its side of the plot.
 * @param {Float32Array[]} planes
 * @param {boolean} hasEqualScale
 * @returns {Space}
 */
export function normalise(planes, hasEqualScale) {
  const ranges = planes.map(extent);
  const centres = ranges.map(([low, high]) => (low + high) / 2);
  const halves = ranges.map(([low, high]) => (high - low) / 2);
  const isFlat = planes.length === 2;
  // In 3-D the sphere about all rows fits, so that no rotation turns one out of the plot.
  const radius = (isFlat ? Math.max(...halves) : farthest(planes, centres)) || 1;
  const isApart = isFlat && !hasEqualScale;
  const units = halves.map((half) => (isApart ? half || 1 : radius));
  return {
    isApart,
    centres,
    units,
    planes: planes.map((plane, d) => plane.map((value) => (value - centres[d]) / units[d])),
    half: isFlat ? halves.map((half, d) => Math.max(half / units[d], 1e-3)) : [1, 1],
  };
}

/**
 * Return the places of a pane's topics as rows of its space.
 * @param {Topic[]} topics
 * @param {Space} space
 * @returns {Space}
 */
export function topicSpace(topics, space) {
  const { centres, units } = space;
  const planes = centres.map((centre, d) =>
    Float32Array.from(topics, ({ place }) => (place[d] - centre) / units[d]),
  );
  return { ...space, planes };
}

/**
 * Return the camera that shows everything; in 3-D from a corner, so that depth is seen.
 * @param {number} dims
 * @returns {Camera}
 */
export function homeCamera(dims) {
  const front = { zoom: 1, x: 0, y: 0, turn: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
  return dims === 3 ? rotated(front, 60, 35) : front;
}

/**
 * Return pixels per unit along both axes.
 * @param {Pick<Space, "half" | "isApart">} space
 * @param {Pick<Camera, "zoom">} camera
 * @param {Box} plot
 */
function scaleOf({ half, isApart }, { zoom }, plot) {
  const [across, up] = [plot.w / (2 * half[0]), plot.h / (2 * half[1])];
  const tighter = Math.min(across, up);
  const k = MARGIN * zoom;
  return isApart ? { x: across * k, y: up * k } : { x: tighter * k, y: tighter * k };
}

/**
 * Return the values at the ends of both axes of a flat pane.
 * @param {Space} space
 * @param {Camera} camera
 * @param {Box} plot
 */
export function visibleRanges({ centres, units, ...space }, camera, plot) {
  const scale = scaleOf(space, camera, plot);
  /** @type {(d: number, middle: number, half: number) => Range} */
  const range = (d, middle, half) => [
    centres[d] + (middle - half) * units[d],
    centres[d] + (middle + half) * units[d],
  ];
  return {
    across: range(0, camera.x, plot.w / 2 / scale.x),
    up: range(1, camera.y, plot.h / 2 / scale.y),
  };
}

/**
 * Write the pixels of all rows into `screen.x`, `screen.y` and, in 3-D, `screen.depth`.
 * @param {Space} space
 * @param {Camera} camera
 * @param {Box} plot
 * @param {Screen} screen
 */
export function project(space, camera, plot, screen) {
  const scale = scaleOf(space, camera, plot);
  const left = plot.x + plot.w / 2 - camera.x * scale.x;
  const top = plot.y + plot.h / 2 + camera.y * scale.y;
  const [u, v, w] = space.planes;
  const [a, b, c, d, e, f, g, h, i] = camera.turn;
  for (let row = 0; row < u.length; row++) {
    if (w && screen.depth) {
      screen.x[row] = left + scale.x * (a * u[row] + b * v[row] + c * w[row]);
      screen.y[row] = top - scale.y * (d * u[row] + e * v[row] + f * w[row]);
      screen.depth[row] = g * u[row] + h * v[row] + i * w[row];
    } else {
      screen.x[row] = left + scale.x * u[row];
      screen.y[row] = top - scale.y * v[row];
    }
  }
}

/**
 * Return the camera after a zoom that leaves the place under the pointer where it is.
 * @param {Camera} camera
 * @param {number} factor
 * @param {Point} point
 * @param {Space} space
 * @param {Box} plot
 */
export function zoomed(camera, factor, point, space, plot) {
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, camera.zoom * factor));
  const [before, after] = [camera, { zoom }].map((each) => scaleOf(space, each, plot));
  return {
    ...camera,
    zoom,
    x: camera.x + (point.x - plot.x - plot.w / 2) * (1 / before.x - 1 / after.x),
    y: camera.y - (point.y - plot.y - plot.h / 2) * (1 / before.y - 1 / after.y),
  };
}

/**
 * Return the camera after a drag of so many pixels.
 * @param {Camera} camera
 * @param {number} dx
 * @param {number} dy
 * @param {Space} space
 * @param {Box} plot
 */
export function shifted(camera, dx, dy, space, plot) {
  const scale = scaleOf(space, camera, plot);
  return { ...camera, x: camera.x - dx / scale.x, y: camera.y + dy / scale.y };
}

/**
 * Return the camera after a drag that turns: across about the vertical, down about the level.
 * @param {Camera} camera
 * @param {number} dx
 * @param {number} dy
 */
export function rotated(camera, dx, dy) {
  const [cy, sy] = [Math.cos(dx * RADIANS_A_PIXEL), Math.sin(dx * RADIANS_A_PIXEL)];
  const [cx, sx] = [Math.cos(dy * RADIANS_A_PIXEL), Math.sin(dy * RADIANS_A_PIXEL)];
  const across = [cy, 0, sy, 0, 1, 0, -sy, 0, cy];
  const down = [1, 0, 0, 0, cx, -sx, 0, sx, cx];
  return { ...camera, turn: product(down, product(across, camera.turn)) };
}

/** @param {number[]} a @param {number[]} b */
function product(a, b) {
  return a.map((_, i) => {
    const row = i - (i % 3);
    return a[row] * b[i % 3] + a[row + 1] * b[3 + (i % 3)] + a[row + 2] * b[6 + (i % 3)];
  });
}

/** @param {Float32Array} plane */
function extent(plane) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of plane) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** @param {Float32Array[]} planes @param {number[]} centres */
function farthest(planes, centres) {
  let most = 0;
  for (let row = 0; row < planes[0].length; row++) {
    most = Math.max(most, Math.hypot(...planes.map((plane, d) => plane[row] - centres[d])));
  }
  return most;
}
