/* Places of the plane: squares that hold them, grids of them, and the colours that points keep. */

import { nearest } from "../shared/draw.js";

/** @import { Numbers, Place, Square } from "./types" */

const LEAST_HALF = 3.3;
const MARGIN = 0.25;
const [N_LINES, REACH] = [9, 3];
export const LINE_LENGTH = 41;

/** The square in which the latent space is drawn. @type {Square} */
export const LATENT = [0, 0, LEAST_HALF];

/** Return the horizontal or vertical coordinates of points, and their range. @param {Numbers} points @param {0 | 1} side */
function along(points, side) {
  const values = points.filter((_, i) => i % 2 === side);
  return { values, low: Math.min(...values), high: Math.max(...values) };
}

/** Return where each point lies from left to right, 0 to 1. @param {Numbers} points */
export function sharesAcross(points) {
  const { values, low, high } = along(points, 0);
  return values.map((x) => (x - low) / (high - low || 1));
}

/** Return the square around all points, with a margin of a quarter. @param {Numbers} points @returns {Square} */
export function boxAround(points) {
  const [x, y] = [along(points, 0), along(points, 1)];
  const half = (Math.max(x.high - x.low, y.high - y.low) / 2) * (1 + MARGIN);
  return [(x.low + x.high) / 2, (y.low + y.high) / 2, half];
}

/** Return the centres of n x n cells, row by row from below. @param {Square} square @param {number} n */
export function cellsOf([cx, cy, half], n) {
  /** @param {number} i */
  const offset = (i) => half * ((2 * i + 1) / n - 1);
  return new Float64Array(2 * n * n).map((_, at) => {
    const cell = at >> 1;
    return at % 2 ? cy + offset(Math.floor(cell / n)) : cx + offset(cell % n);
  });
}

/** Return vertical and horizontal lines through the latent space, LINE_LENGTH places each. */
export function latentLines() {
  /** @type {(i: number, n: number) => number} */
  const even = (i, n) => REACH * ((2 * i) / (n - 1) - 1);
  /** @type {number[]} */
  const places = [];
  for (const isLevel of [false, true])
    for (let line = 0; line < N_LINES; line++)
      for (let i = 0; i < LINE_LENGTH; i++) {
        const [at, on] = [even(line, N_LINES), even(i, LINE_LENGTH)];
        places.push(...(isLevel ? [on, at] : [at, on]));
      }
  return Float64Array.from(places);
}

/**
 * Return the row of the point nearest to a place, null if none is within reach.
 * @param {Numbers} points
 * @param {Place} place
 * @param {number} reach
 */
export function nearestRow(points, place, reach) {
  /** @type {(row: number) => Place} */
  const at = (row) => [points[2 * row], points[2 * row + 1]];
  const row = nearest(points.length / 2, at, place, reach);
  return row < 0 ? null : row;
}

/**
 * Return the square around the origin that holds the points at a place between two layers.
 * @param {Numbers[]} states after 0 to L layers
 * @param {number} layer
 * @returns {Square}
 */
export function squareAt(states, layer) {
  const last = states.length - 1;
  /** @param {number} at */
  const half = (at) => {
    if (at >= last) return LEAST_HALF;
    const most = states[at].reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    return Math.max(LEAST_HALF, 1.05 * most);
  };
  const from = Math.floor(layer);
  return [0, 0, half(from) + (layer - from) * (half(from + 1) - half(from))];
}

/** Return rows at a place between two layers. @param {Numbers[]} states @param {number} layer */
export function between(states, layer) {
  const from = Math.floor(layer);
  const [a, share] = [states[from], layer - from];
  if (share === 0) return a;
  const b = states[from + 1];
  return a.map((value, i) => value + share * (b[i] - value));
}
