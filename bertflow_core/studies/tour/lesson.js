"use strict";
(() => {
  // app/browser/shared/dom.js
  function make(tag, { text, ...attributes } = {}, children = []) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else if (value !== null) element.setAttribute(name, String(value));
    }
    if (text !== void 0) element.textContent = text;
    element.append(...children);
    return element;
  }

  // app/browser/presenter/hands.js
  var Hands = class {
    /**
     * @param {HTMLElement[]} rows One an answer; a bar is added to each.
     * @param {number[]} counts Changed in place.
     */
    constructor(rows, counts) {
      this.rows = rows;
      this.counts = counts;
      this.bars = rows.map((row) => {
        const bar = make("span", { class: "bar" });
        const count = make("span", { class: "count" });
        row.append(make("span", { class: "hands" }, [bar, count]));
        return { bar, count };
      });
      this.draw();
    }
    /** Count hands for an answer. @param {number} answer @param {number} by */
    add(answer, by) {
      if (answer >= this.rows.length) return;
      this.counts[answer] = Math.max(0, (this.counts[answer] ?? 0) + by);
      this.draw();
    }
    draw() {
      const most = Math.max(1, ...this.rows.map((_, i) => this.counts[i] ?? 0));
      this.bars.forEach(({ bar, count }, i) => {
        const n = this.counts[i] ?? 0;
        bar.style.width = `${100 * n / most}%`;
        count.textContent = n ? String(n) : "";
      });
    }
    /** Mark the right answer, or none. @param {number | null} right */
    mark(right) {
      this.rows.forEach((row, i) => {
        row.classList.toggle("right", i === right);
        row.querySelector(".tick")?.remove();
        const tick = make("strong", { class: "tick", text: "✓ right" });
        if (i === right) row.querySelector(".hands")?.before(tick);
      });
    }
  };

  // app/browser/presenter/keys.js
  var DIGIT = /^(?:Digit|Numpad)([1-9])$/;
  function listen(actions) {
    const hear = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const action = actionOf(event, actions);
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    document.addEventListener("keydown", hear, true);
    return () => document.removeEventListener("keydown", hear, true);
  }
  function actionOf(event, actions) {
    if (event.key === "PageDown") return actions.turn;
    if (event.key === "PageUp") return actions.back;
    const digit = isTyping(event) ? null : DIGIT.exec(event.code);
    return digit && (() => actions.hand(Number(digit[1]) - 1, event.shiftKey ? -1 : 1));
  }
  function isTyping(event) {
    const [at] = event.composedPath();
    return at instanceof HTMLElement && at.matches("input:not([type=radio]), textarea");
  }

  // app/browser/presenter/lesson.js
  var dark = matchMedia("(prefers-color-scheme: dark)");
  var colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  var one = (place, selector) => (
    /** @type {HTMLElement} */
    place.querySelector(selector)
  );
  var isRoom = () => document.body.classList.contains("room");
  function layoutOf(figure) {
    const larger = Math.round(1.3 * figure.layout.height);
    const layout = {
      ...figure.layout,
      height: isRoom() ? Math.round(0.52 * innerHeight) : larger,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { ...figure.layout.font, color: colour("--ink"), size: isRoom() ? 20 : 16 },
      legend: { ...figure.layout.legend, yref: "container", y: 0, yanchor: "bottom" }
    };
    for (const [name, axis] of Object.entries(figure.layout)) {
      if (/^[xy]axis\d*$/.test(name)) {
        const lines = { gridcolor: colour("--line"), zerolinecolor: colour("--line") };
        layout[name] = { automargin: true, .../** @type {object} */
        axis, ...lines };
      }
    }
    for (const note of layout.annotations ?? []) note.font = { ...note.font, size: 16 };
    return layout;
  }
  function draw(picture) {
    const source = document.getElementById(picture.dataset.figure ?? "");
    const figure = JSON.parse(source?.textContent ?? "{}");
    picture.querySelector(":scope > p")?.remove();
    const config = { responsive: true, displaylogo: false, toImageButtonOptions: { format: "svg" } };
    Plotly.react(picture, figure.data, layoutOf(figure), config);
  }
  function drawAll() {
    for (const picture of document.querySelectorAll(".answer[open] .picture"))
      draw(
        /** @type {HTMLElement} */
        picture
      );
  }
  var Step = class {
    /** @param {HTMLElement} section */
    constructor(section) {
      this.section = section;
      this.fieldset = one(section, "fieldset");
      this.answer = /** @type {HTMLDetailsElement} */
      one(section, ".answer");
      this.inputs = [...section.querySelectorAll("input")];
      const rows = (
        /** @type {HTMLElement[]} */
        [...section.querySelectorAll("label")]
      );
      this.hands = new Hands(rows, []);
      this.prepare(one(this.answer, "summary"));
    }
    /** @param {HTMLElement} summary */
    prepare(summary) {
      const isChosen = () => this.inputs.some((input) => input.checked);
      const allow = () => isChosen() && summary.removeAttribute("aria-disabled");
      summary.setAttribute("aria-disabled", "true");
      for (const input of this.inputs) input.addEventListener("change", allow);
      allow();
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
      if (!chosen) return;
      const isRight = chosen.value === this.fieldset.dataset.right;
      const verdict = one(this.section, ".verdict");
      verdict.textContent = isRight ? "Right." : "Not here.";
      verdict.dataset.right = isRight ? "yes" : "no";
    }
  };
  var sections = (
    /** @type {HTMLElement[]} */
    [
      ...document.querySelectorAll("section[data-step]")
    ]
  );
  var steps = sections.map((section) => new Step(section));
  var current = 0;
  var stop = () => {
  };
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
    stop = () => {
    };
    if (isRoom()) {
      const seen = sections.findIndex((each) => each.getBoundingClientRect().bottom > 0);
      stop = listen({
        turn,
        back: () => show(current - 1),
        hand: (answer, by) => steps[current].hands.add(answer, by)
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
})();
