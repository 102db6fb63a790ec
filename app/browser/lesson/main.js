/* The lesson as one file: a question, its answer once chosen, and a view for a lecture room.
 * `npm run lesson` bundles it into bertflow_core/studies/tour/lesson.js. */

import { Hands } from "./hands.js";
import { listen } from "./keys.js";

/** @import { Figure, Layout } from "./types" */

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Return the element that is there. @param {ParentNode} place @param {string} selector */
const one = (place, selector) => /** @type {HTMLElement} */ (place.querySelector(selector));

const isRoom = () => document.body.classList.contains("room");

/** @param {Figure} figure */
function layoutOf(figure) {
  const larger = Math.round(1.3 * figure.layout.height); // for the larger letters
  /** @type {Layout} */
  const layout = {
    ...figure.layout,
    height: isRoom() ? Math.round(0.52 * innerHeight) : larger,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { ...figure.layout.font, color: colour("--ink"), size: isRoom() ? 20 : 16 },
    legend: { ...figure.layout.legend, yref: "container", y: 0, yanchor: "bottom" },
  };
  for (const [name, axis] of Object.entries(figure.layout)) {
    if (/^[xy]axis\d*$/.test(name)) {
      const lines = { gridcolor: colour("--line"), zerolinecolor: colour("--line") };
      layout[name] = { automargin: true, .../** @type {object} */ (axis), ...lines };
    }
  }
  for (const note of layout.annotations ?? []) note.font = { ...note.font, size: 16 };
  return layout;
}

// Only once it is to be seen: what is hidden has no width to draw in.
/** @param {HTMLElement} picture */
function draw(picture) {
  const source = document.getElementById(picture.dataset.figure ?? "");
  const figure = JSON.parse(source?.textContent ?? "{}");
  picture.querySelector(":scope > p")?.remove(); // what stands there for those without script
  const config = { responsive: true, displaylogo: false, toImageButtonOptions: { format: "svg" } };
  Plotly.react(picture, figure.data, layoutOf(figure), config);
}

function drawAll() {
  for (const picture of document.querySelectorAll(".answer[open] .picture"))
    draw(/** @type {HTMLElement} */ (picture));
}

class Step {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.fieldset = one(section, "fieldset");
    this.answer = /** @type {HTMLDetailsElement} */ (one(section, ".answer"));
    this.inputs = [...section.querySelectorAll("input")];
    const rows = /** @type {HTMLElement[]} */ ([...section.querySelectorAll("label")]);
    this.hands = new Hands(rows, []);
    this.prepare(one(this.answer, "summary"));
  }

  /** @param {HTMLElement} summary */
  prepare(summary) {
    const isChosen = () => this.inputs.some((input) => input.checked);
    const allow = () => isChosen() && summary.removeAttribute("aria-disabled");
    summary.setAttribute("aria-disabled", "true");
    for (const input of this.inputs) input.addEventListener("change", allow);
    allow(); // a reload keeps what was chosen
    summary.addEventListener("click", (event) => {
      if (!isChosen() && !isRoom()) event.preventDefault();
    });
    this.answer.addEventListener("toggle", () => this.reveal());
  }

  reveal() {
    const isOpen = this.answer.open;
    for (const input of this.inputs) input.disabled = isOpen;
    this.hands.mark(isOpen ? Number(this.fieldset.dataset.right) : null);
    if (!isOpen) return;
    this.judge();
    draw(one(this.answer, ".picture"));
  }

  judge() {
    const chosen = this.inputs.find((input) => input.checked);
    if (!chosen) return; // opened by something other than a choice, such as a search in the page
    const isRight = chosen.value === this.fieldset.dataset.right;
    const verdict = one(this.section, ".verdict");
    verdict.textContent = isRight ? "Right." : "Not here.";
    verdict.dataset.right = isRight ? "yes" : "no";
  }
}

const sections = /** @type {HTMLElement[]} */ ([
  ...document.querySelectorAll("section[data-step]"),
]);
const steps = sections.map((section) => new Step(section));

/* The view for a room: one step at a time, turned by the keys of a remote. */

let current = 0;
let stop = () => {};

/** Show a step and no other. @param {number} to */
function show(to) {
  current = Math.min(Math.max(to, 0), steps.length - 1);
  steps.forEach(({ section }, i) => {
    section.classList.toggle("current", i === current);
  });
  scrollTo(0, 0);
  drawAll();
}

function turn() {
  const { answer } = steps[current];
  if (answer.open) show(current + 1);
  else answer.open = true;
}

function present() {
  document.body.classList.toggle("room");
  stop();
  stop = () => {};
  if (isRoom()) {
    const seen = sections.findIndex((each) => each.getBoundingClientRect().bottom > 0);
    stop = listen({
      turn,
      back: () => show(current - 1),
      hand: (answer, by) => steps[current].hands.add(answer, by),
    });
    show(seen);
  } else {
    drawAll();
    steps[current].section.scrollIntoView();
  }
}

for (const button of document.querySelectorAll("button.present"))
  button.addEventListener("click", present);
if (location.hash === "#present") present();
dark.addEventListener("change", drawAll);
