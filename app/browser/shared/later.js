/* Actions, and messages to screen readers, that wait until nothing has happened for a while. */

import { make } from "./dom.js";

const PAUSE_MS = 300;

/** Runs the last of several calls, after a pause without a further call. */
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

/** Tells screen readers the last of several texts, after a pause. */
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
