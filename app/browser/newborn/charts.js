/* Small line charts over the steps of a training, with the shown step marked. */

import { contextOf } from "../shared/dom.js";
import { css } from "../shared/palette.js";

/** @import { Box, Rgb, Theme } from "../shared/types" */
/** @import { Chart, Line } from "./types" */

const [LEFT, RIGHT, LINE, BELOW, GAP] = [34, 8, 16, 20, 14];
export const CHART_HEIGHT = 245;
/** Share of a unit that a range may reach beyond its last tick. */
const SLACK = 0.02;
const NARROW = 380;
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]];
/** Okabe and Ito's, darker on white and lighter on black. @type {[Rgb, Rgb][]} */
const COLOURS = [
  [
    [0, 114, 178],
    [86, 180, 233],
  ],
  [
    [176, 112, 0],
    [230, 159, 0],
  ],
  [
    [0, 128, 96],
    [0, 178, 135],
  ],
  [
    [213, 94, 0],
    [240, 128, 48],
  ],
];

/** Return how many charts stand side by side on a width. @param {number} width */
export function chartsAcross(width) {
  return width > NARROW ? 2 : 1;
}

/**
 * Draw charts on a canvas that has its size already.
 * @param {HTMLCanvasElement} canvas
 * @param {Theme} theme
 * @param {Chart[]} charts
 * @param {number[]} steps
 * @param {number} at the step to mark
 */
export function drawCharts(canvas, theme, charts, steps, at) {
  const across = chartsAcross(canvas.clientWidth);
  const width = (canvas.clientWidth - (across - 1) * GAP) / across;
  // Charts side by side have their axes on one level, below the names of as many lines.
  const most = Math.max(...charts.map(({ lines }) => lines.length));
  charts.forEach((chart, i) => {
    const names = across > 1 ? most : chart.lines.length;
    const x = (i % across) * (width + GAP);
    const box = { x, y: Math.floor(i / across) * CHART_HEIGHT, w: width, h: CHART_HEIGHT - GAP };
    drawChart(contextOf(canvas), theme, chart, steps, at, { box, names });
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {Chart} chart
 * @param {number[]} steps
 * @param {number} at
 * @param {{ box: Box, names: number }} place and how many lines' names have room above the axes
 */
function drawChart(context, theme, { title, lines }, steps, at, { box, names }) {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const ticks = ticksOf(Math.min(0, ...values), Math.max(...values));
  const top = box.y + LINE * (1 + names) + 12;
  const plot = { x: box.x + LEFT, y: top, w: box.w - LEFT - RIGHT, h: box.y + box.h - BELOW - top };
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const end = steps[steps.length - 1] || 1;
  /** @param {number} step */
  const x = (step) => plot.x + (plot.w * step) / end;
  /** @param {number} value */
  const y = (value) => plot.y + (plot.h * (high - value)) / (high - low || 1);
  write(context, theme, title, box.x, box.y + 12, { weight: 600, colour: theme.ink });
  axes(context, theme, plot, ticks, y, end);
  rule(context, theme.muted, [
    [x(at), plot.y],
    [x(at), plot.y + plot.h],
  ]);
  lines.forEach((line, i) => {
    const colour = COLOURS[line.colour % COLOURS.length][theme.dark ? 1 : 0];
    context.strokeStyle = css(colour);
    context.setLineDash(DASHES[i % DASHES.length]);
    context.lineWidth = 2;
    trace(context, line, steps, x, y);
    const level = box.y + LINE * (1.7 + i);
    context.beginPath();
    context.moveTo(box.x, level);
    context.lineTo(box.x + 24, level);
    context.stroke();
    context.setLineDash([]);
    const now = valueAt(line, steps, at);
    write(context, theme, `${line.name}: ${now?.toFixed(2) ?? "-"}`, box.x + 30, level + 4, {});
  });
}

/** Return the newest value at or before a step. */
/** @param {Line} line @param {number[]} steps @param {number} at */
function valueAt({ values }, steps, at) {
  return values[steps.filter((step) => step <= at + 1e-6).length - 1];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Line} line
 * @param {number[]} steps
 * @param {(step: number) => number} x
 * @param {(value: number) => number} y
 */
function trace(context, { values }, steps, x, y) {
  context.beginPath();
  values.forEach((value, i) => {
    if (value !== null) context.lineTo(x(steps[i]), y(value));
  });
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {Box} plot
 * @param {number[]} ticks
 * @param {(value: number) => number} y
 * @param {number} end
 */
function axes(context, theme, plot, ticks, y, end) {
  for (const tick of ticks) {
    const level = y(tick);
    rule(context, theme.line, [
      [plot.x, level],
      [plot.x + plot.w, level],
    ]);
    write(context, theme, String(tick), plot.x - 5, level + 4, { align: "right" });
  }
  const below = plot.y + plot.h + 15;
  write(context, theme, "0", plot.x, below, { align: "center" });
  write(context, theme, "step", plot.x + plot.w / 2, below, { align: "center" });
  write(context, theme, end.toLocaleString("en"), plot.x + plot.w, below, { align: "right" });
}

/** @param {CanvasRenderingContext2D} context @param {Rgb} colour @param {[number, number][]} ends */
function rule(context, colour, [from, to]) {
  context.strokeStyle = css(colour);
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {{ weight?: number, align?: CanvasTextAlign, colour?: Rgb }} style
 */
function write(context, theme, text, x, y, { weight = 400, align = "left", colour = theme.muted }) {
  context.font = `${weight} 12px ${theme.font}`;
  context.textAlign = align;
  context.fillStyle = css(colour);
  context.fillText(text, x, y);
}

/** Return three to six round numbers around a range. @param {number} low @param {number} high */
export function ticksOf(low, high) {
  const rough = (high - low || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const [first, last] = [Math.floor(low / unit + SLACK), Math.ceil(high / unit - SLACK)];
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * unit).toFixed(6)),
  );
}
