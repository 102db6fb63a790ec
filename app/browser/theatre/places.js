/* Places of the plane: what square holds them, and the colours that points keep everywhere. */

/** @import { Layers, Place, Places, Square } from "./types" */

const LEAST_HALF = 3.3;

/** The square in which the latent space is drawn. @type {Square} */
export const LATENT = [0, 0, LEAST_HALF];

/** Return where each point lies from left to right, 0 to 1. @param {Places} points */
export function sharesAcross(points) {
  const across = points.filter((_, i) => i % 2 === 0);
  const [low, high] = [Math.min(...across), Math.max(...across)];
  return across.map((x) => (x - low) / (high - low || 1));
}

/** @param {Place} place @param {Square} square */
export function isWithin([x, y], [cx, cy, half]) {
  return Math.abs(x - cx) <= half && Math.abs(y - cy) <= half;
}

/**
 * Return the square about the origin that holds the points at a place between two layers.
 * @param {Pick<Layers, "points" | "names">} layers
 * @param {number} size how many numbers the points of one layer are
 * @param {number} layer
 * @returns {Square}
 */
export function squareAt({ points, names }, size, layer) {
  /** @param {number} at */
  const half = (at) => {
    if (at >= names.length) return LEAST_HALF;
    const most = points
      .subarray(at * size, (at + 1) * size)
      .reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    return Math.max(LEAST_HALF, 1.05 * most);
  };
  const from = Math.floor(layer);
  return [0, 0, half(from) + (layer - from) * (half(from + 1) - half(from))];
}
