/* Twelve lines for sentences; the style sheet shows the filled ones and one more. */

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
        placeholder: " ",
        maxlength: LONGEST,
        autocomplete: "off",
        "aria-label": `Sentence ${place + 1}`,
        oninput: changed,
        onkeydown: ({ key }) => key === "Enter" && this.lines[place + 1]?.focus(),
        onpaste: (event) => this.#paste(event, place),
      }),
    );
    const items = this.lines.map((line) => make("li", {}, [line]));
    this.element = make("ol", { class: "lines" }, items);
  }

  /** @param {string[]} sentences */
  fill(sentences) {
    this.lines.forEach((line, place) => {
      line.value = (sentences[place] ?? "").trim().slice(0, LONGEST);
    });
    this.changed();
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

  /** Put each pasted line on its own line. @param {ClipboardEvent} event @param {number} place */
  #paste(event, place) {
    const pasted = (event.clipboardData?.getData("text") ?? "").split(/\n+/).filter(Boolean);
    if (pasted.length < 2) return;
    event.preventDefault();
    const typed = this.lines.map((line) => line.value);
    typed.splice(place, pasted.length, ...pasted);
    this.fill(typed);
  }
}
