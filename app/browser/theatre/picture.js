/* Both squares of the picture: the data, and the same points after some layers. */

import { contextOf } from "../shared/dom.js";
import { readTheme } from "../shared/palette.js";
import { between } from "./frames.js";
import { layOut } from "./layout.js";
import { Pane } from "./pane.js";
import { LATENT, squareAt } from "./places.js";

/** @import { Layers, Payload, Place, Square, State } from "./types" */

/**
 * What is drawn.
 * @typedef {object} Shown
 * @property {Payload} payload
 * @property {State} state
 * @property {Layers | null} layers of that state, where they are known
 * @property {number} layer
 * @property {Float32Array} shares
 * @property {Place | null} at
 * @property {boolean} hasGrid
 */

/**
 * Return the two panes that a canvas has in an element of a width.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} root
 * @param {Square} box of the data
 */
export function panesOf(canvas, root, box) {
  const [data, latent] = layOut(root.clientWidth).plots;
  const [context, theme] = [contextOf(canvas), readTheme(root)];
  return [new Pane(context, theme, data, box, "x"), new Pane(context, theme, latent, LATENT, "z")];
}

/** @param {HTMLCanvasElement} canvas @param {Pane[]} panes @param {Shown} shown */
export function drawPicture(canvas, [data, latent], shown) {
  clear(canvas);
  data.within(() => drawData(data, shown));
  const { layers, layer, payload } = shown;
  if (layers) latent.square = squareAt(layers, payload.points.length, layer);
  latent.within(() => drawLayers(latent, shown));
}

/** Give a canvas the size of its place, which clears it. @param {HTMLCanvasElement} canvas */
function clear(canvas) {
  const width = canvas.parentElement?.clientWidth ?? 0;
  const { height } = layOut(width);
  const ratio = devicePixelRatio || 1;
  Object.assign(canvas, { width: width * ratio, height: height * ratio });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  contextOf(canvas).scale(ratio, ratio);
}

/** @param {Pane} pane @param {Shown} shown */
function drawData(pane, { payload, state, shares, at, hasGrid }) {
  pane.density(state.density);
  if (hasGrid) pane.lines(state.lines, payload.line_length);
  pane.points(payload.points, shares);
  if (at) pane.mark(at);
}

/** @param {Pane} pane @param {Shown} shown */
function drawLayers(pane, { payload, state, layers, layer, shares, hasGrid }) {
  const { points, latent_lines, line_length } = payload;
  if (hasGrid) {
    const lines = layers ? between(layers.lines, latent_lines.length, layer) : latent_lines;
    pane.lines(lines, line_length);
  }
  pane.points(layers ? between(layers.points, points.length, layer) : state.latent, shares);
  if (!layers || layer === layers.names.length) pane.circles();
  if (layers?.way.length) pane.mark(between(layers.way, 2, layer));
}
