/* Both squares of the picture: the data, and the same points after some layers. */

import { sized } from "../shared/canvas.js";
import { contextOf } from "../shared/dom.js";
import { layOut } from "./layout.js";
import { Pane } from "./pane.js";
import { between, LATENT, LINE_LENGTH, squareAt } from "./places.js";

/** @import { Model } from "./model.js" */
/** @import { Theme } from "./types" */

/**
 * How the model is drawn.
 * @typedef {object} Look
 * @property {number} layer
 * @property {number} age how many updates old density and grid may be
 * @property {string[]} colours of the followed points
 * @property {boolean} hasGrid
 */

/**
 * Return the two panes that a canvas has in an element of a width.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} root
 * @param {Theme} theme
 * @param {Model} model
 * @param {number} layer
 * @returns {[Pane, Pane]}
 */
export function panesOf(canvas, root, theme, model, layer) {
  const [left, right] = layOut(root.clientWidth).plots;
  const context = contextOf(canvas);
  const square = model.fit ? squareAt(model.trace.states, layer) : LATENT;
  const letter = layer === model.nLayers ? "z" : "h";
  return [
    new Pane(context, theme, left, model.box, "x"),
    new Pane(context, theme, right, square, letter),
  ];
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} root
 * @param {[Pane, Pane]} panes
 * @param {Model} model
 * @param {Look} look
 */
export function drawPicture(canvas, root, [data, latent], model, look) {
  const width = root.clientWidth;
  sized(canvas, width, layOut(width).height);
  data.within(() => drawData(data, model, look));
  latent.within(() => {
    if (model.fit) drawLayers(latent, model, look);
  });
}

/** @param {Pane} pane @param {Model} model @param {Look} look */
function drawData(pane, model, { age, hasGrid, colours }) {
  if (!model.fit) {
    pane.points(model.points, colours);
    pane.mark(model.place);
    return;
  }
  pane.density(model.density(age));
  if (hasGrid) pane.lines(model.lines(age)[0], LINE_LENGTH);
  pane.points(model.followed, colours);
  pane.mark(model.place);
}

/** @param {Pane} pane @param {Model} model @param {Look} look */
function drawLayers(pane, model, { layer, age, hasGrid, colours }) {
  if (hasGrid) pane.lines(between(model.lines(age), layer), LINE_LENGTH);
  pane.points(between(model.trace.states, layer), colours);
  if (layer === model.nLayers) pane.circles();
  const opened = Math.max(1, Math.ceil(layer));
  const [from, to] = [model.way.states[opened - 1], model.way.states[opened]];
  pane.arrow([from[0], from[1]], [to[0], to[1]]);
  const [x, y] = between(model.way.states, layer);
  pane.mark([x, y]);
}
