/* A row's text beside the pointer, never beyond the canvas. */

import { make } from "../shared/dom.js";

const AWAY = 14;

/** The wall's one tooltip. */
export class Tooltip {
  constructor() {
    this.value = make("div", { class: "value" });
    this.text = make("div", { class: "text" });
    this.element = make("div", { class: "tooltip", hidden: "" }, [this.text, this.value]);
  }

  /** Show a row's text and value at a point of the canvas. */
  show(text, value, point, layout) {
    this.text.textContent = text;
    this.value.textContent = value;
    this.element.hidden = false;
    this.element.style.maxWidth = `${Math.min(340, layout.width - 2)}px`;
    const { offsetWidth: w, offsetHeight: h } = this.element;
    const beside = (at, size, end) => (at + AWAY + size <= end ? at + AWAY : at - AWAY - size);
    const kept = (at, size, end) => Math.max(0, Math.min(at, end - size));
    const left = kept(beside(point.x, w, layout.width), w, layout.width);
    const top = kept(beside(point.y, h, layout.height), h, layout.height);
    this.element.style.transform = `translate(${left}px, ${top}px)`;
  }

  hide() {
    this.element.hidden = true;
  }
}
