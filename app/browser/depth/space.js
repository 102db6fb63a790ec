/*
 * The sentences of one layer as products, which give all cosines for any coordinates that are left
 * out. Rows are the first sentences of the n scored pairs, then the second ones.
 */

import { bytesOf } from "../shared/bytes.js";

/** @import { SpaceData, State } from "./types" */

const ROUNDS = 12;

/** @typedef {{ rows: Float64Array[], lengths: Float64Array, isCentred: boolean }} Kept */

export class Space {
  /** @param {SpaceData} data @param {number} n @param {number[]} shown places among the scored pairs */
  constructor(data, n, shown) {
    this.data = data;
    this.n = n;
    this.sides = [...shown, ...shown.map((row) => n + row)];
    const numbers = new Int16Array(bytesOf(data.numbers).buffer);
    let [at, column] = [0, 0];
    const next = (/** @type {number} */ length) => {
      const scale = data.scales[column++];
      at += length;
      return new Float64Array(numbers.subarray(at - length, at)).map((value) => value * scale);
    };
    this.largest = data.chosen.map(() => next(2 * n));
    this.norms = next(2 * n);
    this.along = next(2 * n);
    this.ofPairs = next(n);
    this.ofShown = next((this.sides.length * (this.sides.length - 1)) / 2);
  }

  /** Return the kept coordinates of every row, and the lengths of the rows. @param {State} state @returns {Kept} */
  #kept({ out, isCentred }) {
    const { mean } = this.data;
    const rows = this.largest
      .map((values, rank) => (isCentred ? values : values.map((value) => value + mean[rank])))
      .filter((_, rank) => !out.has(rank));
    const kept = { rows, lengths: new Float64Array(2 * this.n), isCentred };
    kept.lengths.set(this.norms.map((_, i) => Math.sqrt(this.#product(kept, i, i, 1)) || 1));
    return kept;
  }

  /** Return the product of two rows, given the cosine of their rest. @param {Kept} kept @param {number} i @param {number} j @param {number} cosine */
  #product({ rows, isCentred }, i, j, cosine) {
    let sum = cosine * this.norms[i] * this.norms[j];
    if (!isCentred) sum += this.along[i] + this.along[j] + this.data.rest_mean;
    for (const values of rows) sum += values[i] * values[j];
    return sum;
  }

  /** Return the cosine of each scored pair. @param {State} state */
  cosines(state) {
    const [kept, { n }] = [this.#kept(state), this];
    return this.ofPairs.map(
      (cosine, i) =>
        this.#product(kept, i, n + i, cosine) / (kept.lengths[i] * kept.lengths[n + i]),
    );
  }

  /** Return the cosines of all shown sentences, row by row. @param {State} state */
  gram(state) {
    const [kept, { sides }] = [this.#kept(state), this];
    const m = sides.length;
    const found = new Float64Array(m * m).fill(1);
    let at = 0;
    for (let a = 0; a < m; a++)
      for (let b = a + 1; b < m; b++) {
        const [i, j] = [sides[a], sides[b]];
        const product = this.#product(kept, i, j, this.ofShown[at++]);
        found[a * m + b] = product / (kept.lengths[i] * kept.lengths[j]);
        found[b * m + a] = found[a * m + b];
      }
    return found;
  }
}

/** Return the mean cosine of two different rows. @param {Float64Array} gram */
export function meanCosine(gram) {
  const m = Math.sqrt(gram.length);
  return (gram.reduce((sum, value) => sum + value, 0) - m) / (m * (m - 1));
}

/**
 * Return where unit rows lie around their mean: its length, the cosine of each row with it, and two
 * coordinates orthogonal to it along the directions of largest variance. Orthogonal Procrustes
 * turns these towards `before`, those of the neighbouring layer, so that points move little.
 * @param {Float64Array} gram
 * @param {Float64Array} before x and y of each row in turn
 */
export function aroundMean(gram, before) {
  const m = Math.sqrt(gram.length);
  const sums = Array.from({ length: m }, (_, a) =>
    gram.subarray(a * m, (a + 1) * m).reduce((sum, value) => sum + value, 0),
  );
  const length = Math.sqrt(sums.reduce((sum, value) => sum + value, 0)) / m || 1e-12;
  const along = sums.map((sum) => sum / (m * length));
  const beside = gram.map((value, i) => value - along[Math.floor(i / m)] * along[i % m]);
  let basis = orthonormal(before);
  let image = times(beside, basis);
  for (let round = 0; round < ROUNDS; round++) {
    basis = orthonormal(image);
    image = times(beside, basis);
  }
  const flat = onto(basis, root(crossed(basis, image)));
  return { length, along, flat: onto(flat, turn(crossed(flat, before))) };
}

/** Return the product of a symmetric matrix with two columns. @param {Float64Array} matrix @param {Float64Array} columns */
function times(matrix, columns) {
  const m = columns.length / 2;
  const found = new Float64Array(2 * m);
  for (let a = 0; a < m; a++) {
    let [x, y] = [0, 0];
    for (let b = 0; b < m; b++) {
      const value = matrix[a * m + b];
      x += value * columns[2 * b];
      y += value * columns[2 * b + 1];
    }
    found[2 * a] = x;
    found[2 * a + 1] = y;
  }
  return found;
}

/** @typedef {[number, number, number, number]} Two a matrix of two rows, row by row */

/** Return the products of two pairs of columns. @param {Float64Array} left @param {Float64Array} right @returns {Two} */
function crossed(left, right) {
  /** @type {Two} */
  const found = [0, 0, 0, 0];
  for (let at = 0; at < left.length; at += 2)
    for (let i = 0; i < 4; i++) found[i] += left[at + (i >> 1)] * right[at + (i & 1)];
  return found;
}

/** Return columns times a matrix. @param {Float64Array} columns @param {Two} matrix */
function onto(columns, [a, b, c, d]) {
  return columns.map((value, i) =>
    i % 2 ? columns[i - 1] * b + value * d : value * a + columns[i + 1] * c,
  );
}

/** Return two orthonormal columns with the same span. @param {Float64Array} columns */
function orthonormal(columns) {
  const [a, b, , d] = crossed(columns, columns);
  const [first, share] = [Math.sqrt(a) || 1, b / (a || 1)];
  const second = Math.sqrt(Math.max(d - share * b, 0)) || 1;
  return onto(columns, [1 / first, -share / second, 0, 1 / second]);
}

/** Return the square root of a symmetric positive matrix. @param {Two} matrix @returns {Two} */
function root([a, b, c, d]) {
  const det = Math.sqrt(Math.max(a * d - b * c, 0));
  const scale = Math.sqrt(a + d + 2 * det) || 1;
  return [(a + det) / scale, b / scale, c / scale, (d + det) / scale];
}

/** Return the rotation or reflection nearest to a matrix. @param {Two} matrix @returns {Two} */
function turn([a, b, c, d]) {
  const sign = a * d - b * c < 0 ? -1 : 1;
  const [x, y] = [a + sign * d, b - sign * c];
  const length = Math.hypot(x, y);
  if (!length) return [1, 0, 0, 1];
  return [x / length, y / length, (-sign * y) / length, (sign * x) / length];
}

/** Return Spearman's correlation. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function spearman(a, b) {
  const [x, y] = [a, b].map(ranks);
  const middle = (x.length + 1) / 2;
  const product = (/** @type {Float64Array} */ p, /** @type {Float64Array} */ q) =>
    p.reduce((sum, value, i) => sum + (value - middle) * (q[i] - middle), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

/** Return ranks from 1; equal values share their mean rank. @param {ArrayLike<number>} values */
function ranks(values) {
  const order = Array.from(values, (_, i) => i).sort((i, j) => values[i] - values[j]);
  const found = new Float64Array(order.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let at = from; at < to; at++) found[order[at]] = (from + to + 1) / 2;
  }
  return found;
}
