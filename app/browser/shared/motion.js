/* Animated numbers, drawn once per frame, with fewer steps under reduced motion. */

/** Above this duration, steps in between are shown even under reduced motion. */
const LONG_MS = 600;

/** Runs one animation at a time; a new one ends the previous one. */
export class Motion {
  #frame = 0;

  /**
   * Call `show` with numbers from one to another, then `done`.
   * @param {number} from
   * @param {number} goal
   * @param {number} duration in milliseconds
   * @param {(value: number) => void} show
   * @param {() => void} done
   */
  start(from, goal, duration, show, done = () => {}) {
    this.stop();
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const start = performance.now();
    /** @param {number} now */
    const frame = (now) => {
      const passed = Math.min(1, Math.max(0, (now - start) / duration));
      const share = isStill && duration <= LONG_MS ? 1 : passed;
      const value = share === 1 ? goal : from + share * (goal - from);
      show(isStill ? Math.round(value) : value);
      if (share < 1) this.#frame = requestAnimationFrame(frame);
      else done();
    };
    this.#frame = requestAnimationFrame(frame);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
  }
}
