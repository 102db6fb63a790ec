/* Steps of a fit at a rate, a frame at a time, never so many that a frame comes late. */

const BUDGET_MS = 10;

export class Ticker {
  #due = 0;
  /** @type {number | null} */
  #last = null;

  /**
   * Call `step` as often as the time since the last frame asks for.
   * @param {number} now in milliseconds
   * @param {number} rate in steps a second
   * @param {() => void} step
   */
  run(now, rate, step) {
    this.#due += Math.min(0.1, (now - (this.#last ?? now)) / 1000) * rate;
    this.#last = now;
    const end = performance.now() + BUDGET_MS;
    while (this.#due >= 1) {
      step();
      this.#due -= 1;
      if (performance.now() >= end) this.#due = Math.min(this.#due, 1);
    }
  }

  rest() {
    [this.#due, this.#last] = [0, null];
  }
}
