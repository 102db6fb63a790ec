/* A small plot of curves on a canvas of its own. */

import { sized } from "../shared/canvas.js";
import { contextOf } from "../shared/dom.js";
import { clipped, strokeWithHalo } from "../shared/draw.js";
import { css, mix } from "../shared/palette.js";

/** @import { Rgb, Theme } from "../shared/types" */
/** @import { Curve, Plot } from "./types" */

const [LEFT, RIGHT, TOP, BOTTOM] = [46, 10, 20, 34];
/** Blue and vermilion of Okabe and Ito, told apart by every eye. @type {readonly [Rgb, Rgb]} */
export const COLOURS = [
  [0, 114, 178],
  [213, 94, 0],
];

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Theme} theme
 * @param {Plot} plot
 * @param {{ width: number, height: number }} size
 */
export function drawPlot(canvas, theme, { curves, titles, rug }, { width, height }) {
  sized(canvas, width, height);
  const context = contextOf(canvas);
  const box = { x: LEFT, y: TOP, w: width - LEFT - RIGHT, h: height - TOP - BOTTOM };
  const [low, high] = endsOf(curves.map(({ x }) => x));
  const [least, most] = padded(endsOf(curves.map(({ y }) => y)));
  /** @type {(x: number, y: number) => [number, number]} */
  const pixel = (x, y) => [
    box.x + (box.w * (x - low)) / (high - low || 1),
    box.y + (box.h * (most - y)) / (most - least),
  ];
  context.strokeStyle = css(mix(theme.background, theme.ink, 0.45));
  context.lineWidth = 1;
  context.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
  writeAxes(context, theme, { box, titles, ends: [low, high, least, most] });
  clipped(context, box, () => {
    if (rug) drawRug(context, theme, rug, (x) => pixel(x, least));
    curves.forEach((curve, i) => {
      drawCurve(context, theme, curve, COLOURS[i], pixel);
    });
  });
  writeNames(context, theme, curves, box.x);
}

/** @param {Float64Array[]} values @returns {[number, number]} */
function endsOf(values) {
  const known = values.flatMap((each) => [...each]).filter(Number.isFinite);
  return [Math.min(...known), Math.max(...known)];
}

/** Return ends with some room, and at least 0.2 apart. @param {[number, number]} ends */
function padded([least, most]) {
  const room = Math.max(0.1 - (most - least) / 2, 0.06 * (most - least));
  return [least - room, most + room];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {Float64Array} rug
 * @param {(x: number) => [number, number]} foot
 */
function drawRug(context, theme, rug, foot) {
  context.strokeStyle = css(theme.ink, 0.18);
  context.beginPath();
  for (const x of rug) {
    const [px, py] = foot(x);
    context.moveTo(px, py);
    context.lineTo(px, py - 7);
  }
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {Curve} curve
 * @param {Rgb} colour
 * @param {(x: number, y: number) => [number, number]} pixel
 */
function drawCurve(context, theme, { x, y, mark }, colour, pixel) {
  strokeWithHalo(context, theme, { colour, width: 2, halo: 2 }, () => {
    x.forEach((value, i) => {
      context.lineTo(...pixel(value, y[i]));
    });
  });
  if (!mark) return;
  const [px, py] = pixel(...mark);
  context.setLineDash([3, 3]);
  context.strokeStyle = css(theme.muted);
  context.beginPath();
  context.moveTo(px, pixel(mark[0], -1e6)[1]);
  context.lineTo(px, py);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = css(colour);
  context.beginPath();
  context.arc(px, py, 5, 0, 2 * Math.PI);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {{ box: import("./types").Box, titles: readonly [string, string], ends: number[] }} axes
 */
function writeAxes(context, theme, { box, titles, ends: [low, high, least, most] }) {
  context.fillStyle = css(theme.muted);
  context.font = `11.5px ${theme.font}`;
  /** @type {(text: string, x: number, y: number, align: CanvasTextAlign) => void} */
  const write = (text, x, y, align) => {
    context.textAlign = align;
    context.fillText(text, x, y);
  };
  const digits = (/** @type {number} */ span) => (span >= 100 ? 0 : 1);
  const below = box.y + box.h + 14;
  write(low.toFixed(digits(high - low)), box.x, below, "left");
  write(high.toFixed(digits(high - low)), box.x + box.w, below, "right");
  write(titles[0], box.x + box.w / 2, below + 15, "center");
  write(most.toFixed(1), box.x - 5, box.y + 10, "right");
  write(least.toFixed(1), box.x - 5, box.y + box.h, "right");
  context.save();
  context.translate(12, box.y + box.h / 2);
  context.rotate(-Math.PI / 2);
  write(titles[1], 0, 0, "center");
  context.restore();
}

/**
 * Write the curves' names above the plot, where there are two.
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {Curve[]} curves
 * @param {number} left
 */
function writeNames(context, theme, curves, left) {
  if (curves.length < 2) return;
  context.textAlign = "left";
  let x = left;
  curves.forEach(({ name }, i) => {
    context.fillStyle = css(COLOURS[i]);
    context.fillRect(x, 7, 16, 4);
    context.fillStyle = css(theme.ink);
    context.fillText(name, x + 21, 14);
    x += 36 + context.measureText(name).width;
  });
}
