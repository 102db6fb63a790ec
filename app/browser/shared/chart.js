/* A chart of lines in a box of a canvas, with round numbers on its axes and names above it. */

import { clipped, disc, strokeWithHalo, writer } from "./draw.js";
import { css, mix } from "./palette.js";

/** @import { Context } from "./draw.js" */
/** @import { Box, Rgb, Theme } from "./types" */

/**
 * @typedef {object} Line
 * @property {string} name not drawn if it is empty
 * @property {Rgb} colour
 * @property {ArrayLike<number>} x
 * @property {ArrayLike<number>} y NaN where undefined
 * @property {readonly [number, number]} [mark]
 */

/**
 * @typedef {object} Chart
 * @property {string} [title]
 * @property {readonly [string, string]} titles of the axes
 * @property {Line[]} lines
 * @property {number} [names] for how many line names there is room above; by default for all
 * @property {boolean} [hasZero] whether the vertical axis includes zero
 * @property {number} [at] where to draw a vertical line
 * @property {ArrayLike<number>} [rug] positions of points along the horizontal axis
 */

const [LEFT, RIGHT, LINE, BELOW] = [46, 10, 16, 34];
const APART = { across: 40, up: 28 };
const STEPS = [1, 2, 5, 10];
const MOST_DIGITS = 12;
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

/** @param {Context} context @param {Theme} theme @param {Box} box @param {Chart} chart */
export function drawChart(context, theme, box, chart) {
  const { title = "", titles, lines, hasZero, at, rug = [] } = chart;
  const write = writer(context, theme);
  const named = lines.filter(({ name }) => name);
  const above = LINE * ((chart.names ?? named.length) + Number(title !== "")) + 10;
  const [left, top] = [box.x + LEFT, box.y + above];
  const [w, h] = [box.w - LEFT - RIGHT, box.h - BELOW - above];
  const [right, bottom] = [left + w, top + h];
  const across = endsOf(lines.map(({ x }) => x));
  const up = padded(endsOf([...lines.map(({ y }) => y), hasZero ? [0] : []]));
  const x = (/** @type {number} */ value) =>
    left + (w * (value - across[0])) / (across[1] - across[0] || 1);
  const y = (/** @type {number} */ value) => bottom - (h * (value - up[0])) / (up[1] - up[0]);

  write(title, box.x, box.y + 12, { weight: 600, colour: theme.ink });
  context.strokeStyle = css(mix(theme.background, theme.ink, 0.45));
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, top + 0.5, w - 1, h - 1);
  for (const { value, text } of ticks(across, w / APART.across))
    write(text, Math.min(x(value), right - 8), bottom + 14, { align: "center" });
  for (const { value, text } of ticks(up, h / APART.up))
    write(text, left - 5, y(value) + 4, { align: "right" });
  write(titles[0], left + w / 2, bottom + 29, { align: "center" });
  context.save();
  context.translate(box.x + 12, top + h / 2);
  context.rotate(-Math.PI / 2);
  write(titles[1], 0, 0, { align: "center" });
  context.restore();

  clipped(context, { x: left, y: top, w, h }, () => {
    for (const value of Array.from(rug)) rule(context, css(theme.ink, 0.18), x(value), bottom, -7);
    if (at !== undefined) rule(context, css(theme.muted), x(at), bottom, -h);
    lines.forEach(({ colour, mark, ...line }, i) => {
      context.setLineDash(DASHES[i % DASHES.length]);
      strokeWithHalo(context, theme, { colour, width: 2, halo: 2 }, () => {
        for (let row = 0; row < line.x.length; row++)
          if (Number.isFinite(line.y[row])) context.lineTo(x(line.x[row]), y(line.y[row]));
      });
      context.setLineDash([]);
      if (!mark) return;
      const [markX, markY] = [x(mark[0]), y(mark[1])];
      context.setLineDash([3, 3]);
      rule(context, css(theme.muted), markX, markY, bottom - markY);
      context.setLineDash([]);
      context.fillStyle = css(colour);
      disc(context, [markX, markY], 5);
    });
  });
  named.forEach(({ name, colour }, i) => {
    const level = box.y + LINE * (i + (title ? 1 : 0)) + 8;
    context.strokeStyle = css(colour);
    context.lineWidth = 2;
    context.setLineDash(DASHES[i % DASHES.length]);
    context.beginPath();
    context.moveTo(box.x, level);
    context.lineTo(box.x + 24, level);
    context.stroke();
    context.setLineDash([]);
    write(name, box.x + 30, level + 4, { colour: theme.ink });
  });
}

/**
 * Draw a vertical line.
 * @param {Context} context
 * @param {string} colour
 * @param {number} x
 * @param {number} from
 * @param {number} by
 */
function rule(context, colour, x, from, by) {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, from);
  context.lineTo(x, from + by);
  context.stroke();
}

/** @param {ArrayLike<number>[]} values @returns {[number, number]} */
function endsOf(values) {
  const known = values.flatMap((each) => Array.from(each)).filter(Number.isFinite);
  return [Math.min(...known), Math.max(...known)];
}

/** Return the ends of a range with a margin, at least 0.2 apart. @param {[number, number]} ends @returns {[number, number]} */
function padded([least, most]) {
  const room = Math.max(0.1 - (most - least) / 2, 0.06 * (most - least));
  return [least - room, most + room];
}

/**
 * Return the multiples of 1, 2 or 5 times a power of ten in a range, at most `most` + 1, each as
 * `{ value, text }`.
 * @param {readonly [low: number, high: number]} range
 * @param {number} most
 */
export function ticks([low, high], most) {
  const least = (high - low) / most;
  const power = 10 ** power10(least);
  const step = power * (STEPS.find((each) => each * power >= least) ?? 10);
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const value = (first + i) * step;
    return { value, text: written(value, step) };
  });
}

/** @param {number} value @param {number} step */
function written(value, step) {
  const digits = value ? power10(value) - power10(step) + 1 : 1;
  const maximumSignificantDigits = Math.min(MOST_DIGITS, Math.max(1, digits));
  return value.toLocaleString("en", { maximumSignificantDigits });
}

/** @param {number} value */
function power10(value) {
  return Math.floor(Math.log10(Math.abs(value)));
}
