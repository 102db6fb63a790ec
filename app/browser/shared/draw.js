/* Strokes, discs and texts that several pictures draw, and the point nearest to a pointer. */

import { css } from "./palette.js";

/** @import { Box, Rgb, Theme } from "./types" */

/** @typedef {CanvasRenderingContext2D} Context */

/**
 * Draw inside a box only.
 * @param {Context} context
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

/** Fill a disc. @param {Context} context @param {readonly [number, number]} place @param {number} radius */
export function disc(context, [x, y], radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/**
 * Return the row of the place nearest to a point, of n places; -1 if none is within reach.
 * @param {number} n
 * @param {(row: number) => readonly [number, number]} place
 * @param {readonly [number, number]} point
 * @param {number} reach
 */
export function nearest(n, place, [x, y], reach) {
  let [found, least] = [-1, reach];
  for (let row = 0; row < n; row++) {
    const [atX, atY] = place(row);
    const distance = Math.hypot(atX - x, atY - y);
    if (distance < least) [found, least] = [row, distance];
  }
  return found;
}

/**
 * Stroke a path with a halo in the page's colour, which sets it off from what lies below.
 * @param {Context} context
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

/**
 * @typedef {object} Style
 * @property {CanvasTextAlign} [align]
 * @property {Rgb} [colour]
 * @property {number} [weight]
 * @property {boolean} [halo] in the page's colour, which sets it off from what lies below
 */

/** Return a function that writes a text at a place. @param {Context} context @param {Theme} theme */
export function writer(context, theme) {
  /** @type {(text: string, x: number, y: number, style?: Style) => void} */
  return (
    text,
    x,
    y,
    { align = "left", colour = theme.muted, weight = 400, halo = false } = {},
  ) => {
    context.font = `${weight} 11.5px ${theme.font}`;
    context.textAlign = align;
    context.fillStyle = css(colour);
    if (halo) {
      context.strokeStyle = css(theme.background);
      context.lineWidth = 4;
      context.lineJoin = "round";
      context.strokeText(text, x, y);
    }
    context.fillText(text, x, y);
  };
}
