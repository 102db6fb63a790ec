/* One layer opened: its formula with the numbers of one point, its Jacobian, and its curve. */

import { ActNorm, scalesOf } from "../flow/actnorm.js";
import { Coupling } from "../flow/coupling.js";

/** @import { Curve, Layer, Numbers, Place, Plot } from "./types" */

const N_PLACES = 161;

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
 * Return what a layer does to a point x, giving z, line by line, and how it is undone; "≈" since
 * the numbers shown are rounded.
 * @param {Layer} layer
 * @param {Place} x
 * @returns {string[]}
 */
export function linesOf(layer, [x1, x2]) {
  const [z1, z2] = layer.forward(Float64Array.of(x1, x2)).y;
  if (layer instanceof ActNorm) {
    const scales = scalesOf(layer.logs);
    return [
      `z₁ = (x₁ + b₁) · s₁ = (${term(x1)} + ${term(layer.b[0])}) · ${shown(scales[0])} ≈ ${shown(z1)}`,
      `z₂ = (x₂ + b₂) · s₂ = (${term(x2)} + ${term(layer.b[1])}) · ${shown(scales[1])} ≈ ${shown(z2)}`,
      "back: x = z / s − b",
    ];
  }
  if (!(layer instanceof Coupling))
    return [
      `z₁ = x₂ = ${shown(z1)}`,
      `z₂ = x₁ = ${shown(z2)}`,
      "back: the same again. The next coupling changes what the last one left.",
    ];
  const { shift, logScale } = layer.effect(Float64Array.of(x1));
  const [m, scale] = [shift[0], Math.exp(logScale[0])];
  const first = `z₁ = x₁ = ${shown(z1)}`;
  if (!layer.isAffine)
    return [
      first,
      `z₂ = x₂ + m(x₁) = ${term(x2)} + ${term(m)} ≈ ${shown(z2)}`,
      `back: x₂ = z₂ − m(z₁) = ${term(z2)} − ${term(m)} ≈ ${shown(x2)}`,
    ];
  return [
    first,
    `z₂ = (x₂ + t(x₁)) · s(x₁) = (${term(x2)} + ${term(m)}) · ${shown(scale)} ≈ ${shown(z2)}`,
    `back: x₂ = z₂ / s(z₁) − t(z₁) = ${term(z2)} / ${shown(scale)} − ${term(m)} ≈ ${shown(x2)}`,
  ];
}

/** Say what a Jacobian's determinant does. @param {Layer} layer @param {readonly [number, number, number, number]} jacobian */
export function determinantOf(layer, [a, b, c, d]) {
  const determinant = a * d - b * c;
  const product = `det = ${term(a)} · ${term(d)} − ${term(b)} · ${term(c)}`;
  const nats = `log |det| = ${shown(Math.log(Math.abs(determinant)))} nats`;
  if (layer instanceof ActNorm)
    return `${product} ≈ ${shown(determinant)}: every area by one factor; ${nats}`;
  if (!(layer instanceof Coupling))
    return `${product} = ${shown(determinant)}: areas stay as they are, mirrored; ${nats}`;
  if (layer.isAffine)
    return `${product} ≈ ${shown(determinant)}: by another factor at each x₁; ${nats}`;
  return `${product} = ${shown(determinant)}, whatever m is: areas stay as they are; ${nats}`;
}

/**
 * Return the curves of a layer where its points lie; null where there is nothing to draw.
 * @param {Layer} layer
 * @param {Place} x the point under the lens
 * @param {Numbers} points that come in
 * @returns {Plot | null}
 */
export function plotOf(layer, [x1, x2], points) {
  const isNorm = layer instanceof ActNorm;
  if (!isNorm && !(layer instanceof Coupling)) return null;
  const rug = isNorm ? points : points.filter((_, i) => i % 2 === 0);
  const [low, high] = [Math.min(...rug, x1), Math.max(...rug, x1)];
  const x = new Float64Array(N_PLACES).map((_, i) => low + ((high - low) * i) / (N_PLACES - 1));
  /** @type {(name: string, of: (x: Numbers) => Numbers, at: number) => Curve} */
  const curve = (name, of, at) => ({
    name,
    x,
    y: of(x),
    mark: [at, of(Float64Array.of(at))[0]],
  });
  if (isNorm) {
    const scales = scalesOf(layer.logs);
    /** @type {(i: number) => (x: Numbers) => Numbers} */
    const line = (i) => (x) => x.map((value) => (value + layer.b[i]) * scales[i]);
    const curves = [curve("z₁ of x₁", line(0), x1), curve("z₂ of x₂", line(1), x2)];
    return { curves, titles: ["x", "z"] };
  }
  const shift = curve(layer.isAffine ? "t(x₁)" : "m(x₁)", (x) => layer.effect(x).shift, x1);
  if (!layer.isAffine) return { curves: [shift], titles: ["x₁", "m(x₁)"], rug };
  const scale = curve("s(x₁)", (x) => layer.effect(x).logScale.map(Math.exp), x1);
  return { curves: [shift, scale], titles: ["x₁", "t and s"], rug };
}
