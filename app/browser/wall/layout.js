/* Where things stand on the canvas, in CSS pixels. */

/** @import { Box, Layout, Point } from "./types" */

const WIDE = 900;
const MIDDLE = 560;
const GAP = 20;
const HEADER = 42;
const LOWEST = 220;
const TALLEST = 440;
const TALLEST_ALONE = 620;
const AXIS = 20;
const TICKS = { across: 16, up: 34 };
const BAR = 34;

/**
 * Return rectangles: a cell and a plot per pane, and a bar where each pane has its own legend.
 * @param {number} width
 * @param {number} nPanes
 * @param {{ dims: number, hasBars: boolean, hasTicks: boolean, strip: number }} needs
 * @returns {Layout}
 */
export function layOut(width, nPanes, { dims, hasBars, hasTicks, strip }) {
  const most = width >= WIDE ? 3 : width >= MIDDLE ? 2 : 1;
  // As many across as fill the rows evenly: four stand two by two.
  const across = Math.ceil(nPanes / Math.ceil(nPanes / most));
  const cell = (width - GAP * (across - 1)) / across;
  // In 3-D the axes are drawn in the plot, and only their titles stand below.
  const axis = (dims === 2 ? AXIS : 0) + (hasTicks ? TICKS.up : 0);
  const below = AXIS + (hasTicks ? TICKS.across : 0);
  const tallest = nPanes === 1 ? TALLEST_ALONE : TALLEST;
  const plotHeight = Math.round(Math.min(tallest, Math.max(LOWEST, (cell - axis) * 0.78)));
  const height = HEADER + plotHeight + below + (hasBars ? BAR : 0);
  const panes = Array.from({ length: nPanes }, (_, pane) => {
    const x = Math.round((pane % across) * (cell + GAP));
    const y = Math.floor(pane / across) * (height + GAP);
    const plot = { x: x + axis, y: y + HEADER, w: Math.floor(cell) - axis, h: plotHeight };
    const bar = hasBars ? { x: plot.x, y: y + height - BAR + 6, w: plot.w, h: BAR - 6 } : null;
    return { cell: { x, y, w: Math.floor(cell), h: height }, plot, bar };
  });
  const bottom = Math.ceil(nPanes / across) * (height + GAP) - GAP;
  return {
    width,
    height: bottom + (strip ? GAP + strip : 0),
    panes,
    strip: strip ? { x: 0, y: bottom + GAP, w: width } : null,
  };
}

/** Return the pane whose plot holds a point, or -1. @param {Layout} layout @param {Point} point */
export function paneAt(layout, point) {
  return layout.panes.findIndex(({ plot }) => holds(plot, point));
}

/** Return a point's nearest place in a rectangle. @param {Point} point @param {Box} box */
export function clamped(point, box) {
  return {
    x: Math.min(box.x + box.w, Math.max(box.x, point.x)),
    y: Math.min(box.y + box.h, Math.max(box.y, point.y)),
  };
}

/** Tell whether a point lies in a rectangle. @param {Box} box @param {Point} point */
export function holds(box, { x, y }) {
  return x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h;
}
