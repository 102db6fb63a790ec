/* Twelve lines for sentences, one more than are filled in sight. */

import { make } from "../shared/dom.js";

const MOST = 12;
const LONGEST = 200;

/** The lines, numbered from 1. */
export class Inputs {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.lines = Array.from({ length: MOST }, (_, place) =>
      make("input", {
        type: "text",
        maxlength: LONGEST,
        readonly: "",
        autocomplete: "off",
        "aria-label": `Sentence ${place + 1}`,
        oninput: () => this.#edited(),
        onkeydown: (event) => {
          if (event.key === "Enter") this.lines[place + 1]?.focus();
        },
        onpaste: (event) => this.#paste(event, place),
      }),
    );
    const items = this.lines.map((line) => make("li", {}, [line]));
    this.element = make("ol", { class: "lines" }, items);
  }

  /** Let people type. */
  open() {
    for (const line of this.lines) line.readOnly = false;
  }

  /** @param {string[]} sentences */
  fill(sentences) {
    this.lines.forEach((line, place) => {
      line.value = (sentences[place] ?? "").trim().slice(0, LONGEST);
    });
    this.#show();
  }

  /** Return the sentences that are typed, and their numbers from 0. */
  filled() {
    const typed = this.lines.map((line) => line.value.trim());
    const numbers = [...typed.keys()].filter((place) => typed[place]);
    return { numbers, sentences: numbers.map((place) => typed[place]) };
  }

  /** Mark lines by their numbers from 0. @param {number[]} numbers */
  mark(numbers) {
    this.lines.forEach((line, place) => {
      line.classList.toggle("marked", numbers.includes(place));
    });
  }

  #edited() {
    this.#show();
    this.changed();
  }

  #show() {
    const last = this.filled().numbers.at(-1) ?? -1;
    this.lines.forEach((line, place) => {
      if (line.parentElement) line.parentElement.hidden = place > last + 1;
    });
  }

  /** Give each pasted line a line of its own. @param {ClipboardEvent} event @param {number} place */
  #paste(event, place) {
    const pasted = (event.clipboardData?.getData("text") ?? "").split(/\n+/).filter(Boolean);
    if (pasted.length < 2 || this.lines[place].readOnly) return;
    event.preventDefault();
    const typed = this.lines.map((line) => line.value);
    typed.splice(place, pasted.length, ...pasted);
    this.fill(typed);
    this.changed();
  }
}
