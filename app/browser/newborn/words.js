/* Words in the plane of the cone's axis and the direction of largest variance, coloured by count. */

import { contextOf, grouped } from "../shared/dom.js";
import { disc, nearest, strokeWithHalo, writer } from "../shared/draw.js";
import { css, shade } from "../shared/palette.js";

/** @import { Rgb, Theme } from "../shared/types" */
/** @import { Reel } from "./reel.js" */

const [MARGIN, BELOW, POINT, NEAR] = [26, 46, 2.6, 14];
const LABELLED = 4;
/** @type {Rgb} */
const NEVER = [213, 94, 0];

/** Words on a canvas with the same scale on both axes. */
export class Words {
  /** @param {HTMLCanvasElement} canvas @param {Theme} theme @param {Reel} reel @param {number} position */
  constructor(canvas, theme, reel, position) {
    this.context = contextOf(canvas);
    this.theme = theme;
    this.write = writer(this.context, theme);
    this.reel = reel;
    this.position = position;
    this.places = reel.at(position);
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    const { low, high } = reel.reach;
    const [w, h] = [this.width - 2 * MARGIN, this.height - MARGIN - BELOW];
    this.scale = Math.min(w / (high[0] - low[0] || 1), h / (high[1] - low[1] || 1));
    this.left = this.width / 2 - (this.scale * (low[0] + high[0])) / 2;
    this.base = MARGIN + h / 2 + (this.scale * (low[1] + high[1])) / 2;
  }

  /** Return the pixel of a place. @param {number} x @param {number} y @returns {[number, number]} */
  pixel(x, y) {
    return [this.left + this.scale * x, this.base - this.scale * y];
  }

  /** Return the pixel of a row. @param {number} row */
  #at(row, places = this.places) {
    return this.pixel(places[2 * row], places[2 * row + 1]);
  }

  /** @param {number} chosen row under the pointer, or -1 */
  draw(chosen) {
    this.#axes();
    this.reel.shares.forEach((share, row) => {
      this.#point(share, ...this.#at(row));
    });
    this.#labels();
    if (chosen >= 0) this.#path(chosen);
    this.#legend();
  }

  #axes() {
    const { context, theme, width, height } = this;
    const [x, y] = this.pixel(0, 0);
    context.strokeStyle = css(theme.line);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height - BELOW + 18);
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
    this.write("↑ along the mean direction of the shown words", 4, 12);
    this.write("origin", width - 4, y - 4, { align: "right" });
    this.write("→ direction of largest variance orthogonal to it", width - 4, height - 32, {
      align: "right",
    });
  }

  /** Draw a disc, or a cross for a word that never occurs. @param {number | null} share @param {number} x @param {number} y */
  #point(share, x, y, r = 3) {
    const { context, theme } = this;
    if (share === null) {
      context.beginPath();
      context.strokeStyle = css(NEVER);
      context.lineWidth = 1.4;
      context.moveTo(x - r, y - r);
      context.lineTo(x + r, y + r);
      context.moveTo(x - r, y + r);
      context.lineTo(x + r, y - r);
      context.stroke();
    } else {
      context.fillStyle = css(shade(share, theme.dark));
      disc(context, [x, y], POINT);
    }
  }

  /** Name the most frequent words and one that never occurs. */
  #labels() {
    const { words, counts } = this.reel;
    for (let row = 0; row < LABELLED; row++) this.#label(row, words[row]);
    const never = counts.indexOf(0);
    if (never >= 0) this.#label(never, "words that never occur");
  }

  /** @param {number} row @param {string} text */
  #label(row, text) {
    const [x, y] = this.#at(row);
    this.write(text, x + 6, y + 4, { colour: this.theme.ink, halo: true });
  }

  /** Draw the path of a word so far, and name it. @param {number} row */
  #path(row) {
    const { context, theme, reel, places } = this;
    const way = [...reel.places.slice(0, Math.floor(this.position) + 1), places];
    strokeWithHalo(context, theme, { colour: theme.ink, width: 1.5, halo: 2 }, () => {
      for (const at of way) context.lineTo(...this.#at(row, at));
    });
    strokeWithHalo(context, theme, { colour: theme.ink, width: 2, halo: 2 }, () => {
      context.arc(...this.#at(row), 5, 0, 2 * Math.PI);
    });
    this.#label(row, describe(reel, row));
  }

  #legend() {
    const { context, theme, reel } = this;
    const [y, x, w] = [this.height - 14, MARGIN, Math.min(150, this.width / 3)];
    for (let i = 0; i < w; i++) {
      context.fillStyle = css(shade(i / w, theme.dark));
      context.fillRect(x + i, y, 1.5, 9);
    }
    const most = `${grouped(Math.max(...reel.counts))} times`;
    this.write("once", x, y - 4);
    this.write(most, x + w, y - 4, { align: "right" });
    this.#point(null, x + w + 24, y + 4, 4);
    this.write("never occurs", x + w + 34, y + 8);
  }

  /** Return the row nearest to a pixel, or -1 if none is near. @param {number} px @param {number} py */
  nearest(px, py) {
    return nearest(this.places.length / 2, (row) => this.#at(row), [px, py], NEAR);
  }
}

/** Return a word and how often it occurs. @param {Reel} reel @param {number} row */
export function describe({ words, counts }, row) {
  const times = counts[row] === 1 ? "once" : `${grouped(counts[row])} times`;
  return counts[row] ? `${words[row]}: ${times}` : "never occurs";
}
