/* One square of the picture: density, lines, circles, points and the place that was clicked. */

import { contextOf, make } from "../shared/dom.js";
import { clipped, strokeWithHalo, writer } from "../shared/draw.js";
import { css, mix } from "../shared/palette.js";

/** @import { Box, Numbers, Place, Rgb, Square, Theme } from "./types" */

const POINT = 1.7;
const [HEAD, HEAD_ANGLE] = [9, 0.45];
const PEAK_TINT = 0.62;
const GAMMA = 0.6;
/** @type {{ colour: Rgb, width: number, halo: number }} */
const MARK = { colour: [213, 94, 0], width: 2, halo: 3 };

/** A square of the plane in a square plot of the canvas. */
export class Pane {
  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Theme} theme
   * @param {Box} plot
   * @param {Square} square
   * @param {string} letter of its axes
   */
  constructor(context, theme, plot, square, letter) {
    this.context = context;
    this.theme = theme;
    this.plot = plot;
    this.square = square;
    this.letter = letter;
  }

  /** Tell whether a pixel lies in the plot. @param {number} px @param {number} py */
  holds(px, py) {
    const { x, y, w, h } = this.plot;
    return px >= x && px <= x + w && py >= y && py <= y + h;
  }

  /** Return the pixel of a place. @param {number} x @param {number} y @returns {Place} */
  pixel(x, y) {
    const [cx, cy, half] = this.square;
    const { x: left, y: top, w } = this.plot;
    return [left + (w * (x - cx + half)) / (2 * half), top + (w * (cy + half - y)) / (2 * half)];
  }

  /** Return the place of a pixel. @param {number} px @param {number} py @returns {Place} */
  place(px, py) {
    const [cx, cy, half] = this.square;
    const { x: left, y: top, w } = this.plot;
    return [cx - half + (2 * half * (px - left)) / w, cy + half - (2 * half * (py - top)) / w];
  }

  /** Draw inside the square only, then its frame and the ends of its axes. @param {() => void} draw */
  within(draw) {
    const { context, theme, plot, letter } = this;
    const [cx, cy, half] = this.square;
    const { x, y, w, h } = plot;
    clipped(context, plot, draw);
    context.strokeStyle = css(mix(theme.background, theme.ink, 0.45));
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
    const write = writer(context, theme);
    const [left, below] = [x - 5, y + h + 14];
    write((cx - half).toFixed(1), x, below);
    write(`${letter}₁`, x + w / 2, below, { align: "center" });
    write((cx + half).toFixed(1), x + w, below, { align: "right" });
    write((cy + half).toFixed(1), left, y + 10, { align: "right" });
    write(`${letter}₂`, left, y + h / 2 + 4, { align: "right" });
    write((cy - half).toFixed(1), left, y + h, { align: "right" });
  }

  /**
   * Tint the square by a density on n x n cells, the lowest row first, relative to its peak.
   * @param {Numbers} values
   */
  density(values) {
    const { context, theme, plot } = this;
    const n = Math.round(Math.sqrt(values.length));
    const peak = values.reduce((most, value) => Math.max(most, value), 0) || 1;
    const image = new ImageData(n, n);
    values.forEach((value, i) => {
      const at = 4 * ((n - 1 - Math.floor(i / n)) * n + (i % n));
      image.data.set(mix(theme.background, theme.ink, PEAK_TINT * (value / peak) ** GAMMA), at);
      image.data[at + 3] = 255;
    });
    const cells = make("canvas", { width: n, height: n });
    contextOf(cells).putImageData(image, 0, 0);
    context.imageSmoothingQuality = "high";
    context.drawImage(cells, plot.x, plot.y, plot.w, plot.h);
  }

  /** Draw lines of `length` places each. @param {Numbers} values @param {number} length */
  lines(values, length) {
    const { context, theme } = this;
    context.strokeStyle = css(mix(theme.background, theme.primary, 0.75));
    context.lineWidth = 1;
    context.beginPath();
    for (let i = 0; 2 * i < values.length; i++) {
      const [x, y] = this.pixel(values[2 * i], values[2 * i + 1]);
      if (i % length) context.lineTo(x, y);
      else context.moveTo(x, y);
    }
    context.stroke();
  }

  /** Draw the circles at 1, 2 and 3 standard deviations of N(0, I). */
  circles() {
    const { context, theme, plot, square } = this;
    const [x, y] = this.pixel(0, 0);
    context.strokeStyle = css(theme.ink);
    context.lineWidth = 1.25;
    context.setLineDash([5, 4]);
    for (const deviations of [1, 2, 3]) {
      context.beginPath();
      context.arc(x, y, (deviations * plot.w) / (2 * square[2]), 0, 2 * Math.PI);
      context.stroke();
    }
    context.setLineDash([]);
  }

  /** Draw points, each in its colour. @param {Numbers} values @param {string[]} colours */
  points(values, colours) {
    const { context } = this;
    colours.forEach((colour, i) => {
      const [x, y] = this.pixel(values[2 * i], values[2 * i + 1]);
      context.fillStyle = colour;
      context.fillRect(x - POINT, y - POINT, 2 * POINT, 2 * POINT);
    });
  }

  /** Draw an arrow from one place to another, if they are far enough apart. @param {Place} from @param {Place} to */
  arrow(from, to) {
    const { context, theme } = this;
    const [[x, y], [endX, endY]] = [this.pixel(...from), this.pixel(...to)];
    const [length, angle] = [Math.hypot(endX - x, endY - y), Math.atan2(endY - y, endX - x)];
    if (length < 2 * HEAD) return;
    // Its head stays clear of the mark at the end.
    const reach = length - HEAD - 3;
    const [px, py] = [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
    strokeWithHalo(context, theme, MARK, () => {
      context.moveTo(x, y);
      context.lineTo(px, py);
      for (const side of [-HEAD_ANGLE, HEAD_ANGLE]) {
        context.moveTo(px, py);
        context.lineTo(px - HEAD * Math.cos(angle + side), py - HEAD * Math.sin(angle + side));
      }
    });
  }

  /** Mark a place with a cross in a ring. @param {Place} place */
  mark([x, y]) {
    const { context, theme } = this;
    const [px, py] = this.pixel(x, y);
    strokeWithHalo(context, theme, MARK, () => {
      context.arc(px, py, 6, 0, 2 * Math.PI);
      context.moveTo(px - 11, py);
      context.lineTo(px + 11, py);
      context.moveTo(px, py - 11);
      context.lineTo(px, py + 11);
    });
  }
}
