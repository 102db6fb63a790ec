/* The lesson as one file: a question, its answer once chosen, and a view for a lecture room.
 * `npm run lesson` bundles it into app/browser/bundles/lesson.js. */

/** @import { Figure, Layout } from "./types" */

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Return the element in `place` that a selector finds. @param {ParentNode} place @param {string} selector */
const one = (place, selector) => /** @type {HTMLElement} */ (place.querySelector(selector));

/** @param {string} tag @param {string} name @param {string} text */
function element(tag, name, text = "") {
  return Object.assign(document.createElement(tag), { className: name, textContent: text });
}

const isRoom = () => document.body.classList.contains("room");

/** @param {Figure} figure @param {number} height */
function layoutOf(figure, height) {
  /** @type {Layout} */
  const layout = {
    ...figure.layout,
    height: Math.round(height),
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { ...figure.layout.font, color: colour("--ink"), size: isRoom() ? innerHeight / 48 : 16 },
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

// Draw a picture only when it is visible: a hidden element has no width.
/** @param {HTMLElement} picture */
function draw(picture) {
  const source = document.getElementById(picture.dataset.figure ?? "");
  const figure = JSON.parse(source?.textContent ?? "{}");
  picture.querySelector(":scope > p")?.remove(); // the text for readers without JavaScript
  // Larger letters need a taller figure; in a lecture room it fills the rest of the screen.
  const rest = (picture.closest("section")?.clientHeight ?? 0) - picture.clientHeight;
  const height = isRoom() ? Math.max(200, innerHeight - rest - 40) : 1.3 * figure.layout.height;
  const config = { responsive: true, displaylogo: false, toImageButtonOptions: { format: "svg" } };
  Plotly.react(picture, figure.data, layoutOf(figure, height), config);
}

function drawAll() {
  for (const picture of document.querySelectorAll(".answer[open] .picture"))
    draw(/** @type {HTMLElement} */ (picture));
}

/** A question and its answer, with a count of raised hands for each answer. */
class Step {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.answer = /** @type {HTMLDetailsElement} */ (one(section, ".answer"));
    this.inputs = [...section.querySelectorAll("input")];
    this.right = one(section, "fieldset").dataset.right;
    this.rows = [...section.querySelectorAll("label")].map((label) => {
      const [bar, count] = [element("span", "bar"), element("span", "count")];
      const hands = element("span", "hands");
      hands.append(bar, count);
      label.append(hands);
      return { label, hands, bar, count, n: 0 };
    });
    this.prepare(one(this.answer, "summary"));
  }

  /** Count hands for an answer. @param {number} answer @param {number} by */
  raise(answer, by) {
    const row = this.rows[answer];
    if (row) row.n = Math.max(0, row.n + by);
    const most = Math.max(1, ...this.rows.map(({ n }) => n));
    for (const { bar, count, n } of this.rows) {
      bar.style.width = `${(100 * n) / most}%`;
      count.textContent = n ? String(n) : "";
    }
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
    this.rows.forEach(({ label, hands }, i) => {
      const isRight = isOpen && String(i) === this.right;
      label.classList.toggle("right", isRight);
      label.querySelector(".tick")?.remove();
      if (isRight) hands.before(element("strong", "tick", "✓ right"));
    });
    if (!isOpen) return;
    this.judge();
    draw(one(this.answer, ".picture"));
  }

  judge() {
    const chosen = this.inputs.find((input) => input.checked);
    if (!chosen) return; // opened by something other than a choice, such as a search in the page
    const isRight = chosen.value === this.right;
    const verdict = one(this.section, ".verdict");
    verdict.textContent = isRight ? "Right." : "Not here.";
    verdict.dataset.right = isRight ? "yes" : "no";
  }
}

const sections = /** @type {HTMLElement[]} */ ([
  ...document.querySelectorAll("section[data-step]"),
]);
const steps = sections.map((section) => new Step(section));

/* The lecture-room view: one step at a time, changed by the keys of a remote. */

const DIGIT = /^(?:Digit|Numpad)([1-9])$/;
let current = 0;

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
  if (isRoom()) show(sections.findIndex((each) => each.getBoundingClientRect().bottom > 0));
  else {
    drawAll();
    steps[current].section.scrollIntoView();
  }
}

/* A remote changes the step. A digit counts a hand for an answer; with Shift it removes one. */
document.addEventListener("keydown", (event) => {
  if (!isRoom() || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const digit = DIGIT.exec(event.code);
  if (event.key === "PageDown") turn();
  else if (event.key === "PageUp") show(current - 1);
  else if (digit) steps[current].raise(Number(digit[1]) - 1, event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
});

for (const button of document.querySelectorAll("button.present"))
  button.addEventListener("click", present);
if (location.hash === "#present") present();
dark.addEventListener("change", drawAll);
