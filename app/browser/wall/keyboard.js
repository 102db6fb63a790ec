/* The same without a pointer: a cross-hair with a circle that selects what lies in it. */

import { ARROWS } from "../shared/arrows.js";
import { zoomed } from "./camera.js";
import { clamped } from "./layout.js";
import { nearestRow } from "./nearest.js";
import { ADD, count, REMOVE } from "./selection.js";
import { rowsInCircle } from "./shapes.js";

/** @import { Cross, How, Point } from "./types" */
/** @import { Wall } from "./wall.js" */

export const KEYS =
  "Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. " +
  "Brackets change the circle. Space adds the rows in the circle to the selection, " +
  "Shift and Space removes them. Enter picks the nearest row, Escape clears. " +
  "N and P go to the next and the previous pane.";

const STEP = 16;
const FINE = 2;
const RADIUS = 24;
const GROWTH = 1.25;

/** What the keys do in the panes of a wall. */
export class Keyboard {
  #wall;
  // As shares of each plot, for a plot may change its size.
  /** @type {Point[]} */
  #at = [];
  #radius = RADIUS;

  /** @param {Wall} wall */
  constructor(wall) {
    this.#wall = wall;
  }

  /**
   * Return the cross-hair of a pane, at first its middle.
   * @param {number} pane
   * @returns {Cross}
   */
  cross(pane) {
    const { plot } = this.#wall.scene.layout.panes[pane];
    const share = this.#at[pane] ?? { x: 0.5, y: 0.5 };
    return {
      pane,
      x: plot.x + share.x * plot.w,
      y: plot.y + share.y * plot.h,
      radius: this.#radius,
    };
  }

  /** Act on a key pressed in a pane. @param {number} pane @param {KeyboardEvent} event */
  press(pane, event) {
    if (event.ctrlKey || event.metaKey) return;
    const act = this.#actions(pane, event)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /**
   * @param {number} pane
   * @param {KeyboardEvent} event
   * @returns {Record<string, () => void>}
   */
  #actions(pane, event) {
    const wall = this.#wall;
    /** @param {number} step */
    const next = (step) => () => wall.stage.focusPane((pane + step + wall.nPanes) % wall.nPanes);
    /** @param {number} factor */
    const zoom = (factor) => () => this.#zoom(pane, factor);
    const step = event.shiftKey ? FINE : STEP;
    const moves = Object.entries(ARROWS).map(([key, [dx, dy]]) => [
      key,
      () => this.#move(pane, dx * step, -dy * step),
    ]);
    return {
      ...Object.fromEntries(moves),
      "+": zoom(GROWTH),
      "=": zoom(GROWTH),
      "-": zoom(1 / GROWTH),
      _: zoom(1 / GROWTH),
      "[": () => this.#resize(pane, 1 / GROWTH),
      "]": () => this.#resize(pane, GROWTH),
      " ": () => this.#brush(pane, event.shiftKey ? REMOVE : ADD),
      Enter: () => this.#pick(pane),
      Escape: () => wall.clear(),
      n: next(1),
      N: next(1),
      p: next(-1),
      P: next(-1),
    };
  }

  /** @param {number} pane @param {number} dx @param {number} dy */
  #move(pane, dx, dy) {
    const { plot } = this.#wall.scene.layout.panes[pane];
    const { x, y } = this.cross(pane);
    const moved = clamped({ x: x + dx, y: y + dy }, plot);
    this.#at[pane] = { x: (moved.x - plot.x) / plot.w, y: (moved.y - plot.y) / plot.h };
    this.#tell(pane);
  }

  /** @param {number} pane @param {number} factor */
  #resize(pane, factor) {
    this.#radius = Math.min(200, Math.max(4, this.#radius * factor));
    this.#tell(pane);
  }

  /** @param {number} pane @param {number} factor */
  #zoom(pane, factor) {
    const { view, spaces, layout } = this.#wall.scene;
    const { plot } = layout.panes[pane];
    this.#wall.moveCamera(
      pane,
      zoomed(view.cameras[pane], factor, this.cross(pane), spaces[pane], plot),
    );
  }

  /** @param {number} pane @param {How} how */
  #brush(pane, how) {
    const rows = this.#inCircle(pane);
    this.#wall.select(rows, how);
    this.#wall.announcer.say(
      `${count(rows)} rows in the circle ${how === ADD ? "added" : "removed"}`,
    );
  }

  /** @param {number} pane */
  #inCircle(pane) {
    const cross = this.cross(pane);
    const { screens, layout } = this.#wall.scene;
    return rowsInCircle(screens[pane], cross, cross.radius, layout.panes[pane].plot);
  }

  /** @param {number} pane @param {number} reach */
  #nearest(pane, reach) {
    return nearestRow(this.#wall.scene.filed(pane), this.cross(pane), reach);
  }

  /** @param {number} pane */
  #pick(pane) {
    const { plot } = this.#wall.scene.layout.panes[pane];
    const row = this.#nearest(pane, Math.hypot(plot.w, plot.h));
    if (row >= 0) this.#wall.pick({ row, pane });
  }

  /** @param {number} pane */
  #tell(pane) {
    const row = this.#nearest(pane, this.#radius);
    const cross = this.cross(pane);
    this.#wall.hover(row < 0 ? null : { row, pane, point: cross });
    const text = row < 0 ? "" : `; nearest: ${this.#wall.textOf(row)}`;
    this.#wall.announcer.say(`${count(this.#inCircle(pane))} rows in the circle${text}`);
  }
}
