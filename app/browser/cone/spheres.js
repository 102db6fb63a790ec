/* Spheres side by side: one pair of points is marked on all of them. */

import { ARROWS } from "../shared/arrows.js";
import { make } from "../shared/dom.js";
import { Announcer } from "../shared/later.js";
import { readTheme } from "../shared/palette.js";
import { Sphere } from "./sphere.js";

/** @import { Attributes } from "../shared/dom.js" */
/** @import { Curve, Titled } from "./types" */
/** @typedef {{ panel: Titled, sphere: Sphere, title: HTMLElement, note: HTMLElement, figure: HTMLElement }} Shown */

const LARGEST = 300;

/** Return two sentences, with a gold score on its scale if they have one. @param {[string, string]} texts @param {number} [score] @param {[number, number]} [scale] */
export function pairText([first, second], score, [low, high] = [0, 0]) {
  const range = low ? `${low} to ${high}` : high;
  const gold = score === undefined ? "" : `: gold score ${Number(score.toFixed(2))} of ${range}`;
  return `“${first}” and “${second}”${gold}`;
}

/** A row of figures, the text of the marked pair, and what a screen reader says about it. */
export class Spheres {
  /** @type {Shown[]} */
  #shown = [];
  /** @type {Curve[]} */
  #circles = [];
  /** @type {number[]} */
  #pair = [];
  /** @type {string[]} */
  #values = [];
  #announcer = new Announcer();
  #watcher = new ResizeObserver(() => this.draw());
  text = make("p", { class: "pair" });
  spoken = this.#announcer.element;

  /**
   * @param {Attributes} attributes of the row of figures
   * @param {(by: number) => void} step is called with the number of pairs to move by
   * @param {(row: number, place: number) => void} point is called with the row under the pointer and its sphere
   */
  constructor(attributes, step, point) {
    this.point = point;
    const label = "Spheres; the arrow keys show one pair of sentences after the other";
    const keys = (/** @type {KeyboardEvent} */ event) => {
      const [across, up] = ARROWS[event.key] ?? [0, 0];
      if (event.ctrlKey || event.metaKey || event.altKey || across === up) return;
      event.preventDefault();
      step(across - up);
    };
    const shared = { class: "spheres", tabindex: 0, "aria-label": label, onkeydown: keys };
    this.element = make("div", { ...shared, ...attributes });
    this.#watcher.observe(this.element);
  }

  /** Show a sphere for each panel and return their figures. @param {Titled[]} panels @param {Curve[]} circles */
  show(panels, circles) {
    this.#circles = circles;
    this.#shown = panels.map((panel, place) => {
      const point = (/** @type {PointerEvent} */ { offsetX, offsetY }) => {
        const row = sphere.nearest(offsetX, offsetY);
        if (row >= 0) this.point(row, place);
      };
      const canvas = make("canvas", { role: "img", onpointermove: point, onpointerdown: point });
      const sphere = new Sphere(canvas, panel);
      const [title, note] = [make("strong", { text: panel.title }), make("div")];
      const caption = make("figcaption", {}, [title, note]);
      return { panel, sphere, title, note, figure: make("figure", {}, [caption, canvas]) };
    });
    const figures = this.#shown.map(({ figure }) => figure);
    this.element.replaceChildren(...figures);
    return figures;
  }

  /** Show other points on the same spheres. @param {Titled[]} panels */
  move(panels) {
    this.#shown.forEach((each, place) => {
      each.panel = panels[place];
      each.sphere.panel = panels[place];
      each.title.textContent = panels[place].title;
    });
  }

  /** Mark two rows. @param {number[]} pair @param {string} text @param {string[]} values of the pair on each sphere */
  mark(pair, text, values) {
    this.#pair = pair;
    this.#values = values;
    this.text.textContent = text;
    this.#shown.forEach(({ panel, sphere, note }, place) => {
      note.textContent = values[place];
      sphere.canvas.ariaLabel = `Sentences as points on a sphere, ${panel.title}: the mean of their directions has length ${panel.mean_length.toFixed(2)}; the marked pair: ${values[place]}`;
    });
    this.draw();
  }

  draw() {
    const theme = readTheme(this.element);
    for (const { sphere, figure } of this.#shown) {
      if (!figure.clientWidth) return;
      sphere.resize(Math.min(LARGEST, figure.clientWidth));
      sphere.draw(theme, this.#circles, this.#pair);
    }
  }

  /** Say to screen readers what is marked. */
  say() {
    const values = this.#shown.map(({ panel }, place) => `${panel.title} ${this.#values[place]}`);
    this.#announcer.say(`${this.text.textContent}; ${values.join(", ")}`);
  }

  close() {
    this.#announcer.stop();
    this.#watcher.disconnect();
  }
}
