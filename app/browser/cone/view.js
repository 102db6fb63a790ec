/* Spheres side by side: the pair under the pointer is marked on all of them. */

import { hosted } from "../shared/hosts.js";
import { pairText, Spheres } from "./spheres.js";

/** @import { Payload } from "./types" */

/** What one component shows; it lives as long as its element. */
export class ConeView {
  #chosen = 0;
  /** @type {Payload | null} */
  #data = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.spheres = new Spheres(
      { role: "application" },
      (by) => this.#choose((this.#chosen + by + this.#n) % this.#n),
      (row) => this.#choose(row % this.#n),
    );
    root.replaceChildren(this.spheres.element, this.spheres.text, this.spheres.spoken);
  }

  /** Show what the server sent, and mark the pair with the lowest gold score. @param {Payload} data */
  load(data) {
    if (JSON.stringify(data) !== JSON.stringify(this.#data)) {
      this.#data = data;
      const grades = data.pairs.map(([, , grade]) => grade);
      this.#chosen = grades.indexOf(Math.min(...grades));
      this.spheres.show(data.panels, data.circles);
    }
    this.#mark(data);
  }

  get #n() {
    return this.#data?.pairs.length ?? 0;
  }

  /** @param {number} pair */
  #choose(pair) {
    if (pair === this.#chosen || !this.#data) return;
    this.#chosen = pair;
    this.#mark(this.#data);
    this.spheres.say();
  }

  /** @param {Payload} data */
  #mark({ pairs, panels, scale }) {
    const chosen = this.#chosen;
    const [first, second, grade] = pairs[chosen];
    this.spheres.mark(
      [chosen, chosen + this.#n],
      pairText([first, second], grade, scale),
      panels.map(({ pair_angles }) => `${pair_angles[chosen].toFixed(0)}° between the marked pair`),
    );
    this.root.dataset.pair = String(chosen);
  }

  get place() {
    return this.#chosen;
  }

  set place(pair) {
    this.#choose(Math.max(0, Math.min(pair, this.#n - 1)));
  }

  get parts() {
    return [this.spheres.element, this.spheres.text];
  }

  draw() {
    this.spheres.draw();
  }

  close() {
    this.spheres.close();
  }
}

export default hosted({ name: "cone", show: (root) => new ConeView(root), state: "report" });
