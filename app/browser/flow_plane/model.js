/* Points of the plane, the flow that is fitted to them, and the point under the lens. */

import { Fit } from "../flow/fit.js";
import { normals, uniforms } from "../flow/random.js";
import { drawShape } from "../flow/shapes.js";
import { DRAWN } from "./choice.js";
import { boxAround, cellsOf, latentLines, nearestRow, sharesAcross } from "./places.js";

/** @import { Choice, Numbers, Place, Source, Square } from "./types" */

const N_POINTS = 600;
const [LEAST_DRAWN, MOST_DRAWN] = [8, 2_000];
const [DROPS, SPREAD] = [4, 0.12];
/** @type {Square} */
const PAD = [0, 0, 3];
const N_CELLS = 40;
const LINES = latentLines();

export class Model {
  #version = 0;
  /** @type {Map<string, { version: number, value: any }>} */
  #known = new Map();
  #normal = normals(uniforms(7));
  #draws = new Float64Array(2 * N_POINTS).map(() => this.#normal());
  /** The row of the point under the lens; null if the lens is on a place without a point. @type {number | null} */
  row = 0;
  /** @type {Place} */
  #place = [0, 0];
  /** @type {Source} */
  source = "data";
  /** @type {Fit | null} */
  fit = null;
  /** How far right each followed point was at first, 0 to 1; this sets its colour. @type {number[]} */
  shares = [];

  /** @param {Choice} choice */
  constructor(choice) {
    this.choice = choice;
    const shape = /** @type {"moons"} */ (choice.shape);
    this.points = this.isDrawn ? new Float64Array() : drawShape(shape, N_POINTS, choice.seed);
    this.box = this.isDrawn ? PAD : boxAround(this.points);
    this.restart();
    this.follow("data");
  }

  /** Start the fit again if there are enough points. */
  restart() {
    const isEnough = this.points.length >= 2 * LEAST_DRAWN;
    this.fit = isEnough ? new Fit(this.points, this.choice) : null;
    this.#version += 1;
  }

  step() {
    this.fit?.step();
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

  /** @param {Source} source */
  follow(source) {
    this.source = source;
    this.row = this.isDrawn && source === "data" ? null : 0;
    this.#recolour();
  }

  #recolour() {
    this.shares = [...sharesAcross(this.source === "data" ? this.points : this.#draws)];
    this.#version += 1;
  }

  /**
   * Return the result of `make`, kept for at most `age` updates.
   * @template T
   * @param {string} name
   * @param {() => T} make
   * @returns {T}
   */
  #kept(name, make, age = 1) {
    const last = this.#known.get(name);
    if (last && this.#version - last.version < age) return last.value;
    const value = make();
    this.#known.set(name, { version: this.#version, value });
    return value;
  }

  /** The points that are followed, in the data's space. @returns {Numbers} */
  get followed() {
    if (this.source === "data") return this.points;
    return this.#kept("followed", () => this.flow.back(this.#draws)[0]);
  }

  get trace() {
    return this.#kept("trace", () => this.flow.trace(this.followed));
  }

  /** The point under the lens, through the layers. */
  get way() {
    return this.#kept("way", () => this.flow.trace(Float64Array.from(this.place)));
  }

  /** The grid that is regular in the latent space, h_0 to h_L; `age` updates old at most. @param {number} age */
  lines(age) {
    return this.#kept("lines", () => this.flow.back(LINES), age);
  }

  /** The density on a square grid of the box; `age` updates old at most. @param {number} age */
  density(age) {
    const make = () => this.flow.logProb(cellsOf(this.box, N_CELLS)).map(Math.exp);
    return this.#kept("density", make, age);
  }

  /** The place under the lens, in the data's space. @returns {Place} */
  get place() {
    if (this.row === null) return this.#place;
    return [this.followed[2 * this.row], this.followed[2 * this.row + 1]];
  }

  /**
   * Put the lens on the point near a place of the space after `layer` layers.
   * @param {Place} place
   * @param {number} layer
   * @param {number} reach
   */
  pick(place, layer, reach) {
    this.row = nearestRow(this.trace.states[layer], place, reach);
    this.moveTo(place, layer);
  }

  /** Move the point under the lens to a place of the space after `layer` layers. @param {Place} place @param {number} layer */
  moveTo(place, layer) {
    const [x, y] = layer ? this.flow.back(Float64Array.from(place), layer)[0] : place;
    this.#version += 1;
    if (this.row === null) this.#place = [x, y];
    else if (this.source === "data") this.points.set([x, y], 2 * this.row);
    else this.#draws.set(this.flow.trace(Float64Array.of(x, y)).states[this.nLayers], 2 * this.row);
  }

  /** Scatter some drawn points around a place. @param {Place} place */
  scatter(place) {
    const room = Math.min(DROPS, MOST_DRAWN - this.points.length / 2);
    const more = Array.from({ length: 2 * room }, (_, i) => place[i % 2] + SPREAD * this.#normal());
    this.points = Float64Array.of(...this.points, ...more);
    if (this.fit) this.fit.points = this.points;
    this.#recolour();
  }
}
