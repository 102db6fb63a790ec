/* Strokes that both pictures make. */

import { css } from "./palette.js";

/** @import { Box, Rgb, Theme } from "./types" */

/**
 * Draw inside a box only.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {() => void} draw
 */
export function clipped(context, { x, y, w, h }, draw) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  draw();
  context.restore();
}

/**
 * Stroke a path with a halo in the page's colour, which sets it off from what lies below.
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {{ colour: Rgb, width: number, halo: number }} style
 * @param {() => void} path
 */
export function strokeWithHalo(context, theme, { colour, width, halo }, path) {
  const strokes = /** @type {const} */ ([
    [theme.background, width + halo],
    [colour, width],
  ]);
  for (const [tone, lineWidth] of strokes) {
    context.beginPath();
    path();
    context.lineWidth = lineWidth;
    context.strokeStyle = css(tone);
    context.stroke();
  }
}
