/* Mouse, pen and finger: select, move, turn, zoom, look at a row and pick it. */

import { rotated, shifted, zoomed } from "./camera.js";
import { clamped, paneAt } from "./layout.js";
import { nearestRow } from "./nearest.js";
import { howOf } from "./selection.js";
import { rowsInBox, rowsInPolygon } from "./shapes.js";

/** @import { Point } from "./types" */
/** @import { Wall } from "./wall.js" */

/**
 * A press that has not ended.
 * @typedef {object} Drag
 * @property {number} pane
 * @property {Point} start
 * @property {Point} last
 * @property {Point[]} points of a lasso, or the two corners of a box
 * @property {boolean} moved
 */

const REACH = 10;
const CLICK = 4;
const STEP = 3;
const WHEEL = 0.0015;

/** Listen on the canvas of a wall until `signal` aborts. @param {Wall} wall @param {AbortSignal} signal */
export function listenToPointer(wall, signal) {
  const { canvas } = wall.stage;
  /** @type {<K extends keyof HTMLElementEventMap>(type: K, handle: (event: HTMLElementEventMap[K]) => void) => void} */
  const on = (type, handle) => canvas.addEventListener(type, handle, { signal, passive: false });
  /** @type {Drag | null} */
  let drag = null;
  on("pointerdown", (event) => {
    drag = event.button === 0 ? begin(wall, event) : null;
    if (drag) canvas.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => (drag ? move(wall, drag, event) : look(wall, event)));
  on("pointerup", (event) => {
    if (drag) end(wall, drag, event);
    drag = null;
  });
  on("pointercancel", () => {
    drag = null;
    wall.outline(null);
  });
  on("pointerleave", () => wall.hover(null));
  on("dblclick", (event) => {
    const pane = paneAt(wall.scene.layout, pointOf(wall, event));
    if (pane >= 0) wall.resetView(pane);
  });
  on("wheel", (event) => zoom(wall, event));
}

/** @param {Wall} wall @param {PointerEvent} event @returns {Drag | null} */
function begin(wall, event) {
  const start = pointOf(wall, event);
  const pane = paneAt(wall.scene.layout, start);
  if (pane < 0) return null;
  // A press on a canvas would take the focus from the pane that the keys act on.
  event.preventDefault();
  wall.stage.focusPane(pane, { isPressed: true });
  wall.hover(null);
  return { pane, start, last: start, points: [start], moved: false };
}

/** @param {Wall} wall @param {Drag} drag @param {PointerEvent} event */
function move(wall, drag, event) {
  const point = pointOf(wall, event);
  const [dx, dy] = [point.x - drag.last.x, point.y - drag.last.y];
  drag.moved ||= distance(point, drag.start) > CLICK;
  if (!drag.moved) return;
  const { spaces, layout, view } = wall.scene;
  const { plot } = layout.panes[drag.pane];
  const camera = view.cameras[drag.pane];
  if (view.mode === "pan") {
    wall.moveCamera(drag.pane, shifted(camera, dx, dy, spaces[drag.pane], plot));
  } else if (view.mode === "rotate") wall.moveCamera(drag.pane, rotated(camera, dx, dy));
  else draw(wall, drag, clamped(point, plot));
  drag.last = point;
}

/** @param {Wall} wall @param {Drag} drag @param {Point} point */
function draw(wall, drag, point) {
  const { start, pane } = drag;
  const isBox = wall.view.mode === "box";
  if (isBox) drag.points = [start, point];
  else if (distance(point, drag.points[drag.points.length - 1]) >= STEP) drag.points.push(point);
  if (drag.points.length < 2) return;
  const corners = [start, { x: point.x, y: start.y }, point, { x: start.x, y: point.y }];
  wall.outline({ pane, points: isBox ? corners : drag.points });
}

/** @param {Wall} wall @param {Drag} drag @param {PointerEvent} event */
function end(wall, drag, event) {
  wall.outline(null);
  if (!drag.moved) {
    pick(wall, drag);
    return;
  }
  const rows = rowsIn(wall, drag);
  if (!rows) return;
  wall.select(rows, howOf(event));
  wall.measure("brushMs", event.timeStamp);
}

/** Return the rows that a drag brushed, or null where it moved the camera. @param {Wall} wall @param {Drag} drag */
function rowsIn(wall, { pane, points }) {
  const screen = wall.scene.screens[pane];
  const { mode } = wall.view;
  if (mode === "lasso") return rowsInPolygon(screen, points);
  if (mode === "box") return rowsInBox(screen, points[0], points[points.length - 1]);
  return null;
}

/** @param {Wall} wall @param {Drag} drag */
function pick(wall, { pane, start }) {
  const row = nearestRow(wall.scene.filed(pane), start, REACH);
  wall.pick(row < 0 ? null : { row, pane });
}

/** @param {Wall} wall @param {PointerEvent} event */
function look(wall, event) {
  const point = pointOf(wall, event);
  const pane = paneAt(wall.scene.layout, point);
  const row = pane < 0 ? -1 : nearestRow(wall.scene.filed(pane), point, REACH);
  wall.hover(row < 0 ? null : { row, pane, point });
}

/** @param {Wall} wall @param {WheelEvent} event */
function zoom(wall, event) {
  const point = pointOf(wall, event);
  const pane = paneAt(wall.scene.layout, point);
  if (pane < 0) return;
  event.preventDefault();
  const { spaces, layout, view } = wall.scene;
  const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 * event.deltaY : event.deltaY;
  const factor = Math.exp(-pixels * WHEEL);
  const { plot } = layout.panes[pane];
  wall.moveCamera(pane, zoomed(view.cameras[pane], factor, point, spaces[pane], plot));
}

/** @param {Wall} wall @param {MouseEvent} event @returns {Point} */
function pointOf(wall, event) {
  const box = wall.stage.canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

/** @param {Point} a @param {Point} b */
function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
