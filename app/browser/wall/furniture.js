/* Titles, badges, axes and scales: the same calls draw the screen and the saved picture. */

import { css, shade } from "../shared/palette.js";
import { visibleRanges } from "./camera.js";
import { scaleText } from "./colouring.js";
import { ticks } from "./ticks.js";
import { drawNames } from "./topics.js";
import { write } from "./writing.js";

/** @import { Box, Colouring, Drawn, Layout, Range, Rgb, Theme } from "./types" */
/** @import { Context, Style } from "./writing.js" */

/** @typedef {Omit<Box, "h">} Strip */

const TITLE = 14;
const BAR_HEIGHT = 8;
const WIDEST_SCALE = 480;
const SHADES = 96;
const SWATCH = 10;
const LINE = 22;
const ENTRY_WIDTH = 190;
const TICK = 4;
const TICKS_APART = { across: 45, up: 45 };

/**
 * Draw what stands around the rows of every pane.
 * @param {Context} context
 * @param {Drawn} scene
 * @param {Colouring} colouring
 */
export function drawFurniture(context, scene, colouring) {
  const { layout, theme } = scene;
  layout.panes.forEach(({ bar }, pane) => {
    drawPane(context, scene, pane);
    if (bar) drawScale(context, theme, bar, colouring, pane);
  });
  if (layout.strip) drawStrip(context, scene, layout.strip, colouring);
}

/** @param {Context} context @param {Drawn} scene @param {number} pane */
function drawPane(context, scene, pane) {
  const { data, layout, view, theme, spaces } = scene;
  const { cell, plot } = layout.panes[pane];
  const { name, badge, axes, equal_scale } = data.panes[pane];
  const camera = view.cameras[pane];
  const title = { size: TITLE, weight: 600, tone: theme.ink };
  write(context, theme, name, cell.x, cell.y + 14, cell.w, title);
  write(context, theme, badge, cell.x, cell.y + 32, cell.w);
  context.strokeStyle = css(theme.line);
  context.lineWidth = 1;
  context.strokeRect(plot.x + 0.5, plot.y + 0.5, plot.w - 1, plot.h - 1);
  if (view.named) drawNames(context, scene, pane);
  if (axes.length > 2) {
    drawTriad(context, theme, plot, axes, camera.turn);
    return;
  }
  drawAxes(context, theme, layout.panes[pane], axes);
  if (!equal_scale) drawTicks(context, theme, plot, visibleRanges(spaces[pane], camera, plot));
}

/**
 * Draw the legend that a picture has below all panes.
 * @param {Context} context
 * @param {Drawn} scene
 * @param {Strip} strip
 * @param {Colouring} colouring
 */
function drawStrip(context, { theme, colours }, strip, colouring) {
  if (colouring.kind === "category") drawEntries(context, theme, strip, colours, colouring);
  else {
    const w = Math.min(WIDEST_SCALE, strip.w);
    drawScale(context, theme, { ...strip, w }, colouring, 0);
  }
}

/**
 * Return how high a strip below the panes the legend needs in a picture.
 * @param {Colouring} colouring
 * @param {number} width
 */
export function stripHeight({ kind, perPane, entries }, width) {
  if (kind === "number") return perPane ? 0 : 30;
  return LINE * Math.ceil((entries.length + 1) / entriesAcross(width));
}

/** @param {number} width */
function entriesAcross(width) {
  return Math.max(1, Math.floor(width / ENTRY_WIDTH));
}

/**
 * Write the titles of two axes.
 * @param {Context} context
 * @param {Theme} theme
 * @param {Layout["panes"][number]} place
 * @param {string[]} titles
 */
function drawAxes(context, theme, { cell, plot, bar }, [across, up]) {
  const bottom = bar ? bar.y - 6 : cell.y + cell.h;
  write(context, theme, across, plot.x + plot.w / 2, bottom - 5, plot.w, { align: "center" });
  context.save();
  context.translate(cell.x + 12, plot.y + plot.h / 2);
  context.rotate(-Math.PI / 2);
  write(context, theme, up, 0, 0, plot.h, { align: "center" });
  context.restore();
}

/**
 * Draw round numbers along both axes, over the ranges that are seen.
 * @param {Context} context
 * @param {Theme} theme
 * @param {Box} plot
 * @param {{ across: Range, up: Range }} ranges
 */
function drawTicks(context, theme, plot, { across, up }) {
  const [right, bottom] = [plot.x + plot.w, plot.y + plot.h];
  /** @param {number} value @param {Range} range */
  const share = (value, [low, high]) => (value - low) / (high - low);
  context.beginPath();
  for (const { value, text } of ticks(across, plot.w / TICKS_APART.across)) {
    const x = plot.x + plot.w * share(value, across);
    context.moveTo(x, bottom);
    context.lineTo(x, bottom + TICK);
    write(context, theme, text, Math.min(x, right - 8), bottom + 16, 50, { align: "center" });
  }
  for (const { value, text } of ticks(up, plot.h / TICKS_APART.up)) {
    const y = bottom - plot.h * share(value, up);
    context.moveTo(plot.x - TICK, y);
    context.lineTo(plot.x, y);
    write(context, theme, text, plot.x - 7, y + 4, 32, { align: "right" });
  }
  context.stroke();
}

/**
 * Draw the three axes by number as the pane is turned, and their titles below the plot.
 * @param {Context} context
 * @param {Theme} theme
 * @param {Box} plot
 * @param {string[]} axes
 * @param {number[]} turn
 */
function drawTriad(context, theme, plot, axes, turn) {
  const [third, below] = [plot.w / 3, plot.y + plot.h + 15];
  const [reach, x, y] = [26, plot.x + 44, plot.y + plot.h - 44];
  axes.forEach((title, axis) => {
    const [dx, dy] = [turn[axis] * reach, -turn[3 + axis] * reach];
    context.strokeStyle = css(theme.muted);
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + dx, y + dy);
    context.stroke();
    /** @type {Style} */
    const style = { align: "center", halo: true };
    const number = String(axis + 1);
    write(context, theme, number, x + dx * 1.4, y + dy * 1.4 + 4, reach, style);
    write(context, theme, `${number}: ${title}`, plot.x + axis * third, below, third - 8);
  });
}

/**
 * @param {Context} context
 * @param {Theme} theme
 * @param {Strip} box
 * @param {Colouring} colouring
 * @param {number} pane
 */
function drawScale(context, theme, box, colouring, pane) {
  const { ends, note } = scaleText(colouring, pane);
  for (let i = 0; i < SHADES; i++) {
    context.fillStyle = css(shade(i / (SHADES - 1), theme.dark));
    const [from, to] = [i, i + 1].map((at) => Math.round((at * box.w) / SHADES));
    context.fillRect(box.x + from, box.y, to - from, BAR_HEIGHT);
  }
  const [least, most] = ends;
  const y = box.y + BAR_HEIGHT + 14;
  write(context, theme, least, box.x, y, box.w * 0.13);
  write(context, theme, most, box.x + box.w, y, box.w * 0.13, { align: "right" });
  write(context, theme, note, box.x + box.w / 2, y, box.w * 0.74, { align: "center" });
}

/**
 * @param {Context} context
 * @param {Theme} theme
 * @param {Strip} strip
 * @param {Rgb[]} colours
 * @param {Colouring} colouring
 */
function drawEntries(context, theme, strip, colours, { name, entries }) {
  const across = entriesAcross(strip.w);
  [{ text: name, slot: null }, ...entries].forEach(({ slot, text }, i) => {
    const x = strip.x + (i % across) * ENTRY_WIDTH;
    const y = strip.y + Math.floor(i / across) * LINE;
    const indent = slot === null ? 0 : SWATCH + 6;
    if (slot !== null) {
      context.fillStyle = css(colours[slot]);
      context.fillRect(x, y + 2, SWATCH, SWATCH);
    }
    write(context, theme, text, x + indent, y + 11, ENTRY_WIDTH - indent - 12);
  });
}
