/* One square of the picture: density, lines, circles, points and the place that was clicked. */

import { css, mix, shade } from "../shared/palette.js";

const POINT = 1.9;
const PEAK_TINT = 0.62;
const GAMMA = 0.6;

/** A square of the plane on a square of the canvas. */
export class Pane {
  constructor(context, theme, plot, box, letter) {
    Object.assign(this, { context, theme, plot, box, letter });
  }

  /** Return the pixel of a place. */
  pixel(x, y) {
    const [cx, cy, half] = this.box;
    const { x: left, y: top, size } = this.plot;
    return [
      left + (size * (x - cx + half)) / (2 * half),
      top + (size * (cy + half - y)) / (2 * half),
    ];
  }

  /** Return the place of a pixel. */
  place(px, py) {
    const [cx, cy, half] = this.box;
    const { x: left, y: top, size } = this.plot;
    return [
      cx - half + (2 * half * (px - left)) / size,
      cy + half - (2 * half * (py - top)) / size,
    ];
  }

  /** Draw inside the square only, then its frame and the ends of its axes. */
  within(draw) {
    const { context, theme, plot } = this;
    context.save();
    context.beginPath();
    context.rect(plot.x, plot.y, plot.size, plot.size);
    context.clip();
    draw();
    context.restore();
    context.strokeStyle = css(mix(theme.background, theme.ink, 0.45));
    context.lineWidth = 1;
    context.strokeRect(plot.x + 0.5, plot.y + 0.5, plot.size - 1, plot.size - 1);
    this.ends();
  }

  ends() {
    const { context, theme, plot } = this;
    const [cx, cy, half] = this.box;
    context.fillStyle = css(theme.muted);
    context.font = `11.5px ${theme.font}`;
    const write = (text, x, y, align) => {
      context.textAlign = align;
      context.fillText(text, x, y);
    };
    const below = plot.y + plot.size + 14;
    write((cx - half).toFixed(1), plot.x, below, "left");
    write(`${this.letter}₁`, plot.x + plot.size / 2, below, "center");
    write((cx + half).toFixed(1), plot.x + plot.size, below, "right");
    write((cy + half).toFixed(1), plot.x - 5, plot.y + 10, "right");
    write(`${this.letter}₂`, plot.x - 5, plot.y + plot.size / 2 + 4, "right");
    write((cy - half).toFixed(1), plot.x - 5, plot.y + plot.size, "right");
  }

  /** Tint the square by a density on n x n cells, the lowest row first, against its peak. */
  density(values) {
    const { context, theme, plot } = this;
    const n = Math.round(Math.sqrt(values.length));
    const peak = values.reduce((most, value) => Math.max(most, value), 0) || 1;
    const image = new ImageData(n, n);
    values.forEach((value, i) => {
      const colour = mix(theme.background, theme.ink, PEAK_TINT * (value / peak) ** GAMMA);
      const at = 4 * ((n - 1 - Math.floor(i / n)) * n + (i % n));
      image.data.set([...colour, 255], at);
    });
    const cells = new OffscreenCanvas(n, n);
    cells.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingQuality = "high";
    context.drawImage(cells, plot.x, plot.y, plot.size, plot.size);
  }

  /** Draw lines of `length` places each. */
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
    const { context, theme, plot, box } = this;
    const [x, y] = this.pixel(0, 0);
    context.strokeStyle = css(theme.ink);
    context.lineWidth = 1.25;
    context.setLineDash([5, 4]);
    for (const deviations of [1, 2, 3]) {
      context.beginPath();
      context.arc(x, y, (deviations * plot.size) / (2 * box[2]), 0, 2 * Math.PI);
      context.stroke();
    }
    context.setLineDash([]);
  }

  /** Draw points, each in the colour of its share of 0..1. */
  points(values, shares) {
    const { context, theme } = this;
    shares.forEach((share, i) => {
      const [x, y] = this.pixel(values[2 * i], values[2 * i + 1]);
      context.fillStyle = css(shade(share, theme.dark));
      context.beginPath();
      context.arc(x, y, POINT, 0, 2 * Math.PI);
      context.fill();
    });
  }

  /** Mark a place with a cross in a ring. */
  mark([x, y]) {
    const { context, theme } = this;
    const [px, py] = this.pixel(x, y);
    for (const [tone, width] of [
      [theme.background, 5],
      [[213, 94, 0], 2],
    ]) {
      context.strokeStyle = css(tone);
      context.lineWidth = width;
      context.beginPath();
      context.arc(px, py, 6, 0, 2 * Math.PI);
      for (const [dx, dy] of [
        [11, 0],
        [0, 11],
      ]) {
        context.moveTo(px - dx, py - dy);
        context.lineTo(px + dx, py + dy);
      }
      context.stroke();
    }
  }
}
