/* The words in the plane of the cone's axis, coloured by how often they occur. */

import { contextOf } from "../shared/dom.js";
import { strokeWithHalo, writer } from "../shared/draw.js";
import { css, shade } from "../shared/palette.js";

/** @import { Rgb, Theme } from "../shared/types" */
/** @import { Reel } from "./reel.js" */

const [MARGIN, BELOW, POINT, NEAR] = [26, 46, 2.6, 14];
const LABELLED = 4;
/** @type {Rgb} */
export const NEVER = [213, 94, 0];

/** Words on a canvas; one unit is as long across as it is upwards. */
export class Words {
  /** @param {HTMLCanvasElement} canvas @param {Theme} theme @param {Reel} reel */
  constructor(canvas, theme, reel) {
    this.context = contextOf(canvas);
    this.theme = theme;
    this.write = writer(this.context, theme);
    this.reel = reel;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    const { low, high } = reel.reach;
    const [w, h] = [this.width - 2 * MARGIN, this.height - MARGIN - BELOW];
    this.scale = Math.min(w / (high[0] - low[0] || 1), h / (high[1] - low[1] || 1));
    this.left = this.width / 2 - (this.scale * (low[0] + high[0])) / 2;
    this.base = MARGIN + h / 2 + (this.scale * (low[1] + high[1])) / 2;
  }

  /** @param {number} x @param {number} y @returns {[number, number]} the pixel of a place */
  pixel(x, y) {
    return [this.left + this.scale * x, this.base - this.scale * y];
  }

  /** @param {number} position @param {number} chosen row under the pointer, or -1 */
  draw(position, chosen) {
    const places = this.reel.at(position);
    this.#axes();
    this.#points(places);
    this.#labels(places);
    if (chosen >= 0) this.#path(position, chosen, places);
    this.#legend();
  }

  #axes() {
    const { context, theme } = this;
    const [x, y] = this.pixel(0, 0);
    context.strokeStyle = css(theme.line);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, this.height - BELOW + 18);
    context.moveTo(0, y);
    context.lineTo(this.width, y);
    context.stroke();
    this.write("↑ along the mean direction of the shown words", 4, 12);
    this.write("origin", this.width - 4, y - 4, { align: "right" });
    this.write("→ where words differ most beside it", this.width - 4, this.height - 32, {
      align: "right",
    });
  }

  /** @param {Float32Array} places */
  #points(places) {
    const { context, theme } = this;
    this.reel.shares.forEach((share, i) => {
      const [x, y] = this.pixel(places[2 * i], places[2 * i + 1]);
      context.beginPath();
      if (share === null) {
        context.strokeStyle = css(NEVER);
        context.lineWidth = 1.4;
        cross(context, x, y, 3);
        context.stroke();
      } else {
        context.fillStyle = css(shade(share, theme.dark));
        context.arc(x, y, POINT, 0, 2 * Math.PI);
        context.fill();
      }
    });
  }

  /** Name the most frequent words and one that never occurs. @param {Float32Array} places */
  #labels(places) {
    const never = this.reel.counts.indexOf(0);
    for (let i = 0; i < LABELLED; i++) this.#label(places, i, this.reel.words[i]);
    if (never >= 0) this.#label(places, never, "words that never occur");
  }

  /** @param {Float32Array} places @param {number} row @param {string} text */
  #label(places, row, text) {
    const [x, y] = this.pixel(places[2 * row], places[2 * row + 1]);
    this.write(text, x + 6, y + 4, { colour: this.theme.ink, halo: true });
  }

  /** Draw the way of a word so far. */
  /** @param {number} position @param {number} row @param {Float32Array} places */
  #path(position, row, places) {
    const { context, theme, reel } = this;
    const way = reel.places.slice(0, Math.floor(position) + 1);
    const colour = theme.ink;
    strokeWithHalo(context, theme, { colour, width: 1.5, halo: 2 }, () => {
      for (const at of [...way, places])
        context.lineTo(...this.pixel(at[2 * row], at[2 * row + 1]));
    });
    const [x, y] = this.pixel(places[2 * row], places[2 * row + 1]);
    strokeWithHalo(context, theme, { colour, width: 2, halo: 2 }, () => {
      context.arc(x, y, 5, 0, 2 * Math.PI);
    });
    this.#label(places, row, describe(reel, row));
  }

  #legend() {
    const { context, theme, reel } = this;
    const [y, x, w] = [this.height - 14, MARGIN, Math.min(150, this.width / 3)];
    for (let i = 0; i < w; i++) {
      context.fillStyle = css(shade(i / w, theme.dark));
      context.fillRect(x + i, y, 1.5, 9);
    }
    this.write("once", x, y - 4);
    this.write(`${Math.max(...reel.counts).toLocaleString("en")} times`, x + w, y - 4, {
      align: "right",
    });
    context.strokeStyle = css(NEVER);
    context.lineWidth = 1.4;
    context.beginPath();
    cross(context, x + w + 24, y + 4, 4);
    context.stroke();
    this.write("never occurs", x + w + 34, y + 8);
  }

  /** Return the row nearest to a pixel, or -1 if none is near. */
  /** @param {number} px @param {number} py @param {number} position */
  nearest(px, py, position) {
    const places = this.reel.at(position);
    let [best, row] = [NEAR ** 2, -1];
    for (let i = 0; 2 * i < places.length; i++) {
      const [x, y] = this.pixel(places[2 * i], places[2 * i + 1]);
      const distance = (x - px) ** 2 + (y - py) ** 2;
      if (distance < best) [best, row] = [distance, i];
    }
    return row;
  }
}

/** Return a word and how often it occurs. @param {Reel} reel @param {number} row */
export function describe({ words, counts }, row) {
  const times = counts[row] === 1 ? "once" : `${counts[row].toLocaleString("en")} times`;
  return counts[row] ? `${words[row]}: ${times}` : "never occurs";
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} r */
function cross(context, x, y, r) {
  context.moveTo(x - r, y - r);
  context.lineTo(x + r, y + r);
  context.moveTo(x - r, y + r);
  context.lineTo(x + r, y - r);
}
