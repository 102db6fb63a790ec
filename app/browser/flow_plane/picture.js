/* Both squares of the picture: the data, and the same points after some layers. */

import { Pane } from "./pane.js";
import { between, LATENT, LINE_LENGTH, squareAt } from "./places.js";

/** @import { Model } from "./model.js" */
/** @import { Box, Theme } from "./types" */

const [LEFT, GAP, BELOW, WIDEST] = [34, 48, 22, 460];
const NARROW = 560;

/**
 * How the model is drawn.
 * @typedef {object} Look
 * @property {number} layer
 * @property {number} age how many updates old density and grid may be
 * @property {string[]} colours of the followed points
 * @property {boolean} hasGrid
 */

/**
 * Return the height of a canvas of a width, and its squares: side by side, or one below the other.
 * @param {number} width
 * @returns {{ height: number, plots: [Box, Box] }}
 */
export function layOut(width) {
  const isWide = width > NARROW;
  const size = Math.min(WIDEST, isWide ? (width - LEFT - GAP) / 2 : width - LEFT - 2);
  const first = { x: LEFT, y: 0, w: size, h: size };
  const second = isWide ? { ...first, x: LEFT + size + GAP } : { ...first, y: size + BELOW };
  return { height: (isWide ? 1 : 2) * (size + BELOW), plots: [first, second] };
}

/**
 * Return the panes of the data and of the points after `layer` layers.
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {Theme} theme
 * @param {Model} model
 * @param {number} layer
 */
export function panesOf(context, width, theme, model, layer) {
  const [left, right] = layOut(width).plots;
  const square = model.fit ? squareAt(model.trace.states, layer) : LATENT;
  const letter = layer === model.nLayers ? "z" : "h";
  return [
    new Pane(context, theme, left, model.box, "x"),
    new Pane(context, theme, right, square, letter),
  ];
}

/** @param {Pane[]} panes @param {Model} model @param {Look} look */
export function drawPicture([data, latent], model, { layer, age, hasGrid, colours }) {
  const { fit } = model;
  data.within(() => {
    if (fit) data.density(model.density(age));
    if (fit && hasGrid) data.lines(model.lines(age)[0], LINE_LENGTH);
    data.points(fit ? model.followed : model.points, colours);
    data.mark(model.place);
  });
  latent.within(() => {
    if (!fit) return;
    if (hasGrid) latent.lines(between(model.lines(age), layer), LINE_LENGTH);
    latent.points(between(model.trace.states, layer), colours);
    if (layer === model.nLayers) latent.circles();
    const { states } = model.way;
    const opened = Math.max(1, Math.ceil(layer));
    const [[x, y], [endX, endY], [atX, atY]] = [
      states[opened - 1],
      states[opened],
      between(states, layer),
    ];
    latent.arrow([x, y], [endX, endY]);
    latent.mark([atX, atY]);
  });
}
