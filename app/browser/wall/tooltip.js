/* A row's text next to the pointer, never beyond the panes. */

import { make } from "../shared/dom.js";

/** @import { Point } from "./types" */

const AWAY = 14;

/** The wall's one tooltip. */
export class Tooltip {
  value = make("div", { class: "value" });
  text = make("div", { class: "text" });
  element = make("div", { class: "tooltip", hidden: "" }, [this.text, this.value]);

  /** Show a row's text and value at a point of the page. @param {string} text @param {string} value @param {Point} point */
  show(text, value, point) {
    this.text.textContent = text;
    this.value.textContent = value;
    this.element.hidden = false;
    const around = /** @type {Element} */ (this.element.parentElement).getBoundingClientRect();
    this.element.style.maxWidth = `${Math.min(340, around.width - 2)}px`;
    const { offsetWidth, offsetHeight } = this.element;
    const left = beside(point.x - around.left, offsetWidth, around.width);
    const top = beside(point.y - around.top, offsetHeight, around.height);
    this.element.style.transform = `translate(${left}px, ${top}px)`;
  }

  hide() {
    this.element.hidden = true;
  }
}

/**
 * Return where something of this size starts next to a place: after the place, or before it if there
 * is no room, and always within 0 to `end`.
 * @param {number} at
 * @param {number} size
 * @param {number} end
 */
export function beside(at, size, end) {
  const start = at + AWAY + size <= end ? at + AWAY : at - AWAY - size;
  return Math.max(0, Math.min(start, end - size));
}
