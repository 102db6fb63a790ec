/* From a pane's coordinates to its pixels: a camera with zoom and shift. */

/** @import { Camera, Point, Screen, Size, Space } from "./types" */

const MARGIN = 0.92;
const [MIN_ZOOM, MAX_ZOOM] = [0.2, 500];

/** The camera that shows everything. @type {Camera} */
export const HOME = { zoom: 1, x: 0, y: 0 };

/**
 * Return the centre and the unit of a pane's rows. The unit is half of the longer side, so that a
 * camera shows the same part of every pane, and both axes have the same scale.
 * @param {Float32Array[]} planes
 * @returns {Space}
 */
export function spaceOf(planes) {
  const ranges = planes.map(extent);
  const halves = ranges.map(([low, high]) => (high - low) / 2);
  const unit = Math.max(...halves) || 1;
  return {
    ...{ planes, unit },
    centres: ranges.map(([low, high]) => (low + high) / 2),
    half: halves.map((half) => Math.max(half / unit, 1e-3)),
  };
}

/** Return pixels per unit. @param {Space} space @param {Pick<Camera, "zoom">} camera @param {Size} size */
function scaleOf({ half }, { zoom }, size) {
  return MARGIN * zoom * Math.min(size.w / (2 * half[0]), size.h / (2 * half[1]));
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
  const { planes, centres, unit } = space;
  return {
    x: planes[0].map((u) => size.w / 2 + scale * ((u - centres[0]) / unit - camera.x)),
    y: planes[1].map((v) => size.h / 2 - scale * ((v - centres[1]) / unit - camera.y)),
  };
}

/**
 * Return the camera after a zoom that keeps the place under the pointer fixed.
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
    x: camera.x + (point.x - size.w / 2) * (1 / before - 1 / after),
    y: camera.y - (point.y - size.h / 2) * (1 / before - 1 / after),
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
  return { ...camera, x: camera.x - by.x / scale, y: camera.y + by.y / scale };
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
