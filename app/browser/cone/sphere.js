/* One sphere: sentences as points around the mean arrow, and one pair with a line between. */

import { contextOf, sized } from "../shared/dom.js";
import { disc, nearest, strokeWithHalo } from "../shared/draw.js";
import { css, toRgb } from "../shared/palette.js";

/** @import { Theme } from "../shared/types" */
/** @import { Curve, Points } from "./types" */

const ARROW = toRgb("#d55e00");
const [MARGIN, REACH, HEAD] = [8, 16, 7];

/** Draws a panel in a square canvas, and finds the point under the pointer. */
export class Sphere {
  #half = 0;

  /** @param {HTMLCanvasElement} canvas @param {Points} panel */
  constructor(canvas, panel) {
    this.canvas = canvas;
    this.panel = panel;
  }

  /** Give the canvas its size, which clears it. @param {number} size */
  resize(size) {
    sized(this.canvas, size, size);
    this.#half = size / 2;
  }

  /** @param {number} x @param {number} y @returns {[number, number]} */
  #pixel(x, y) {
    const radius = this.#half - MARGIN;
    return [this.#half + radius * x, this.#half - radius * y];
  }

  /** @param {number} row */
  #place(row) {
    return this.#pixel(this.panel.x[row], this.panel.y[row]);
  }

  /** Return the row nearest to a place, or -1 if none is within reach. @param {number} x @param {number} y */
  nearest(x, y) {
    return nearest(this.panel.x.length, (row) => this.#place(row), [x, y], REACH);
  }

  /** @param {Theme} theme @param {Curve[]} circles @param {number[]} pair two rows */
  draw(theme, circles, pair) {
    const context = contextOf(this.canvas);
    const { near, colour, top } = this.panel;
    context.lineWidth = 1;
    context.strokeStyle = css(theme.line);
    for (const { x, y } of circles) {
      context.beginPath();
      for (let i = 0; i < x.length; i++) context.lineTo(...this.#pixel(x[i], y[i]));
      context.stroke();
    }
    const rgb = toRgb(colour);
    near.forEach((depth, row) => {
      // Points on the far side are small and pale.
      context.fillStyle = css(rgb, depth > 0 ? 0.85 : 0.4);
      disc(context, this.#place(row), depth > 0 ? 3 : 2);
    });
    const [[x, foot], [, tip]] = [this.#pixel(0, 0), this.#pixel(0, top)];
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
    const ends = pair.map((row) => this.#place(row));
    strokeWithHalo(context, theme, { colour: theme.ink, width: 2, halo: 3 }, () => {
      for (const end of ends) context.lineTo(...end);
    });
    context.fillStyle = css(theme.ink);
    context.strokeStyle = css(theme.background);
    for (const end of ends) {
      disc(context, end, 5);
      context.stroke();
    }
  }
}
