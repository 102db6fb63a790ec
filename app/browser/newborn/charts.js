/* The charts over the steps of a training, with the shown step marked. */

import { drawChart } from "../shared/chart.js";
import { contextOf } from "../shared/dom.js";

/** @import { Rgb, Theme } from "../shared/types" */
/** @import { Chart } from "./types" */

const GAP = 14;
export const CHART_HEIGHT = 245;
const NARROW = 380;
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
  const w = (canvas.clientWidth - (across - 1) * GAP) / across;
  const shown = steps.filter((step) => step <= at + 1e-6).length - 1;
  // Charts side by side have their axes on one level, below the names of as many lines.
  const most = Math.max(...charts.map(({ lines }) => lines.length));
  charts.forEach(({ title, lines }, i) => {
    const [x, y] = [(i % across) * (w + GAP), Math.floor(i / across) * CHART_HEIGHT];
    drawChart(
      contextOf(canvas),
      theme,
      { x, y, w, h: CHART_HEIGHT - GAP },
      {
        title,
        titles: ["step", ""],
        at,
        names: across > 1 ? most : lines.length,
        hasZero: true,
        lines: lines.map(({ name, colour, values }) => ({
          name: `${name}: ${values[shown]?.toFixed(2) ?? "-"}`,
          colour: COLOURS[colour % COLOURS.length][theme.dark ? 1 : 0],
          x: steps,
          y: values.map((value) => value ?? Number.NaN),
        })),
      },
    );
  });
}
