/* What is said to those who listen to the page instead of seeing it. */

import { make } from "./dom.js";
import { Later } from "./later.js";

const PAUSE_MS = 300;

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
