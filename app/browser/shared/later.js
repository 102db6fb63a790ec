/* Do something once things have been quiet for a while. */

/** The last call wins; it runs after a pause without another. */
export class Later {
  #pause;
  #timer = 0;

  /** @param {number} pause in milliseconds */
  constructor(pause) {
    this.#pause = pause;
  }

  /** @param {() => void} act */
  call(act) {
    this.stop();
    this.#timer = setTimeout(act, this.#pause);
  }

  stop() {
    clearTimeout(this.#timer);
  }
}
