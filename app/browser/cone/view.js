/* Spheres side by side: the pair that is pointed at on one of them is marked on all. */

import { ARROWS } from "../shared/arrows.js";
import { make } from "../shared/dom.js";
import { hosted } from "../shared/hosts.js";
import { Announcer } from "../shared/later.js";
import { readTheme } from "../shared/palette.js";
import { Sphere } from "./sphere.js";

/** @import { Panel, Payload } from "./types" */

const LARGEST = 300;

/** What one component shows; it lives as long as its element. */
export class ConeView {
  #chosen = 0;
  /** @type {Payload | null} */
  #data = null;
  /** @type {{ panel: Panel, sphere: Sphere, angle: HTMLElement, box: HTMLElement }[]} */
  #panels = [];
  #announcer = new Announcer();

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.spheres = make("div", {
      class: "spheres",
      tabindex: 0,
      role: "application",
      "aria-label": "Spheres; the arrow keys show one pair of sentences after the other",
      onkeydown: (event) => this.#press(event),
    });
    this.text = make("p", { class: "pair" });
    root.replaceChildren(this.spheres, this.text, this.#announcer.element);
    this.watcher = new ResizeObserver(() => this.#draw());
    this.watcher.observe(root);
  }

  /** Take up what the server sent, and mark the pair that people find least alike. @param {Payload} data */
  load(data) {
    if (JSON.stringify(data) !== JSON.stringify(this.#data)) {
      this.#data = data;
      const grades = data.pairs.map(([, , grade]) => grade);
      this.#chosen = grades.indexOf(Math.min(...grades));
      this.#panels = data.panels.map((panel) => this.#panel(panel));
      this.spheres.replaceChildren(...this.#panels.map(({ box }) => box));
    }
    this.#draw();
  }

  /** @param {Panel} panel */
  #panel(panel) {
    const canvas = make("canvas", {
      role: "img",
      onpointermove: (event) => this.#point(sphere, event),
      onpointerdown: (event) => this.#point(sphere, event),
    });
    const sphere = new Sphere(canvas, panel);
    const angle = make("div");
    const caption = make("figcaption", {}, [make("strong", { text: panel.title }), angle]);
    return { panel, sphere, angle, box: make("figure", {}, [caption, canvas]) };
  }

  /** @param {Sphere} sphere @param {PointerEvent} event */
  #point(sphere, { offsetX, offsetY }) {
    const row = sphere.nearest(offsetX, offsetY);
    if (row >= 0) this.#choose(row % this.#n);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [across, up] = ARROWS[event.key] ?? [0, 0];
    if (!across && !up) return;
    event.preventDefault();
    this.#choose((this.#chosen + across - up + this.#n) % this.#n);
  }

  get #n() {
    return this.#data?.pairs.length ?? 0;
  }

  /** @param {number} pair */
  #choose(pair) {
    if (pair === this.#chosen) return;
    this.#chosen = pair;
    this.#draw();
    this.#announcer.say(`${this.text.textContent}; ${this.#angles().join(", ")}`);
  }

  /** Return the angle of the marked pair on each sphere, in words. */
  #angles() {
    return this.#panels.map(({ panel }) => {
      return `${panel.title} ${panel.pair_angles[this.#chosen].toFixed(0)}°`;
    });
  }

  #draw() {
    if (!this.#data || !this.root.clientWidth) return;
    const theme = readTheme(this.root);
    const [first, second, grade] = this.#data.pairs[this.#chosen];
    const [low, high] = this.#data.scale;
    for (const { panel, sphere, angle } of this.#panels) {
      const { title, mean_length, pair_angles } = panel;
      const width = sphere.canvas.parentElement?.clientWidth ?? 0;
      sphere.resize(Math.min(LARGEST, width));
      sphere.draw(theme, this.#data.circles, [this.#chosen, this.#chosen + this.#n]);
      const degrees = `${pair_angles[this.#chosen].toFixed(0)}°`;
      angle.textContent = `${degrees} apart in all dimensions`;
      sphere.canvas.ariaLabel = `Sentences as points on a sphere, ${title}: the mean of their directions has length ${mean_length.toFixed(2)}; the marked pair is ${degrees} apart`;
    }
    this.text.textContent = `“${first}” and “${second}”: gold score ${Number(grade.toFixed(2))} of ${low ? `${low} to ` : ""}${high}`;
    this.root.dataset.pair = String(this.#chosen);
  }

  close() {
    this.#announcer.stop();
    this.watcher.disconnect();
  }
}

export default hosted({ name: "cone", show: (root) => new ConeView(root), state: "report" });
