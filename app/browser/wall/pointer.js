/* Mouse, pen and finger: select, move, turn, zoom, look at a row and pick it. */

import { rotated, shifted, zoomed } from "./camera.js";
import { clamped, paneAt } from "./layout.js";
import { nearestRow } from "./nearest.js";
import { howOf } from "./selection.js";
import { rowsInBox, rowsInPolygon } from "./shapes.js";

const REACH = 10;
const CLICK = 4;
const STEP = 3;
const WHEEL = 0.0015;

/** Listen on the canvas of a wall until `signal` aborts. */
export function listenToPointer(wall, signal) {
  const { canvas } = wall.stage;
  const on = (type, handle) => canvas.addEventListener(type, handle, { signal, passive: false });
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

function draw(wall, drag, point) {
  if (wall.view.mode === "box") drag.points = [drag.start, point];
  else if (distance(point, drag.points.at(-1)) >= STEP) drag.points.push(point);
  const [a, b] = drag.points;
  const corners = [a, { x: b?.x, y: a.y }, b, { x: a.x, y: b?.y }];
  if (b)
    wall.outline({ pane: drag.pane, points: wall.view.mode === "box" ? corners : drag.points });
}

function end(wall, drag, event) {
  wall.outline(null);
  if (!drag.moved) {
    pick(wall, drag);
    return;
  }
  const { mode } = wall.view;
  const screen = wall.scene.screens[drag.pane];
  if (mode === "lasso") wall.select(rowsInPolygon(screen, drag.points), howOf(event));
  if (mode === "box")
    wall.select(rowsInBox(screen, drag.points[0], drag.points.at(-1)), howOf(event));
  if (mode === "lasso" || mode === "box") wall.measure("brushMs", event.timeStamp);
}

function pick(wall, { pane, start }) {
  const row = nearestRow(wall.scene.filed(pane), start, REACH);
  wall.pick(row < 0 ? null : { row, pane });
}

function look(wall, event) {
  const point = pointOf(wall, event);
  const pane = paneAt(wall.scene.layout, point);
  const row = pane < 0 ? -1 : nearestRow(wall.scene.filed(pane), point, REACH);
  wall.hover(row < 0 ? null : { row, pane, point });
}

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

function pointOf(wall, event) {
  const box = wall.stage.canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
