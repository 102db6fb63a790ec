/* What moves over the rows: rings, the outline of a gesture, the cross-hair. */

import { clipped, strokeWithHalo } from "../shared/draw.js";
import { css } from "../shared/palette.js";

/** @import { Cross, Drawn, Outline, Rgb } from "./types" */

/** @typedef {CanvasRenderingContext2D} Context */

const HALO = 2.5;

/**
 * Ring the rows that the server lit, the picked row and the one under the pointer.
 * @param {Context} context
 * @param {Drawn} scene
 * @param {{ lit: number[][], hovered: number | null }} rows
 */
export function drawRings(context, { layout, screens, theme, view }, { lit, hovered }) {
  layout.panes.forEach(({ plot }, pane) => {
    /** @type {(row: number, radius: number, width: number, colour: Rgb) => void} */
    const ring = (row, radius, width, colour) =>
      strokeWithHalo(context, theme, { colour, width, halo: HALO }, () => {
        context.arc(screens[pane].x[row], screens[pane].y[row], radius, 0, 2 * Math.PI);
      });
    clipped(context, plot, () => {
      for (const row of lit[pane] ?? []) if (row < view.n) ring(row, 6, 2, theme.primary);
      if (view.picked) ring(view.picked.row, 9, 2.5, theme.ink);
      if (hovered !== null) ring(hovered, 7, 1.5, theme.ink);
    });
  });
}

/**
 * Draw a lasso or a box while the pointer is down.
 * @param {Context} context
 * @param {Drawn} scene
 * @param {Outline} outline
 */
export function drawOutline(context, { layout, theme }, { pane, points }) {
  clipped(context, layout.panes[pane].plot, () => {
    context.beginPath();
    for (const { x, y } of points) context.lineTo(x, y);
    context.closePath();
    context.fillStyle = css(theme.primary, 0.12);
    context.fill();
    context.strokeStyle = css(theme.primary);
    context.lineWidth = 1.5;
    context.stroke();
  });
}

/**
 * Draw the cross-hair of the keyboard and its circle.
 * @param {Context} context
 * @param {Drawn} scene
 * @param {Cross} cross
 */
export function drawCross(context, { layout, theme }, { pane, x, y, radius }) {
  clipped(context, layout.panes[pane].plot, () => {
    context.strokeStyle = css(theme.ink);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x - radius - 6, y);
    context.lineTo(x + radius + 6, y);
    context.moveTo(x, y - radius - 6);
    context.lineTo(x, y + radius + 6);
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  });
}
