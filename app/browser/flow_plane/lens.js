/* One layer opened: its formula with the numbers of one point, its Jacobian, and its curve. */

import { ActNorm, Coupling } from "../flow/layers.js";
import { scalesOf } from "../flow/linear.js";

/** @import { Chart } from "../shared/chart.js" */
/** @import { Layer, Numbers, Place, Rgb } from "./types" */

const N_PLACES = 161;
/** Blue and vermilion of Okabe and Ito, distinct for colour-blind readers too. @type {readonly [Rgb, Rgb]} */
export const COLOURS = [
  [0, 114, 178],
  [213, 94, 0],
];

/** Return a number as it is printed, with a true minus. @param {number} value */
export function shown(value, digits = 3) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** Return a number in a sum or product, in brackets where negative. @param {number} value */
function term(value) {
  const text = shown(value);
  return text.startsWith("−") ? `(${text})` : text;
}

/**
 * Return lines that show how a layer maps a point x to z, and how it is inverted. They have "≈"
 * because the shown numbers are rounded.
 * @param {Layer} layer
 * @param {Place} x
 * @returns {string[]}
 */
export function linesOf(layer, [x1, x2]) {
  const [z1, z2] = layer.forward(Float64Array.of(x1, x2)).y;
  if (layer instanceof ActNorm) {
    const [s1, s2] = scalesOf(layer.logs);
    return [
      `z₁ = (x₁ + b₁) · s₁ = (${term(x1)} + ${term(layer.b[0])}) · ${shown(s1)} ≈ ${shown(z1)}`,
      `z₂ = (x₂ + b₂) · s₂ = (${term(x2)} + ${term(layer.b[1])}) · ${shown(s2)} ≈ ${shown(z2)}`,
      "back: x = z / s − b",
    ];
  }
  if (!(layer instanceof Coupling))
    return [
      `z₁ = x₂ = ${shown(z1)}`,
      `z₂ = x₁ = ${shown(z2)}`,
      "back: the same swap. The next coupling changes the coordinate that the last one kept.",
    ];
  const { shift, logScale } = layer.effect(Float64Array.of(x1));
  const [m, scale] = [term(shift[0]), shown(Math.exp(logScale[0]))];
  const first = `z₁ = x₁ = ${shown(z1)}`;
  if (!layer.isAffine)
    return [
      first,
      `z₂ = x₂ + m(x₁) = ${term(x2)} + ${m} ≈ ${shown(z2)}`,
      `back: x₂ = z₂ − m(z₁) = ${term(z2)} − ${m} ≈ ${shown(x2)}`,
    ];
  return [
    first,
    `z₂ = (x₂ + t(x₁)) · s(x₁) = (${term(x2)} + ${m}) · ${scale} ≈ ${shown(z2)}`,
    `back: x₂ = z₂ / s(z₁) − t(z₁) = ${term(z2)} / ${scale} − ${m} ≈ ${shown(x2)}`,
  ];
}

/** Say what a Jacobian's determinant does to areas. @param {Layer} layer @param {readonly [number, number, number, number]} jacobian */
export function determinantOf(layer, [a, b, c, d]) {
  const determinant = a * d - b * c;
  const product = `det = ${term(a)} · ${term(d)} − ${term(b)} · ${term(c)}`;
  const [sign, meaning] =
    layer instanceof ActNorm
      ? ["≈", ": it scales all areas by the same factor"]
      : !(layer instanceof Coupling)
        ? ["=", ": areas keep their size and are mirrored"]
        : layer.isAffine
          ? ["≈", ": it scales areas by a factor that depends on x₁"]
          : ["=", ", whatever m is: areas keep their size"];
  const nats = shown(Math.log(Math.abs(determinant)));
  return `${product} ${sign} ${shown(determinant)}${meaning}; log |det| = ${nats} nats`;
}

/**
 * Return the curves of a layer over the range of its points; null if there are none.
 * @param {Layer} layer
 * @param {Place} x the point under the lens
 * @param {Numbers} points of its input
 * @returns {Chart | null}
 */
export function plotOf(layer, [x1, x2], points) {
  const isNorm = layer instanceof ActNorm;
  if (!isNorm && !(layer instanceof Coupling)) return null;
  const across = isNorm ? points : points.filter((_, i) => i % 2 === 0);
  const [low, high] = [Math.min(...across, x1), Math.max(...across, x1)];
  const x = new Float64Array(N_PLACES).map((_, i) => low + ((high - low) * i) / (N_PLACES - 1));
  /** @type {(i: 0 | 1, name: string, at: number, of: (x: Numbers) => Numbers) => Chart["lines"][0]} */
  const curve = (i, name, at, of) => ({
    ...{ name, colour: COLOURS[i], x, y: of(x) },
    mark: [at, of(Float64Array.of(at))[0]],
  });
  if (isNorm) {
    const scales = scalesOf(layer.logs);
    /** @type {(i: number) => (x: Numbers) => Numbers} */
    const line = (i) => (x) => x.map((value) => (value + layer.b[i]) * scales[i]);
    const lines = [curve(0, "z₁ of x₁", x1, line(0)), curve(1, "z₂ of x₂", x2, line(1))];
    return { lines, titles: ["x", "z"] };
  }
  const { isAffine } = layer;
  const shift = curve(0, isAffine ? "t(x₁)" : "", x1, (x) => layer.effect(x).shift);
  if (!isAffine) return { lines: [shift], titles: ["x₁", "m(x₁)"], rug: across };
  const scale = curve(1, "s(x₁)", x1, (x) => layer.effect(x).logScale.map(Math.exp));
  return { lines: [shift, scale], titles: ["x₁", "t and s"], rug: across };
}
