/* Text on the canvas, shortened to its room. */

import { css } from "../shared/palette.js";

/** @import { Rgb, Theme } from "./types" */

/** @typedef {CanvasRenderingContext2D} Context */

export const SMALL = 11.5;

/**
 * Write text in at most `width` pixels, with an ellipsis for what does not fit.
 * @typedef {object} Style
 * @property {number} [size]
 * @property {number} [weight]
 * @property {Rgb} [tone]
 * @property {CanvasTextAlign} [align]
 * @property {boolean} [halo]
 * @param {Context} context
 * @param {Theme} theme
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {Style} style
 */
export function write(context, theme, text, x, y, width, style = {}) {
  const { size = SMALL, weight = 400, tone = theme.muted, align = "left", halo = false } = style;
  context.font = fontOf(theme, { size, weight });
  context.fillStyle = css(tone);
  context.textAlign = align;
  const shown = shortened(context, text, width);
  if (halo) {
    context.strokeStyle = css(theme.background);
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeText(shown, x, y);
  }
  context.fillText(shown, x, y);
}

/** @param {Theme} theme @param {{ size: number, weight: number }} style */
export function fontOf({ font }, { size, weight }) {
  return `${weight} ${size}px ${font}`;
}

/**
 * Return a text, or as much of its start as fits with an ellipsis.
 * @param {Pick<Context, "measureText">} context
 * @param {string} text
 * @param {number} width
 */
export function shortened(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let [fits, not] = [0, text.length];
  while (not - fits > 1) {
    const half = (fits + not) >> 1;
    if (context.measureText(`${text.slice(0, half)}…`).width <= width) fits = half;
    else not = half;
  }
  return `${text.slice(0, fits)}…`;
}
