/* Points of the plane, the flow that is fitted to them, and the point under the lens. */

import { Fit } from "../flow/fit.js";
import { normals, uniforms } from "../flow/random.js";
import { drawShape } from "../flow/shapes.js";
import { DRAWN } from "./choice.js";
import { boxAround, cellsOf, latentLines, nearestRow } from "./places.js";

/** @import { Choice, Numbers, Place, Source, Square } from "./types" */

const N_POINTS = 600;
const [LEAST_DRAWN, MOST_DRAWN] = [8, 2_000];
const [DROPS, SPREAD] = [4, 0.12];
/** @type {Square} */
const PAD = [0, 0, 3];
const N_CELLS = 40;
const LINES = latentLines();

/**
 * Keep what `make` returns until the version given is `age` newer than it.
 * @template T
 * @param {() => T} make
 */
function kept(make) {
  /** @type {{ version: number, value: T } | null} */
  let last = null;
  /** @param {number} version */
  return (version, age = 1) => {
    if (!last || version - last.version >= age) last = { version, value: make() };
    return last.value;
  };
}

export class Model {
  #version = 0;
  #normal = normals(uniforms(7));
  /** The followed point under the lens; null where it is a place of its own. @type {number | null} */
  row = 0;
  /** @type {Place} */
  #place = [0, 0];
  /** @type {Source} */
  source = "data";
  /** @type {Fit | null} */
  fit = null;
  #draws = new Float64Array(2 * N_POINTS).map(() => this.#normal());
  #followed = kept(() => (this.source === "data" ? this.points : this.flow.back(this.#draws)[0]));
  #trace = kept(() => this.flow.trace(this.followed));
  #way = kept(() => this.flow.trace(Float64Array.from(this.place)));
  #lines = kept(() => this.flow.back(LINES));
  #density = kept(() => this.flow.logProb(cellsOf(this.box, N_CELLS)).map(Math.exp));

  /** @param {Choice} choice */
  constructor(choice) {
    this.choice = choice;
    const { shape, seed } = choice;
    this.points =
      shape === DRAWN
        ? new Float64Array()
        : drawShape(/** @type {"moons"} */ (shape), N_POINTS, seed);
    this.box = shape === DRAWN ? PAD : boxAround(this.points);
    this.row = shape === DRAWN ? null : 0;
    this.restart();
  }

  /** Begin the fit anew, where there are points enough. */
  restart() {
    const isEnough = this.points.length >= 2 * LEAST_DRAWN;
    this.fit = isEnough ? new Fit(this.points, this.choice) : null;
    this.#version += 1;
  }

  get isDrawn() {
    return this.choice.shape === DRAWN;
  }

  get flow() {
    return /** @type {Fit} */ (this.fit).flow;
  }

  get nLayers() {
    return 3 * this.choice.depth;
  }

  step() {
    this.fit?.step();
    this.#version += 1;
  }

  /** @param {Source} source */
  follow(source) {
    this.source = source;
    this.row = this.isDrawn && source === "data" ? null : 0;
    this.#version += 1;
  }

  /** The points that are followed, in the data's space. @returns {Numbers} */
  get followed() {
    return this.#followed(this.#version);
  }

  /** What decides their colours, which they keep everywhere. */
  get colouredBy() {
    return this.source === "data" ? this.points : this.#draws;
  }

  get trace() {
    return this.#trace(this.#version);
  }

  /** The point under the lens, through the layers. */
  get way() {
    return this.#way(this.#version);
  }

  /** The grid that is regular in the latent space, h_0 to h_L; `age` updates old at most. @param {number} age */
  lines(age) {
    return this.#lines(this.#version, age);
  }

  /** The density on a square grid of the box; `age` updates old at most. @param {number} age */
  density(age) {
    return this.#density(this.#version, age);
  }

  /** The place under the lens, in the data's space. @returns {Place} */
  get place() {
    if (this.row === null) return this.#place;
    return [this.followed[2 * this.row], this.followed[2 * this.row + 1]];
  }

  /**
   * Put what is near a place of the space after `layer` layers under the lens.
   * @param {Place} place
   * @param {number} layer
   * @param {number} reach
   */
  pick(place, layer, reach) {
    this.row = nearestRow(this.trace.states[layer], place, reach);
    this.moveTo(place, layer);
  }

  /** Move what is under the lens to a place of the space after `layer` layers. @param {Place} place @param {number} layer */
  moveTo(place, layer) {
    const [x, y] = layer ? this.flow.back(Float64Array.from(place), layer)[0] : place;
    this.#version += 1;
    if (this.row === null) this.#place = [x, y];
    else if (this.source === "data") this.points.set([x, y], 2 * this.row);
    else {
      const z = /** @type {Numbers} */ (this.flow.trace(Float64Array.of(x, y)).states.at(-1));
      this.#draws.set(z, 2 * this.row);
    }
  }

  /** Scatter some points of the visitor's own about a place. @param {Place} place */
  scatter([x, y]) {
    const room = Math.min(DROPS, MOST_DRAWN - this.points.length / 2);
    const more = Array.from(
      { length: 2 * room },
      (_, i) => (i % 2 ? y : x) + SPREAD * this.#normal(),
    );
    this.points = Float64Array.of(...this.points, ...more);
    if (this.fit) this.fit.points = this.points;
    this.#version += 1;
  }
}
