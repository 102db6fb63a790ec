/* The size of a canvas, in CSS pixels, at the screen's own resolution. */

import { contextOf } from "./dom.js";

/**
 * Give a canvas a size, which clears it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function sized(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  Object.assign(canvas, { width: width * ratio, height: height * ratio });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  contextOf(canvas).scale(ratio, ratio);
}
