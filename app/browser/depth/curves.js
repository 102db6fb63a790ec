/* The measures of every layer on one axis of depth, with the shown layer marked. */

import { drawChart } from "../shared/chart.js";
import { contextOf, sized } from "../shared/dom.js";
import { writer } from "../shared/draw.js";
import { toRgb } from "../shared/palette.js";
import { AS_IT_IS } from "./journey.js";

/** @import { Rgb, Theme } from "../shared/types" */
/** @import { State } from "./types" */
/** @import { Journey } from "./journey.js" */

/** @typedef {readonly [name: string, values: number[], colour: number]} Line */
/** @typedef {{ title: string, lines: Line[], why?: string }} Curve */

const [HEIGHT, GAP, NARROWEST, MOST, NAMES] = [178, 10, 150, 5, 2];
const LINE = 15;
/** For what is shown and for the layer as it is, on white and on black. @type {Rgb[][]} */
const COLOURS = [
  ["#0072b2", "#56b4e9"],
  ["#6b6b6b", "#a8a8a8"],
].map((pair) => pair.map(toRgb));

/** Return the curves of a state. @param {Journey} journey @param {State} state @returns {Curve[]} */
export function curvesOf(journey, state) {
  const { layers, gold, unscored } = journey.data;
  const [before, now] = [AS_IT_IS, state].map((each) => journey.scores(each));
  const known = (/** @type {number | null} */ value) => value ?? Number.NaN;
  /** @type {(key: "cosine" | "rho", times: number) => Line[]} */
  const both = (key, times) =>
    [now, before].map((scores, i) => [
      i ? "as it is" : "shown",
      scores.map((each) => times * each[key]),
      i,
    ]);
  const shares = layers.map((_, layer) => known(journey.space(layer, state).data.shares[0]));
  const norms = layers.map(({ first_norm }) => Math.log10(known(first_norm)));
  const entropies = layers.map(({ token_entropy }) => known(token_entropy));
  return [
    { title: "Random cosine", lines: both("cosine", 1) },
    { title: "Rho x 100", lines: both("rho", 100), why: gold ? "" : unscored },
    { title: "Largest coordinate", lines: [["its share", shares, 0]] },
    { title: "First token's norm", lines: [["log10 of its ratio", norms, 0]] },
    { title: "Token entropy", lines: [["mean", entropies, 0]] },
  ];
}

/**
 * Draw the curves side by side.
 * @param {HTMLCanvasElement} canvas
 * @param {Theme} theme
 * @param {Curve[]} curves
 * @param {number} layer
 * @param {number} width
 */
export function drawCurves(canvas, theme, curves, layer, width) {
  const across = Math.max(1, Math.min(MOST, Math.floor(width / NARROWEST)));
  const w = (width - (across - 1) * GAP) / across;
  sized(canvas, width, HEIGHT * Math.ceil(curves.length / across));
  const context = contextOf(canvas);
  const depths = curves[0].lines[0][1].map((_, i) => i);
  curves.forEach(({ title, lines, why }, i) => {
    const [x, y] = [(i % across) * (w + GAP), Math.floor(i / across) * HEIGHT];
    const isAbsent = lines.every(([, values]) => values.every(Number.isNaN));
    if (isAbsent) {
      const write = writer(context, theme);
      write(title, x, y + 12, { weight: 600, colour: theme.ink });
      const reason = why || "The model has no such measure.";
      wrapped(context, reason, w).forEach((text, row) => {
        write(text, x, y + 34 + LINE * row);
      });
      return;
    }
    drawChart(
      context,
      theme,
      { x, y, w, h: HEIGHT - GAP },
      {
        ...{ title, titles: ["layer", ""], at: layer, names: NAMES },
        lines: lines.map(([name, values, colour]) => ({
          name: `${name}: ${Number.isNaN(values[layer]) ? "none" : values[layer].toFixed(2)}`,
          colour: COLOURS[colour][theme.dark ? 1 : 0],
          x: depths,
          y: values,
        })),
      },
    );
  });
}

/** Return the lines of a text that fit in a width. @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
function wrapped(context, text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
