/* A square to draw points on: each stroke scatters some about its way, and the server gets them. */

import { ARROWS } from "../shared/arrows.js";
import { component } from "../shared/component.js";
import { button, contextOf, grouped, make } from "../shared/dom.js";
import { css, readTheme } from "../shared/palette.js";

/** @import { Send } from "../shared/types" */
/** @import { Place } from "./types" */

const SIZE = 300;
const REACH = 3;
const SPREAD = 0.12;
const DROPS = 4;
const STEP = 0.15;

/** Points that were drawn, and the pad that they are drawn on. */
class Pad {
  #most = 0;
  #isDown = false;
  /** @type {Place[]} */
  #points = [];
  /** @type {Place | null} */
  #cursor = null;
  /** @type {Send} */
  #send = () => {};
  #text = make("output");

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.canvas = make("canvas", {
      width: 2 * SIZE,
      height: 2 * SIZE,
      tabindex: 0,
      role: "application",
      "aria-label":
        "Drawing pad: drag to scatter points. With keys: arrows move, Space drops points.",
      onpointerdown: (event) => this.#begin(event),
      onpointermove: (event) => this.#drag(event),
      onpointerup: () => this.#end(),
      onkeydown: (event) => this.#press(event),
    });
    const clear = button("Clear", "Take all points away", () => this.#clear());
    root.replaceChildren(this.canvas, make("div", { class: "row" }, [clear, this.#text]));
  }

  /** @param {{ most: number }} data @param {Send} send */
  load({ most }, send) {
    [this.#most, this.#send] = [most, send];
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.#isDown = true;
    this.#drag(event);
  }

  /** @param {PointerEvent} event */
  #drag({ offsetX, offsetY }) {
    if (!this.#isDown) return;
    this.#drop([(offsetX / SIZE - 0.5) * 2 * REACH, (0.5 - offsetY / SIZE) * 2 * REACH]);
  }

  /** Scatter points about a place. @param {Place} place */
  #drop([x, y]) {
    for (let i = 0; i < DROPS && this.#points.length < this.#most; i++) {
      const radius = SPREAD * Math.sqrt(-2 * Math.log(1 - Math.random()));
      const angle = 2 * Math.PI * Math.random();
      this.#points.push([
        rounded(x + radius * Math.cos(angle)),
        rounded(y + radius * Math.sin(angle)),
      ]);
    }
    this.#draw();
  }

  #end() {
    this.#isDown = false;
    this.#send(this.#points);
  }

  #clear() {
    this.#points = [];
    this.#end();
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const way = ARROWS[event.key];
    if (!way && event.key !== " ") return;
    event.preventDefault();
    const [x, y] = this.#cursor ?? [0, 0];
    this.#cursor = way ? [kept(x + STEP * way[0]), kept(y + STEP * way[1])] : [x, y];
    if (!way) {
      this.#drop(this.#cursor);
      this.#end();
    }
    this.#draw();
  }

  #draw() {
    const theme = readTheme(this.root);
    const context = contextOf(this.canvas);
    /** @param {number} value */
    const pixel = (value) => SIZE + (SIZE * value) / REACH;
    context.clearRect(0, 0, 2 * SIZE, 2 * SIZE);
    context.fillStyle = css(theme.ink);
    for (const [x, y] of this.#points) context.fillRect(pixel(x) - 2, pixel(-y) - 2, 4, 4);
    if (this.#cursor) {
      const [x, y] = this.#cursor;
      context.strokeStyle = css(theme.primary);
      context.lineWidth = 3;
      context.strokeRect(pixel(x) - 9, pixel(-y) - 9, 18, 18);
    }
    const [n, most] = [this.#points.length, this.#most].map(grouped);
    this.#text.textContent = `${n} of at most ${most} points`;
  }
}

/** @param {number} value */
function rounded(value) {
  return Math.round(1e3 * value) / 1e3;
}

/** Return a value within the pad. @param {number} value */
function kept(value) {
  return Math.max(-REACH, Math.min(REACH, value));
}

export default component(".pad", "points", (root) => new Pad(root));
