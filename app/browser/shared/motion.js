/* Numbers that move to a goal, one drawing a frame; who wants less motion sees fewer steps. */

/** Above this duration even those who want less motion see the steps in between. */
const LONG_MS = 600;

/** One movement at a time; a new one ends the last. */
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
