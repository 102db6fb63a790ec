/* The component of the app's presenter view: answers with a show of hands, and the keys. */

import { component } from "../shared/component.js";
import { make } from "../shared/dom.js";
import { Hands } from "./hands.js";
import { listen } from "./keys.js";

/** @import { Send } from "../shared/types" */
/** @import { Asked } from "./types" */

/** Hands by step, for as long as the page is open. @type {Map<string, number[]>} */
const counted = new Map();

class Room {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.step = "";
    this.turns = 0;
    /** @type {Send} */
    this.send = () => {};
    this.hands = new Hands([], []);
    this.stop = this.listen();
  }

  listen() {
    return listen({
      turn: () => this.report("turn"),
      back: () => this.report("back"),
      hand: (answer, by) => this.hands.add(answer, by),
    });
  }

  /** @param {Asked} asked @param {Send} send */
  load(asked, send) {
    this.send = send;
    this.stop();
    this.stop = this.listen(); // a component that was closed may be shown again
    if (asked.step !== this.step) this.show(asked);
    this.hands.mark(asked.right);
  }

  /** @param {Asked} asked */
  show({ step, choices }) {
    this.step = step;
    const counts = counted.get(step) ?? choices.map(() => 0);
    counted.set(step, counts);
    const rows = choices.map((text, i) =>
      make("li", { onclick: () => this.hands.add(i, 1) }, [make("span", { text })]),
    );
    this.hands = new Hands(rows, counts);
    const help = "Hands: keys 1 to 9, with Shift to take one away. PageDown reveals, then turns.";
    this.root.replaceChildren(make("ol", {}, rows), make("p", { class: "help", text: help }));
  }

  /** @param {"turn" | "back"} to */
  report(to) {
    this.turns += 1;
    this.send({ step: this.step, to, turn: `${Date.now()}-${this.turns}` });
  }

  close() {
    this.stop();
  }
}

export default component(".room", "turn", (root) => new Room(root));
