/* Names of regions on a pane: those of the zoom, the largest first, none over another. */

import { holds } from "./layout.js";
import { fontOf, SMALL, write } from "./writing.js";

/** @import { Box, Drawn, Point, Topic } from "./types" */
/** @import { Context } from "./writing.js" */

/** A name's height in CSS pixels, and the room that is kept around it. */
export const NAME = { height: 16, apart: 4 };

/**
 * A name and its box in the plot.
 * @typedef {{ text: string, box: Box }} Placed
 */

/**
 * Write the names of a pane's regions.
 * @param {Context} context
 * @param {Drawn} scene
 * @param {number} pane
 */
export function drawNames(context, { data, layout, view, theme, topicScreens }, pane) {
  const { x, y } = topicScreens[pane];
  const { plot } = layout.panes[pane];
  const style = { size: SMALL, weight: 600, tone: theme.ink, halo: true };
  context.font = fontOf(theme, style);
  const names = placedNames(
    data.panes[pane].topics,
    view.cameras[pane].zoom,
    (topic) => ({ x: x[topic], y: y[topic] }),
    plot,
    (text) => context.measureText(text).width,
  );
  for (const { text, box } of names) {
    write(context, theme, text, box.x, box.y + NAME.height - 4, box.w + 1, style);
  }
}

/** Return the zoom whose regions are named at a camera's zoom. @param {Topic[]} topics @param {number} zoom */
export function namedZoom(topics, zoom) {
  const zooms = topics.map((topic) => topic.zoom).filter((each) => each <= Math.max(1, zoom));
  return Math.max(...zooms);
}

/**
 * Return the names that fit, each about the middle of its region.
 * @param {Topic[]} topics by size, the largest first
 * @param {number} zoom
 * @param {(topic: number) => Point} middleOf
 * @param {Box} plot
 * @param {(text: string) => number} widthOf
 */
export function placedNames(topics, zoom, middleOf, plot, widthOf) {
  const shown = namedZoom(topics, zoom);
  /** @type {Placed[]} */
  const placed = [];
  topics.forEach(({ text, zoom: own }, i) => {
    if (own !== shown) return;
    const middle = middleOf(i);
    if (!holds(plot, middle)) return;
    const box = boxAbout(middle, widthOf(text), plot);
    if (box && placed.every((other) => !overlap(box, other.box))) placed.push({ text, box });
  });
  return placed;
}

/**
 * Return a box about a point, moved into the plot; null where it is wider than that.
 * @param {Point} middle
 * @param {number} w
 * @param {Box} plot
 */
function boxAbout(middle, w, plot) {
  const h = NAME.height;
  if (w + 2 * NAME.apart > plot.w) return null;
  /** @type {(at: number, size: number, from: number, room: number) => number} */
  const moved = (at, size, from, room) =>
    Math.min(from + room - size - NAME.apart, Math.max(from + NAME.apart, at - size / 2));
  return { x: moved(middle.x, w, plot.x, plot.w), y: moved(middle.y, h, plot.y, plot.h), w, h };
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  const { apart } = NAME;
  return (
    a.x < b.x + b.w + apart &&
    b.x < a.x + a.w + apart &&
    a.y < b.y + b.h + apart &&
    b.y < a.y + a.h + apart
  );
}
