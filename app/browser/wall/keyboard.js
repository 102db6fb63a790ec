/* Keyboard control of a wall: a cross-hair with a circle that selects the rows in it. */

import { ARROWS } from "../shared/arrows.js";
import { zoomed } from "./camera.js";
import { count } from "./selection.js";
import { clamped, nearestRow, rowsInCircle } from "./shapes.js";

/** @import { Point } from "./types" */
/** @import { Pane } from "./pane.js" */
/** @import { Wall } from "./wall.js" */

export const KEYS =
  "Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. " +
  "Brackets change the circle. Space adds the rows in the circle to the selection, " +
  "Shift and Space removes them. Enter picks the nearest row, Escape clears. " +
  "N and P go to the next and the previous pane.";

const [STEP, FINE] = [16, 2];
const GROWTH = 1.25;

/** What the keys do in the panes of a wall. */
export class Keyboard {
  #wall;
  // Positions as shares of a plot, since a plot may change its size.
  /** @type {Point[]} */
  #at = [];
  #radius = 24;

  /** @param {Wall} wall */
  constructor(wall) {
    this.#wall = wall;
  }

  /** Return the cross-hair of a pane, at first its middle. @param {Pane} pane */
  cross({ index, size }) {
    const { x, y } = this.#at[index] ?? { x: 0.5, y: 0.5 };
    return { x: x * size.w, y: y * size.h, radius: this.#radius };
  }

  /** Act on a key pressed in a pane. @param {Pane} pane @param {KeyboardEvent} event */
  press(pane, event) {
    if (event.ctrlKey || event.metaKey) return;
    const way = ARROWS[event.key];
    const step = event.shiftKey ? FINE : STEP;
    const act = way
      ? () => this.#move(pane, way[0] * step, -way[1] * step)
      : this.#actions(pane, event.shiftKey)[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /**
   * @param {Pane} pane
   * @param {boolean} isShifted
   * @returns {Record<string, () => void>}
   */
  #actions(pane, isShifted) {
    const wall = this.#wall;
    const [nearer, farther] = [GROWTH, 1 / GROWTH].map((by) => () => {
      const camera = wall.view.cameras[pane.index];
      wall.moveCamera(pane, zoomed(camera, by, this.cross(pane), pane.space, pane.size));
    });
    return {
      "+": nearer,
      "=": nearer,
      "-": farther,
      _: farther,
      "[": () => this.#resize(pane, 1 / GROWTH),
      "]": () => this.#resize(pane, GROWTH),
      " ": () => this.#brush(pane, isShifted),
      enter: () => wall.pick(nearestRow(pane, this.cross(pane), Infinity), pane.index),
      escape: () => wall.clear(),
      n: () => wall.focusPane(pane.index + 1),
      p: () => wall.focusPane(pane.index - 1),
    };
  }

  /** @param {Pane} pane @param {number} dx @param {number} dy */
  #move(pane, dx, dy) {
    const { index, size } = pane;
    const { x, y } = this.cross(pane);
    const moved = clamped({ x: x + dx, y: y + dy }, size);
    this.#at[index] = { x: moved.x / size.w, y: moved.y / size.h };
    this.#tell(pane);
  }

  /** @param {Pane} pane @param {number} factor */
  #resize(pane, factor) {
    this.#radius = Math.min(200, Math.max(4, this.#radius * factor));
    this.#tell(pane);
  }

  /** @param {Pane} pane @param {boolean} removes */
  #brush(pane, removes) {
    const rows = rowsInCircle(pane, this.cross(pane));
    this.#wall.select(rows, removes ? "remove" : "add");
    const done = removes ? "removed" : "added";
    this.#wall.announcer.say(`${count(rows)} rows in the circle ${done}`);
  }

  /** @param {Pane} pane */
  #tell(pane) {
    const cross = this.cross(pane);
    const row = nearestRow(pane, cross, cross.radius);
    this.#wall.hover(row, pane, cross);
    const text = row === null ? "" : `; nearest: ${this.#wall.textOf(row)}`;
    this.#wall.announcer.say(`${count(rowsInCircle(pane, cross))} rows in the circle${text}`);
  }
}
