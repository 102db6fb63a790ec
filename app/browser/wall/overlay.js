/* What moves over the rows: rings, the outline of a gesture, the cross-hair. */

import { css } from "../shared/palette.js";

/** Ring the rows that the server lit, the picked row and the one under the pointer. */
export function drawRings(context, scene, { lit, hovered }) {
  const { layout, screens, theme, view } = scene;
  layout.panes.forEach(({ plot }, pane) => {
    const ring = (row, radius, width, colour) =>
      drawRing(context, screens[pane].x[row], screens[pane].y[row], radius, width, colour, theme);
    inside(context, plot, () => {
      for (const row of lit[pane] ?? []) if (row < view.n) ring(row, 6, 2, theme.primary);
      if (view.picked) ring(view.picked.row, 9, 2.5, theme.ink);
      if (hovered !== null) ring(hovered, 7, 1.5, theme.ink);
    });
  });
}

/** Draw a lasso or a box while the pointer is down. */
export function drawOutline(context, { layout, theme }, { pane, points }) {
  inside(context, layout.panes[pane].plot, () => {
    context.beginPath();
    points.forEach(({ x, y }) => context.lineTo(x, y));
    context.closePath();
    context.fillStyle = css([...theme.primary, "/ 12%"]);
    context.fill();
    context.strokeStyle = css(theme.primary);
    context.lineWidth = 1.5;
    context.stroke();
  });
}

/** Draw the cross-hair of the keyboard and its circle. */
export function drawCross(context, { layout, theme }, { pane, x, y, radius }) {
  inside(context, layout.panes[pane].plot, () => {
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

function drawRing(context, x, y, radius, width, colour, theme) {
  // The halo sets the ring off from the rows below it.
  for (const [w, tone] of [
    [width + 2.5, theme.background],
    [width, colour],
  ]) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.lineWidth = w;
    context.strokeStyle = css(tone);
    context.stroke();
  }
}

function inside(context, { x, y, w, h }, draw) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  draw();
  context.restore();
}
