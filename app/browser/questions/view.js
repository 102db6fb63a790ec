/* Questions before and after a lesson. The answers stay on this device; a button saves them as CSV. */

import { button, make, saveAs } from "../shared/dom.js";
import { hosted } from "../shared/hosts.js";

/** @import { Answers, Phase, Question } from "./types" */

const STORED = "bertflow-lab questions";
const LETTERS = "ABCDE";
const UNKNOWN = "I do not know";
/** @type {[Phase, string][]} */
const PHASES = [
  ["before", "Before the lesson"],
  ["after", "After the lesson"],
];

/** What the page shows; it is built once. */
export class QuestionsView {
  /** @type {Question[]} */
  #questions = [];
  /** @type {Phase} */
  #phase = "before";
  /** @type {Answers} */
  #answers = { before: {}, after: {} };
  #form = make("div");
  #text = make("output");
  #save = button("Save as CSV", "Save the answers in a file on this device", () => this.#keep());

  /** @param {HTMLElement} root */
  constructor(root) {
    const clear = button("Delete my answers", "Delete them from this device", () => {
      this.#answers = { before: {}, after: {} };
      this.#store();
      this.#build();
    });
    const phases = PHASES.map(([phase, text]) =>
      choice("phase", text, phase === this.#phase, () => {
        this.#phase = phase;
        this.#build();
      }),
    );
    const when = make("fieldset", { class: "row" }, [make("legend", { text: "When" }), ...phases]);
    root.replaceChildren(
      ...[when, this.#form, make("div", { class: "row" }, [this.#save, clear, this.#text])],
    );
  }

  /** @param {Question[]} questions */
  load(questions) {
    if (this.#questions.length) return; // a change of the colour scheme sends them again
    this.#questions = questions;
    this.#answers = stored(questions.length);
    this.#build();
  }

  #build() {
    const fields = this.#questions.map(({ question, answers }, number) => {
      const legend = make("legend", { text: `${number + 1}. ${question}` });
      const choices = [...answers, UNKNOWN].map((text, answer) =>
        choice(`q${number}`, text, this.#answers[this.#phase][number] === answer, () => {
          this.#answers[this.#phase][number] = answer;
          this.#store();
        }),
      );
      return make("fieldset", {}, [legend, ...choices]);
    });
    this.#form.replaceChildren(...fields);
    this.#tell();
  }

  #store() {
    try {
      localStorage.setItem(STORED, JSON.stringify(this.#answers));
    } catch {} // without storage they last as long as the page
    this.#tell();
  }

  #tell() {
    const answered = Object.keys(this.#answers[this.#phase]).length;
    this.#save.disabled = answered < this.#questions.length;
    this.#text.textContent = `${answered} of ${this.#questions.length} answered`;
  }

  #keep() {
    const lines = PHASES.flatMap(([phase]) =>
      Object.entries(this.#answers[phase]).map(([number, answer]) => {
        const right = answer === this.#questions[Number(number)].right;
        return [phase, Number(number) + 1, LETTERS[answer], Number(right)].join(",");
      }),
    );
    const text = ["when,question,answer,right", ...lines, ""].join("\r\n");
    saveAs(new Blob([text], { type: "text/csv" }), "answers.csv");
    if (this.#phase === "after") this.#reveal();
  }

  /** Mark the right answers, and count them; this ends the round. */
  #reveal() {
    for (const [number, field] of [...this.#form.children].entries()) {
      field.querySelectorAll("label")[this.#questions[number].right].classList.add("right");
      for (const input of field.querySelectorAll("input")) input.disabled = true;
    }
    const counts = PHASES.map(([phase, text]) => {
      const own = Object.entries(this.#answers[phase]);
      const right = own.filter(([n, answer]) => answer === this.#questions[Number(n)].right);
      return own.length ? [`${text.toLowerCase()} ${right.length} of ${own.length}`] : [];
    });
    this.#text.textContent = `Right: ${counts.flat().join(", ")}.`;
  }
}

/** Return a radio button in its label. @param {string} name @param {string} text @param {boolean} isChosen @param {() => void} onchange */
function choice(name, text, isChosen, onchange) {
  const input = make("input", { type: "radio", name, onchange });
  input.checked = isChosen;
  return make("label", {}, [input, make("span", { text })]);
}

/** Return the answers kept on this device, without what is none. @param {number} n of questions @returns {Answers} */
function stored(n) {
  const numbers = [...Array(n).keys()];
  const sound = (/** @type {any} */ kept) => {
    const isAnswer = (/** @type {number} */ i) => Number.isInteger(kept?.[i]) && LETTERS[kept[i]];
    return Object.fromEntries(numbers.filter(isAnswer).map((i) => [i, kept[i]]));
  };
  try {
    const { before, after } = JSON.parse(localStorage.getItem(STORED) ?? "");
    return { before: sound(before), after: sound(after) };
  } catch {
    return { before: {}, after: {} };
  }
}

export default hosted({
  name: "questions",
  show: (root) => new QuestionsView(root),
  state: "answers",
});
