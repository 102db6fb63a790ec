/* From a pane's coordinates to its pixels: a camera with zoom and shift. */

/** @import { Camera, Point, Range, Screen, Size, Space, Topic } from "./types" */

const MARGIN = 0.92;
const [MIN_ZOOM, MAX_ZOOM] = [0.2, 500];

/** The camera that shows everything. @type {Camera} */
export const HOME = { zoom: 1, x: 0, y: 0 };

/**
 * Return a pane's rows about the origin within 1: one camera then means the same in every pane,
 * however large its space is. Where axes are on one scale, distances do not depend on direction;
 * else each axis fills its side of the plot.
 * @param {Float32Array[]} planes
 * @param {boolean} hasEqualScale
 * @returns {Space}
 */
export function normalise(planes, hasEqualScale) {
  const ranges = planes.map(extent);
  const centres = ranges.map(([low, high]) => (low + high) / 2);
  const halves = ranges.map(([low, high]) => (high - low) / 2);
  const radius = Math.max(...halves) || 1;
  const units = halves.map((half) => (hasEqualScale ? radius : half || 1));
  return {
    isApart: !hasEqualScale,
    centres,
    units,
    planes: planes.map((plane, d) => plane.map((value) => (value - centres[d]) / units[d])),
    half: halves.map((half, d) => Math.max(half / units[d], 1e-3)),
  };
}

/** Return the places of topics as rows of a pane's space. @param {Topic[]} topics @param {Space} space */
export function topicSpace(topics, space) {
  const planes = space.centres.map((centre, d) =>
    Float32Array.from(topics, ({ place }) => (place[d] - centre) / space.units[d]),
  );
  return { ...space, planes };
}

/**
 * Return pixels per unit along both axes.
 * @param {Pick<Space, "half" | "isApart">} space
 * @param {Pick<Camera, "zoom">} camera
 * @param {Size} size
 */
function scaleOf({ half, isApart }, { zoom }, size) {
  const [across, up] = [size.w / (2 * half[0]), size.h / (2 * half[1])];
  const tighter = Math.min(across, up);
  const k = MARGIN * zoom;
  return isApart ? { x: across * k, y: up * k } : { x: tighter * k, y: tighter * k };
}

/**
 * Return the values at the ends of both axes.
 * @param {Space} space
 * @param {Camera} camera
 * @param {Size} size
 */
export function visibleRanges({ centres, units, ...space }, camera, size) {
  const scale = scaleOf(space, camera, size);
  /** @type {(d: number, middle: number, half: number) => Range} */
  const range = (d, middle, half) => [
    centres[d] + (middle - half) * units[d],
    centres[d] + (middle + half) * units[d],
  ];
  return {
    across: range(0, camera.x, size.w / 2 / scale.x),
    up: range(1, camera.y, size.h / 2 / scale.y),
  };
}

/**
 * Return the pixels of all rows.
 * @param {Space} space
 * @param {Camera} camera
 * @param {Size} size
 * @returns {Screen}
 */
export function project(space, camera, size) {
  const scale = scaleOf(space, camera, size);
  const [left, top] = [size.w / 2 - camera.x * scale.x, size.h / 2 + camera.y * scale.y];
  const [u, v] = space.planes;
  const [x, y] = [new Float32Array(u.length), new Float32Array(v.length)];
  for (let row = 0; row < u.length; row++) {
    x[row] = left + scale.x * u[row];
    y[row] = top - scale.y * v[row];
  }
  return { x, y };
}

/**
 * Return the camera after a zoom that leaves the place under the pointer where it is.
 * @param {Camera} camera
 * @param {number} factor
 * @param {Point} point
 * @param {Space} space
 * @param {Size} size
 */
export function zoomed(camera, factor, point, space, size) {
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, camera.zoom * factor));
  const [before, after] = [camera, { zoom }].map((each) => scaleOf(space, each, size));
  return {
    zoom,
    x: camera.x + (point.x - size.w / 2) * (1 / before.x - 1 / after.x),
    y: camera.y - (point.y - size.h / 2) * (1 / before.y - 1 / after.y),
  };
}

/**
 * Return the camera after a drag of so many pixels.
 * @param {Camera} camera
 * @param {Point} by
 * @param {Space} space
 * @param {Size} size
 */
export function shifted(camera, by, space, size) {
  const scale = scaleOf(space, camera, size);
  return { ...camera, x: camera.x - by.x / scale.x, y: camera.y + by.y / scale.y };
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
