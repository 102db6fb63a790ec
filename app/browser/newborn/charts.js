/* The charts over the steps of a training, with the shown step marked. */

import { drawChart } from "../shared/chart.js";
import { contextOf } from "../shared/dom.js";
import { toRgb } from "../shared/palette.js";

/** @import { Rgb, Theme } from "../shared/types" */
/** @import { Frame } from "./types" */
/** @import { Reel } from "./reel.js" */

/** @typedef {readonly [name: string, colour: number, values: (number | null)[]]} Line */

const GAP = 14;
export const CHART_HEIGHT = 245;
const NARROW = 380;
/** Okabe and Ito's, darker on white and lighter on black. @type {Rgb[][]} */
const COLOURS = [
  ["#0072b2", "#56b4e9"],
  ["#b07000", "#e69f00"],
  ["#008060", "#00b287"],
  ["#d55e00", "#f08030"],
].map((pair) => pair.map(toRgb));

/** Return how many charts fit side by side in a width. @param {number} width */
export function chartsAcross(width) {
  return width > NARROW ? 2 : 1;
}

/**
 * Return titles of charts and their lines: name, colour, and value at each frame.
 * @param {Reel} reel
 * @returns {[title: string, lines: Line[]][]}
 */
export function chartsOf({ frames, bins }) {
  /** @type {(name: string, colour: number, of: (frame: Frame) => number | null) => Line} */
  const line = (name, colour, of) => [name, colour, frames.map(of)];
  const norms = bins.map((bin, i) => line(bin, i, ({ norms }) => norms[i]));
  norms.push(line("never occur", 3, (each) => each.unused_norm));
  const words = [
    line("mean cosine", 0, ({ mean_cosine }) => mean_cosine),
    line("|rho| with frequency", 2, ({ frequency_rho }) => frequency_rho),
  ];
  const sentences = [
    line("mean cosine", 0, ({ random_cosine }) => random_cosine),
    line("rho with people", 3, ({ rho }) => rho),
  ];
  return [
    ["Words: cone, frequency", words],
    ["Words: mean norm", norms],
    ["Sentences: cone, rho", sentences],
    ["Loss, nats", [line("masked words", 0, ({ loss }) => loss)]],
  ];
}

/**
 * Draw all charts on a canvas that has its size already.
 * @param {HTMLCanvasElement} canvas
 * @param {Theme} theme
 * @param {Reel} reel
 * @param {number} at the step to mark
 */
export function drawCharts(canvas, theme, reel, at) {
  const across = chartsAcross(canvas.clientWidth);
  const w = (canvas.clientWidth - (across - 1) * GAP) / across;
  const steps = reel.frames.map(({ step }) => step);
  const shown = steps.filter((step) => step <= at + 1e-6).length - 1;
  const charts = chartsOf(reel);
  // Charts side by side leave room for equally many names, so that their axes align.
  const most = Math.max(...charts.map(([, lines]) => lines.length));
  charts.forEach(([title, lines], i) => {
    const [x, y] = [(i % across) * (w + GAP), Math.floor(i / across) * CHART_HEIGHT];
    const box = { x, y, w, h: CHART_HEIGHT - GAP };
    drawChart(contextOf(canvas), theme, box, {
      ...{ title, titles: ["step", ""], at, hasZero: true },
      names: across > 1 ? most : lines.length,
      lines: lines.map(([name, colour, values]) => ({
        name: `${name}: ${values[shown]?.toFixed(2) ?? "-"}`,
        colour: COLOURS[colour % COLOURS.length][theme.dark ? 1 : 0],
        x: steps,
        y: values.map((value) => value ?? Number.NaN),
      })),
    });
  });
}
