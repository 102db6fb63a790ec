/* What is done, or said to those who listen to the page, once things have been quiet for a while. */

import { make } from "./dom.js";

const PAUSE_MS = 300;

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

/** Says the last of several texts, once the keys rest. */
export class Announcer {
  #later = new Later(PAUSE_MS);
  element = make("p", { class: "spoken", "aria-live": "polite" });

  /** @param {string} text */
  say(text) {
    this.#later.call(() => {
      this.element.textContent = text;
    });
  }

  stop() {
    this.#later.stop();
  }
}
