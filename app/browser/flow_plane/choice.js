/* The choices of a fit on the plane, as text for an address: moons-additive-4-16-0.003-0. */

import { SHAPES } from "../flow/shapes.js";

/** @import { Choice } from "./types" */

/** The shape whose points the visitor draws. */
export const DRAWN = "drawn";

/** Name, minimum, maximum, step and meaning of each number. */
export const BOUNDS = /** @type {const} */ ({
  depth: ["Depth", 1, 8, 1, "Steps of the flow: ActNorm, reversal, coupling"],
  width: ["Width", 4, 32, 4, "Hidden units of each coupling's network"],
  lr: ["Learning rate", 0.0005, 0.02, 0.0005, "Learning rate of Adam, constant"],
  seed: ["Seed", 0, 9999, 1, "Seed of the points, the initial flow and the order of points"],
});

/** @type {Choice} */
export const DEFAULT = {
  shape: "moons",
  coupling: "additive",
  depth: 4,
  width: 16,
  lr: 0.003,
  seed: 0,
};

/** @param {Choice} choice */
export function writeChoice({ shape, coupling, depth, width, lr, seed }) {
  return [shape, coupling, depth, width, lr, seed].join("-");
}

/** Return the choice that a text stands for, null if it is not a choice. @param {string} text */
export function readChoice(text) {
  const [shape, coupling, ...rest] = text.split("-");
  const [depth, width, lr, seed] = rest.map(Number);
  const numbers = { depth, width, lr, seed };
  const isKnown = (Object.hasOwn(SHAPES, shape) || shape === DRAWN) && rest.length === 4;
  if (!isKnown || (coupling !== "additive" && coupling !== "affine")) return null;
  for (const [name, [, least, most]] of Object.entries(BOUNDS)) {
    const value = numbers[/** @type {keyof typeof numbers} */ (name)];
    const isWhole = name === "lr" || Number.isInteger(value);
    if (!isWhole || !(least <= value && value <= most)) return null;
  }
  return /** @type {Choice} */ ({ shape, coupling, ...numbers });
}

/** Return how the flow in the picture was fitted. @param {Choice} choice @param {number} n */
export function recipeOf({ shape, coupling, depth, width, lr, seed }, n) {
  const name = SHAPES[/** @type {keyof typeof SHAPES} */ (shape)];
  const points = name ? `${n} points, ${name}` : `${n} points drawn by hand`;
  return (
    `${points}, seed ${seed}; ${depth} steps of ActNorm, reversal and ${coupling} coupling of ` +
    `width ${width}; Adam at a learning rate of ${lr}, 256 points a step, trained in this browser.`
  );
}
