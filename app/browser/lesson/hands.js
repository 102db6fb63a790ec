/* A show of hands: how many chose each answer, as bars beside the answers, and which is right. */

import { make } from "../shared/dom.js";

export class Hands {
  /**
   * @param {HTMLElement[]} rows One an answer; a bar is added to each.
   * @param {number[]} counts Changed in place.
   */
  constructor(rows, counts) {
    this.rows = rows;
    this.counts = counts;
    this.bars = rows.map((row) => {
      const bar = make("span", { class: "bar" });
      const count = make("span", { class: "count" });
      row.append(make("span", { class: "hands" }, [bar, count]));
      return { bar, count };
    });
    this.draw();
  }

  /** Count hands for an answer. @param {number} answer @param {number} by */
  add(answer, by) {
    if (answer >= this.rows.length) return;
    this.counts[answer] = Math.max(0, (this.counts[answer] ?? 0) + by);
    this.draw();
  }

  draw() {
    const most = Math.max(1, ...this.rows.map((_, i) => this.counts[i] ?? 0));
    this.bars.forEach(({ bar, count }, i) => {
      const n = this.counts[i] ?? 0;
      bar.style.width = `${(100 * n) / most}%`;
      count.textContent = n ? String(n) : "";
    });
  }

  /** Mark the right answer, or none. @param {number | null} right */
  mark(right) {
    this.rows.forEach((row, i) => {
      row.classList.toggle("right", i === right);
      row.querySelector(".tick")?.remove();
      const tick = make("strong", { class: "tick", text: "✓ right" });
      if (i === right) row.querySelector(".hands")?.before(tick);
    });
  }
}
