/* A model from its first layer to its last: what leaving parts out does at each. */

import { aroundMean, meanCosine, Space, spearman } from "./space.js";

/** @import { Points } from "../cone/types" */
/** @import { Payload, State } from "./types" */

/** @typedef {{ cosine: number, rho: number }} Scores rho is NaN without gold scores */
/** @typedef {{ pair: number, before: number, now: number }} Changed the cosines of a shown pair */

/** @type {State} */
export const AS_IT_IS = { out: new Set(), isCentred: false, isAfterFirst: false };
const COLOUR = "#0072b2";
const MOST_CHANGED = 2;

export class Journey {
  /** @type {Map<string, Space>} */
  #spaces = new Map();
  /** @type {Map<string, Scores[]>} */
  #scores = new Map();
  /** Cosines of the shown sentences as they are, by layer. @type {Float64Array[]} */
  #grams;
  /** @type {Float64Array[]} */
  #frames;

  /** @param {Payload} data */
  constructor(data) {
    this.data = data;
    let flat = Float64Array.from({ length: 4 * data.shown.length }, (_, i) => Math.sin(i + 1));
    this.#grams = data.layers.map((_, layer) => this.space(layer, AS_IT_IS).gram(AS_IT_IS));
    this.#frames = this.#grams.map((gram) => {
      flat = aroundMean(gram, flat).flat;
      return flat;
    });
  }

  get last() {
    return this.data.layers.length - 1;
  }

  /** @param {number} layer @param {State} state */
  space(layer, { isAfterFirst }) {
    const key = `${layer} ${isAfterFirst}`;
    const { all, after_first } = this.data.layers[layer];
    const found =
      this.#spaces.get(key) ??
      new Space(isAfterFirst ? after_first : all, this.data.n, this.data.shown);
    this.#spaces.set(key, found);
    return found;
  }

  /** @param {number} layer @param {State} state */
  #gram(layer, state) {
    return state === AS_IT_IS ? this.#grams[layer] : this.space(layer, state).gram(state);
  }

  /** Return the random cosine and rho at every layer. @param {State} state */
  scores(state) {
    const key = JSON.stringify([[...state.out].sort(), state.isCentred, state.isAfterFirst]);
    const { gold, layers } = this.data;
    const found =
      this.#scores.get(key) ??
      layers.map((_, layer) => {
        const rho = gold ? spearman(this.space(layer, state).cosines(state), gold) : Number.NaN;
        return { cosine: meanCosine(this.#gram(layer, state)), rho };
      });
    this.#scores.set(key, found);
    return found;
  }

  /** Return the shown sentences around their mean, in the frame that all layers share. @param {number} layer @param {State} state */
  panel(layer, state) {
    const { length, along, flat } = aroundMean(this.#gram(layer, state), this.#frames[layer]);
    return onSphere(along, flat, length, this.data.tilt);
  }

  /** Return the angles of the shown pairs in degrees. @param {number} layer @param {State} state */
  angles(layer, state) {
    const cosines = this.space(layer, state).cosines(state);
    return this.data.shown.map((row) => (180 / Math.PI) * Math.acos(Math.min(1, cosines[row])));
  }

  /** Return the shown pairs whose cosines a state changes most; none if it leaves nothing out. @param {number} layer @param {State} state @returns {Changed[]} */
  mostChanged(layer, state) {
    const [before, now] = [AS_IT_IS, state].map((each) => this.space(layer, each).cosines(each));
    const by = (/** @type {Changed} */ each) => Math.abs(each.now - each.before);
    return this.data.shown
      .map((row, pair) => ({ pair, before: before[row], now: now[row] }))
      .filter(by)
      .sort((a, b) => by(b) - by(a))
      .slice(0, MOST_CHANGED);
  }
}

/**
 * Return rows as a sphere draws them, seen from the side; the arrow is their mean.
 * @param {number[]} along the cosine of each row with the mean
 * @param {Float64Array} flat
 * @param {number} length of the mean
 * @param {number} tilt
 * @returns {Points & { mean_length: number }}
 */
function onSphere(along, flat, length, tilt) {
  const [x, y, near] = [[], [], []].map(() => new Array(along.length).fill(0));
  along.forEach((height, row) => {
    const aside = Math.sqrt(Math.max(0, 1 - height * height));
    const azimuth = Math.atan2(flat[2 * row + 1], flat[2 * row]);
    const depth = aside * Math.sin(azimuth);
    x[row] = aside * Math.cos(azimuth);
    y[row] = height * Math.cos(tilt) - depth * Math.sin(tilt);
    near[row] = depth * Math.cos(tilt) + height * Math.sin(tilt);
  });
  return { x, y, near, colour: COLOUR, top: length * Math.cos(tilt), mean_length: length };
}
