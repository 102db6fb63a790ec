/* A chart of lines in a box of a canvas, with round numbers on its axes and names above it. */

import { clipped, strokeWithHalo, writer } from "./draw.js";
import { css, mix } from "./palette.js";
import { ticks } from "./ticks.js";

/** @import { Context } from "./draw.js" */
/** @import { Box, Rgb, Theme } from "./types" */

/**
 * @typedef {object} Line
 * @property {string} name none where it is empty
 * @property {Rgb} colour
 * @property {ArrayLike<number>} x
 * @property {ArrayLike<number>} y NaN where it is not defined
 * @property {readonly [number, number]} [mark]
 */

/**
 * @typedef {object} Chart
 * @property {string} [title]
 * @property {readonly [string, string]} titles of the axes
 * @property {Line[]} lines
 * @property {number} [names] how many lines' names have room above; those there are by default
 * @property {boolean} [hasZero] whether the upright axis holds zero
 * @property {number} [at] where an upright rule stands
 * @property {ArrayLike<number>} [rug] where points lie along the level axis
 */

const [LEFT, RIGHT, LINE, BELOW] = [46, 10, 16, 34];
const APART = { across: 40, up: 28 };
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

/** @param {Context} context @param {Theme} theme @param {Box} box @param {Chart} chart */
export function drawChart(context, theme, box, chart) {
  const { title = "", lines, hasZero, at, rug } = chart;
  const named = lines.filter(({ name }) => name);
  const rows = (chart.names ?? named.length) + Number(title !== "");
  const [x, y] = [box.x + LEFT, box.y + LINE * rows + 10];
  const plot = { x, y, w: box.w - LEFT - RIGHT, h: box.y + box.h - BELOW - y };
  const across = endsOf(lines.map((line) => line.x));
  const up = padded(endsOf([...lines.map((line) => line.y), hasZero ? [0] : []]));
  /** @type {(x: number, y: number) => [number, number]} */
  const pixel = (x, y) => [
    plot.x + (plot.w * (x - across[0])) / (across[1] - across[0] || 1),
    plot.y + (plot.h * (up[1] - y)) / (up[1] - up[0]),
  ];
  writer(context, theme)(title, box.x, box.y + 12, { weight: 600, colour: theme.ink });
  drawAxes(context, theme, plot, chart.titles, across, up);
  clipped(context, plot, () => {
    for (const value of Array.from(rug ?? []))
      rule(context, css(theme.ink, 0.18), pixel(value, up[0]), -7);
    if (at !== undefined) rule(context, css(theme.muted), pixel(at, up[0]), -plot.h);
    lines.forEach((line, i) => {
      context.setLineDash(DASHES[i % DASHES.length]);
      drawLine(context, theme, line, pixel);
      context.setLineDash([]);
      if (line.mark) drawMark(context, theme, line, pixel, plot);
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
    writer(context, theme)(name, box.x + 30, level + 4, { colour: theme.ink });
  });
}

/**
 * @param {Context} context
 * @param {Theme} theme
 * @param {Box} plot
 * @param {readonly [string, string]} titles
 * @param {[number, number]} across
 * @param {[number, number]} up
 */
function drawAxes(context, theme, plot, titles, across, up) {
  const write = writer(context, theme);
  const [right, bottom] = [plot.x + plot.w, plot.y + plot.h];
  context.strokeStyle = css(mix(theme.background, theme.ink, 0.45));
  context.lineWidth = 1;
  context.strokeRect(plot.x + 0.5, plot.y + 0.5, plot.w - 1, plot.h - 1);
  for (const { value, text } of ticks(across, plot.w / APART.across)) {
    const x = plot.x + (plot.w * (value - across[0])) / (across[1] - across[0] || 1);
    write(text, Math.min(x, right - 8), bottom + 14, { align: "center" });
  }
  for (const { value, text } of ticks(up, plot.h / APART.up)) {
    const y = bottom - (plot.h * (value - up[0])) / (up[1] - up[0]);
    write(text, plot.x - 5, y + 4, { align: "right" });
  }
  write(titles[0], plot.x + plot.w / 2, bottom + 29, { align: "center" });
  context.save();
  context.translate(plot.x - LEFT + 12, plot.y + plot.h / 2);
  context.rotate(-Math.PI / 2);
  write(titles[1], 0, 0, { align: "center" });
  context.restore();
}

/** @param {Context} context @param {Theme} theme @param {Line} line @param {(x: number, y: number) => [number, number]} pixel */
function drawLine(context, theme, { x, y, colour }, pixel) {
  strokeWithHalo(context, theme, { colour, width: 2, halo: 2 }, () => {
    Array.from(x, (value, i) => Number.isFinite(y[i]) && context.lineTo(...pixel(value, y[i])));
  });
}

/**
 * Mark a place of a line, with a dashed rule down to the axis.
 * @param {Context} context
 * @param {Theme} theme
 * @param {Line} line
 * @param {(x: number, y: number) => [number, number]} pixel
 * @param {Box} plot
 */
function drawMark(context, theme, { mark, colour }, pixel, plot) {
  const [x, y] = pixel(.../** @type {[number, number]} */ (mark));
  context.setLineDash([3, 3]);
  rule(context, css(theme.muted), [x, y], plot.y + plot.h - y);
  context.setLineDash([]);
  context.fillStyle = css(colour);
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  context.fill();
}

/** Draw an upright line from a place. @param {Context} context @param {string} colour @param {[number, number]} from @param {number} by */
function rule(context, colour, [x, y], by) {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x, y + by);
  context.stroke();
}

/** @param {ArrayLike<number>[]} values @returns {[number, number]} */
function endsOf(values) {
  const known = values.flatMap((each) => Array.from(each)).filter(Number.isFinite);
  return [Math.min(...known), Math.max(...known)];
}

/** Return ends with some room, and at least 0.2 apart. @param {[number, number]} ends @returns {[number, number]} */
function padded([least, most]) {
  const room = Math.max(0.1 - (most - least) / 2, 0.06 * (most - least));
  return [least - room, most + room];
}
