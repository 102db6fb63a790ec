/* Names of regions on a pane: those of the current zoom, the largest first, without overlap. Two
   beside each other stand at different heights, so that they are not read as one. */

import { writer } from "../shared/draw.js";
import { holds } from "./shapes.js";

/** @import { Point, Screen, Size, Theme, Topic } from "./types" */

/** A name's height in CSS pixels, and the margin around it. */
export const NAME = { height: 16, apart: 4 };

/**
 * A name and its upper left corner in the plot.
 * @typedef {Point & { text: string, w: number }} Placed
 */

/**
 * Write the names of a pane's regions.
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {Topic[]} topics
 * @param {number} zoom
 * @param {Screen} screen
 * @param {Size} size
 */
export function drawNames(context, theme, topics, zoom, screen, size) {
  const write = writer(context, theme);
  const style = { colour: theme.ink, weight: 600, halo: true };
  write("", 0, 0, style); // sets the font for measuring
  const widthOf = (/** @type {string} */ text) => context.measureText(text).width;
  for (const { text, x, y } of placedNames(topics, zoom, screen, size, widthOf))
    write(text, x, y + NAME.height - 4, style);
}

/** Return the zoom level whose regions are named at a camera's zoom. @param {Topic[]} topics @param {number} zoom */
export function namedZoom(topics, zoom) {
  const zooms = topics.map((topic) => topic.zoom).filter((each) => each <= Math.max(1, zoom));
  return Math.max(...zooms);
}

/**
 * Return the names that fit, each about the middle of its region, moved into the plot.
 * @param {Topic[]} topics by size, the largest first
 * @param {number} zoom
 * @param {Screen} middles
 * @param {Size} size
 * @param {(text: string) => number} widthOf
 */
export function placedNames(topics, zoom, middles, size, widthOf) {
  const { height, apart } = NAME;
  const shown = namedZoom(topics, zoom);
  /** @type {(at: number, length: number, room: number) => number} */
  const moved = (at, length, room) =>
    Math.min(room - length - apart, Math.max(apart, at - length / 2));
  /** @type {Placed[]} */
  const placed = [];
  topics.forEach(({ text, zoom: own }, i) => {
    const middle = { x: middles.x[i], y: middles.y[i] };
    if (own !== shown || !holds(size, middle)) return;
    const w = widthOf(text);
    const [x, y] = [moved(middle.x, w, size.w), moved(middle.y, height, size.h)];
    const isFree = placed.every(
      (other) =>
        x >= other.x + other.w + height ||
        other.x >= x + w + height ||
        Math.abs(y - other.y) >= height + apart,
    );
    if (isFree && w + 2 * apart <= size.w) placed.push({ text, x, y, w });
  });
  return placed;
}
