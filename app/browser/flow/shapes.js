/* Shapes of points in the plane that a flow must bend. */

import { normals, uniforms } from "./random.js";

/** @import { Numbers } from "./types" */

/** @typedef {(uniform: () => number, normal: () => number) => [number, number]} Draw */

/** Their names, in the order of the menu. */
export const SHAPES = /** @type {const} */ ({
  moons: "two moons",
  spiral: "spiral",
  ring: "ring",
  blobs: "two blobs",
  banana: "banana",
  cone: "cone",
});

/** @type {Record<keyof typeof SHAPES, Draw>} */
const DRAWN = {
  moons: (uniform, normal) => {
    const angle = Math.PI * uniform();
    const side = uniform() < 0.5 ? 1 : -1;
    const [x, y] = [side * (Math.cos(angle) - 0.5), side * (Math.sin(angle) - 0.25)];
    return [1.5 * x + 0.12 * normal(), 1.5 * y + 0.12 * normal()];
  },
  spiral: (uniform, normal) => {
    const angle = 3 * Math.PI * Math.sqrt(0.03 + 0.97 * uniform());
    const radius = 0.26 * angle;
    return [radius * Math.cos(angle) + 0.08 * normal(), radius * Math.sin(angle) + 0.08 * normal()];
  },
  ring: (uniform, normal) => {
    const angle = 2 * Math.PI * uniform();
    return [1.8 * Math.cos(angle) + 0.15 * normal(), 1.8 * Math.sin(angle) + 0.15 * normal()];
  },
  blobs: (uniform, normal) => {
    const side = uniform() < 0.5 ? -1 : 1;
    return [1.4 * side + 0.4 * normal(), 0.6 * side + 0.4 * normal()];
  },
  banana: (_, normal) => {
    const x = normal();
    return [x, 0.45 * (x ** 2 - 1) + 0.25 * normal()];
  },
  // Like embeddings of sentences: on one side of the origin, widening away from it. The length has
  // a gamma distribution with shape 6: it is a sum of six exponential draws.
  cone: (uniform, normal) => {
    let length = 0;
    for (let i = 0; i < 6; i++) length -= 0.4 * Math.log(1 - uniform());
    const angle = Math.PI / 4 + 0.22 * normal();
    return [length * Math.cos(angle), length * Math.sin(angle)];
  },
};

/**
 * Return n points of a shape. All shapes but the cone are 4 to 5 wide and near the origin.
 * @param {keyof typeof SHAPES} shape
 * @param {number} n
 * @param {number} seed
 * @returns {Numbers}
 */
export function drawShape(shape, n, seed) {
  const uniform = uniforms(seed);
  const normal = normals(uniform);
  const points = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) points.set(DRAWN[shape](uniform, normal), 2 * i);
  return points;
}
