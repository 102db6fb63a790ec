/* Mouse, pen and finger on a pane: select, move, zoom, show a row and pick it. */

import { HOME, shifted, zoomed } from "./camera.js";
import { howOf } from "./selection.js";
import { clamped, nearestRow, rowsInPolygon } from "./shapes.js";

/** @import { Point } from "./types" */
/** @import { Pane } from "./pane.js" */
/** @import { Wall } from "./wall.js" */

const REACH = 10;
const CLICK = 4;
const STEP = 3;
const WHEEL = 0.0015;

/** Listen on the canvas of a pane. @param {Wall} wall @param {Pane} pane */
export function listenToPointer(wall, pane) {
  /** The places of the current press, the first and the last or all; empty without a press. @type {Point[]} */
  let places = [];
  let hasMoved = false;
  /** @type {<K extends keyof HTMLElementEventMap>(type: K, handle: (event: HTMLElementEventMap[K]) => void) => void} */
  const on = (type, handle) => pane.canvas.addEventListener(type, handle, { passive: false });
  const rest = () => {
    places = [];
    wall.outline(pane, []);
  };

  /** @param {Point} point */
  const drag = (point) => {
    const [start, last] = [places[0], places[places.length - 1]];
    hasMoved ||= distance(point, start) > CLICK;
    if (!hasMoved) return;
    const { mode, cameras } = wall.view;
    const inside = clamped(point, pane.size);
    if (mode === "lasso" && distance(inside, last) >= STEP) places.push(inside);
    if (mode === "pan") {
      const by = { x: point.x - last.x, y: point.y - last.y };
      wall.moveCamera(pane, shifted(cameras[pane.index], by, pane.space, pane.size));
      places = [start, point];
    } else wall.outline(pane, places);
  };

  on("pointerdown", (event) => {
    if (event.button !== 0) return;
    pane.canvas.setPointerCapture(event.pointerId);
    [places, hasMoved] = [[pointOf(event)], false];
    wall.hover(null);
  });
  on("pointermove", (event) => {
    const point = pointOf(event);
    if (places.length) drag(point);
    else wall.hover(nearestRow(pane, point, REACH), pane, point);
  });
  on("pointerup", (event) => {
    const drawn = places;
    rest();
    if (!drawn.length) return;
    const { mode } = wall.view;
    if (!hasMoved) wall.pick(nearestRow(pane, drawn[0], REACH), pane.index);
    else if (mode === "lasso") wall.select(rowsInPolygon(pane, drawn), howOf(event));
  });
  on("pointercancel", rest);
  on("pointerleave", () => wall.hover(null));
  on("dblclick", () => wall.moveCamera(pane, HOME));
  on("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 * event.deltaY : event.deltaY;
    const camera = wall.view.cameras[pane.index];
    const factor = Math.exp(-pixels * WHEEL);
    wall.moveCamera(pane, zoomed(camera, factor, pointOf(event), pane.space, pane.size));
  });
}

/** @param {MouseEvent} event @returns {Point} */
function pointOf({ offsetX, offsetY }) {
  return { x: offsetX, y: offsetY };
}

/** @param {Point} a @param {Point} b */
function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
