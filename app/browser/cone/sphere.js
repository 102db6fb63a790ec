/* One sphere: sentences as points around the mean arrow, and one pair with a line between. */

import { sized } from "../shared/canvas.js";
import { contextOf } from "../shared/dom.js";
import { strokeWithHalo } from "../shared/draw.js";
import { css, toRgb } from "../shared/palette.js";

/** @import { Theme } from "../shared/types" */
/** @import { Curve, Panel } from "./types" */

const ARROW = toRgb("#d55e00");
const MARGIN = 8;
const REACH = 16;
const HEAD = 7;
const FULL_TURN = 2 * Math.PI;

/** Draws a panel in a square canvas, and finds the point under the pointer. */
export class Sphere {
  /** @param {HTMLCanvasElement} canvas @param {Panel} panel */
  constructor(canvas, panel) {
    this.canvas = canvas;
    this.panel = panel;
  }

  /** Give the canvas its size, which clears it. @param {number} size */
  resize(size) {
    sized(this.canvas, size, size);
    this.half = size / 2;
  }

  /** @param {number} x @param {number} y @returns {[number, number]} */
  #pixel(x, y) {
    const [half, radius] = [this.half ?? 0, (this.half ?? 0) - MARGIN];
    return [half + radius * x, half - radius * y];
  }

  /** @param {number} row */
  #place(row) {
    return this.#pixel(this.panel.x[row], this.panel.y[row]);
  }

  /** Return the row nearest to a place within reach, -1 for none. @param {number} x @param {number} y */
  nearest(x, y) {
    let [best, found] = [REACH ** 2, -1];
    for (let row = 0; row < this.panel.x.length; row++) {
      const [across, down] = this.#place(row);
      const distance = (across - x) ** 2 + (down - y) ** 2;
      if (distance < best) [best, found] = [distance, row];
    }
    return found;
  }

  /** @param {Theme} theme @param {Curve[]} circles @param {number} pair */
  draw(theme, circles, pair) {
    const context = contextOf(this.canvas);
    for (const circle of circles) this.#circle(context, theme, circle);
    this.#points(context);
    this.#arrow(context, theme);
    this.#pair(context, theme, pair);
  }

  /** @param {CanvasRenderingContext2D} context @param {Theme} theme @param {Curve} circle */
  #circle(context, theme, circle) {
    context.beginPath();
    circle.x.forEach((x, i) => {
      context.lineTo(...this.#pixel(x, circle.y[i]));
    });
    context.lineWidth = 1;
    context.strokeStyle = css(theme.line);
    context.stroke();
  }

  /** Those on the far side are small and pale. @param {CanvasRenderingContext2D} context */
  #points(context) {
    const colour = toRgb(this.panel.colour);
    this.panel.near.forEach((isNear, row) => {
      context.beginPath();
      context.arc(...this.#place(row), isNear ? 3 : 2, 0, FULL_TURN);
      context.fillStyle = css(colour, isNear ? 0.85 : 0.4);
      context.fill();
    });
  }

  /** @param {CanvasRenderingContext2D} context @param {Theme} theme */
  #arrow(context, theme) {
    const [x, foot] = this.#pixel(0, 0);
    const [, tip] = this.#pixel(0, this.panel.top);
    strokeWithHalo(context, theme, { colour: ARROW, width: 4, halo: 2 }, () => {
      context.moveTo(x, foot);
      context.lineTo(x, tip);
    });
    context.beginPath();
    context.moveTo(x, tip - HEAD);
    context.lineTo(x - HEAD, tip + HEAD);
    context.lineTo(x + HEAD, tip + HEAD);
    context.fillStyle = css(ARROW);
    context.fill();
  }

  /** @param {CanvasRenderingContext2D} context @param {Theme} theme @param {number} pair */
  #pair(context, theme, pair) {
    const ends = [this.#place(pair), this.#place(pair + this.panel.pair_angles.length)];
    strokeWithHalo(context, theme, { colour: theme.ink, width: 2, halo: 3 }, () => {
      for (const end of ends) context.lineTo(...end);
    });
    for (const [x, y] of ends) {
      context.beginPath();
      context.arc(x, y, 5, 0, FULL_TURN);
      context.fillStyle = css(theme.ink);
      context.fill();
      context.strokeStyle = css(theme.background);
      context.stroke();
    }
  }
}
