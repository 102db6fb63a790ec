/* The tour, one step a screen: a question, and its answer once chosen. The dashboard shows the same
 * page as the file. `npm run lesson` bundles it into app/browser/bundles/lesson.js. */

import { isAlone, offered } from "../shared/page.js";

/** @import { Axis, Figure, Layout, Trace } from "./types" */

const dark = matchMedia("(prefers-color-scheme: dark)");
const isTouched = matchMedia("(pointer: coarse)").matches;
const isFramed = location.protocol === "about:"; // in the dashboard, whose address is not ours

/** @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Return the element in `place` that a selector finds. @param {ParentNode} place @param {string} selector */
const one = (place, selector) => /** @type {HTMLElement} */ (place.querySelector(selector));

/** @param {string} tag @param {string} name @param {string} text */
function element(tag, name, text = "") {
  return Object.assign(document.createElement(tag), { className: name, textContent: text });
}

const isRoom = () => document.body.classList.contains("room");
const bar = one(document, ".bar");

const LEAST = 240; // pixels of a picture
const LARGER = 1.7; // marks and lines of a picture in a room
const MOST = 1.6; // size of the letters of a question, as a multiple of that of a room

/** Return a text in lines of a length in pixels, for letters of a size. @param {string} text @param {number} length @param {number} size */
function wrapped(text, length, size) {
  const most = Math.floor(length / (0.47 * size)); // a letter is about 0.47 em wide
  return text.replace(new RegExp(`(.{1,${most}})(?: |$)`, "g"), "$1<br>").replace(/<br>$/, "");
}

/** @param {Figure} figure @param {number} height */
function layoutOf(figure, height) {
  const isNarrow = innerWidth < 640;
  // In a room the size is about that of the text: 3.9vh or 2.2vw in lesson.css.
  const size = isRoom() ? Math.min(innerHeight / 25.7, innerWidth / 45.7) : isNarrow ? 12 : 15;
  /** @type {Layout} */
  const layout = {
    ...figure.layout,
    height: Math.round(height),
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { ...figure.layout.font, color: colour("--ink"), size },
    legend: {
      ...figure.layout.legend,
      ...{ orientation: "h", yref: "container", y: 0, yanchor: "bottom" },
    },
    margin: { ...figure.layout.margin, t: figure.layout.annotations ? 2.5 * size : size },
    dragmode: isTouched ? false : "zoom", // a finger scrolls, or turns the step
  };
  for (const [name, axis] of Object.entries(figure.layout)) {
    if (/^[xy]axis\d*$/.test(name)) {
      const { title, ...more } = /** @type {Axis} */ (axis);
      const lines = { gridcolor: colour("--line"), zerolinecolor: colour("--line") };
      const apart = { automargin: true, ticklabelstandoff: Math.round(size / 2) };
      const [start, end] = more.domain ?? [0, 1];
      const length = (end - start) * (name.startsWith("x") ? 0.9 * innerWidth : 0.6 * height);
      const text = title?.text && wrapped(title.text, length, size);
      layout[name] = { ...apart, ...more, ...lines, title: { ...title, text, font: { size } } };
    }
  }
  for (const note of layout.annotations ?? []) {
    note.font = { ...note.font, size };
    if (note.showarrow !== false) note.bgcolor = colour("--paper"); // among points
    if (isNarrow) note.text = note.text.replace(": ", ":<br>");
  }
  return layout;
}

/** Enlarge marks and lines of a figure for a room. @param {Trace[]} traces */
function enlarge(traces) {
  for (const { line, marker } of traces) {
    if (line) line.width = LARGER * (line.width ?? 2);
    if (typeof marker?.size === "number") marker.size *= LARGER;
    else if (marker?.size) marker.sizeref = 1 / LARGER;
    if (typeof marker?.opacity === "number") marker.opacity = 0.9; // a projector is pale
  }
}

/** Let the letters of a question fill the screen of a room. @param {HTMLElement} screen */
function fill(screen) {
  screen.style.fontSize = "";
  if (!isRoom() || one(screen, ".answer[open]")) return;
  for (let size = MOST; size > 1; size -= 0.1) {
    screen.style.fontSize = `${size}em`;
    if (document.documentElement.scrollHeight <= innerHeight) return;
  }
  screen.style.fontSize = "";
}

/** Draw the picture of the open step; it fills what is left of the screen. */
function draw() {
  fill(screens[current]);
  const picture = /** @type {HTMLElement?} */ (
    document.querySelector(".screen.current .answer[open] .picture")
  );
  if (!picture) return;
  const source = document.getElementById(picture.dataset.figure ?? "");
  /** @type {Figure} */
  const figure = JSON.parse(source?.textContent ?? "{}");
  picture.querySelector(":scope > p")?.remove(); // the text for readers without JavaScript
  if (isRoom()) enlarge(figure.data);
  const top = picture.getBoundingClientRect().top + scrollY;
  const n = Object.keys(figure.layout).filter((name) => name.startsWith("xaxis")).length;
  const isRound = /** @type {Axis} */ (figure.layout.xaxis).visible === false; // spheres
  const most = isRound ? innerWidth / n + 80 : innerHeight;
  const rest = Math.min(most, innerHeight - bar.clientHeight - top - 8);
  Plotly.react(picture, figure.data, layoutOf(figure, Math.max(LEAST, rest)), {
    responsive: true,
    displaylogo: false,
    displayModeBar: isRoom() || isTouched ? false : "hover",
    toImageButtonOptions: { format: "svg" },
  });
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
      const [bar, count] = [element("span", "bar-of-hands"), element("span", "count")];
      const hands = element("span", "hands");
      hands.append(bar, count);
      label.append(hands);
      return { label, hands, bar, count, n: 0 };
    });
    this.summary = one(this.answer, "summary");
    for (const input of this.inputs) input.addEventListener("change", () => this.allow());
    this.summary.addEventListener("click", (event) => {
      if (!this.isAllowed()) event.preventDefault();
    });
    this.answer.addEventListener("toggle", () => this.reveal());
    const picture = one(section, ".picture");
    if (!isFramed) picture.after(offered(picture));
    this.allow(); // a reload keeps what was chosen
  }

  /** Whether the answer may be revealed: in a room, or once an answer is chosen. */
  isAllowed() {
    return isRoom() || this.inputs.some((input) => input.checked);
  }

  allow() {
    if (this.isAllowed()) this.summary.removeAttribute("aria-disabled");
    else this.summary.setAttribute("aria-disabled", "true");
  }

  /** Count hands for an answer. @param {number} answer @param {number} by */
  raise(answer, by) {
    const row = this.rows[answer];
    if (row) row.n = Math.max(0, row.n + by);
    const most = Math.max(1, ...this.rows.map(({ n }) => n));
    for (const { bar, count, n } of this.rows) {
      bar.style.width = `${(3 * n) / most}em`;
      count.textContent = n ? String(n) : "";
    }
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
    this.summary.textContent = isOpen ? "Hide the answer" : "Reveal";
    if (isOpen) this.judge();
    draw();
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

const screens = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".screen")]);
const steps = screens.map((screen) => (one(screen, "fieldset") ? new Step(screen) : null));
const n = screens.length - 2; // between the contents and what to remember
let current = 0;

/** Show one screen. @param {number} to */
function show(to) {
  current = Math.min(Math.max(to, 0), screens.length - 1);
  screens.forEach((screen, i) => {
    screen.classList.toggle("current", i === current);
  });
  const isStep = current > 0 && current <= n;
  one(bar, ".place").textContent = isStep ? `${current} of ${n}` : "";
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
    bar.querySelectorAll("[data-by]")
  ))
    button.disabled = !screens[current + Number(button.dataset.by)];
  if (!isFramed) history.replaceState(null, "", `#${screens[current].id}`);
  const step = steps[current];
  if (step && isAlone) step.answer.open = true;
  scrollTo(0, 0);
  draw();
}

/** Show the screen of a name, if there is one. @param {string} name */
function find(name) {
  const to = screens.findIndex(({ id }) => id === name);
  if (to >= 0) show(to);
}

/** Reveal the answer, or show the next screen. */
function turn() {
  const answer = steps[current]?.answer;
  if (answer && !answer.open) answer.open = true;
  else show(current + 1);
}

/** Enlarge the steps and fill the screen, or leave this view. @param {boolean} isOn */
function present(isOn) {
  document.body.classList.toggle("room", isOn);
  for (const step of steps) step?.allow();
  const button = one(bar, ".present");
  button.textContent = isOn ? "Leave" : "Present";
  button.blur(); // its outline would stay on the slide
  if (isOn)
    document.documentElement.requestFullscreen?.().catch(() => {}); // if it is allowed
  else if (document.fullscreenElement) document.exitFullscreen();
  show(Math.max(current, 1));
}

document.body.classList.add("steps");
document.documentElement.classList.toggle("alone", isAlone);
bar.hidden = false;
bar.addEventListener("click", ({ target }) => {
  const button = target instanceof Element && target.closest("button");
  if (!button) return;
  if (button.dataset.by) show(current + Number(button.dataset.by));
  else if (button.dataset.to) find(button.dataset.to);
  else present(!isRoom());
});
for (const link of document.querySelectorAll("a[href^='#']"))
  link.addEventListener("click", (event) => {
    event.preventDefault(); // in a frame the link would open the dashboard
    find(link.getAttribute("href")?.slice(1) ?? "");
  });

/* A remote turns the pages. A digit counts a hand for an answer; with Shift it removes one. */
const DIGIT = /^(?:Digit|Numpad)([1-9])$/;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const digit = isRoom() && DIGIT.exec(event.code);
  if (event.key === "PageDown" && current < screens.length - 1)
    turn(); // the last one scrolls
  else if (event.key === "PageUp") show(current - 1);
  else if (digit) steps[current]?.raise(Number(digit[1]) - 1, event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
});

/* A finger that moves mostly sideways turns the page too. */
const SWIPE = 60; // pixels
let [startX, startY] = [0, 0];
document.addEventListener("touchstart", ({ changedTouches: [touch] }) => {
  [startX, startY] = [touch.clientX, touch.clientY];
});
document.addEventListener("touchend", ({ changedTouches: [touch] }) => {
  const [dx, dy] = [touch.clientX - startX, touch.clientY - startY];
  if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) show(current - Math.sign(dx));
});

document.addEventListener("fullscreenchange", () => {
  if (isRoom() && !document.fullscreenElement) present(false); // by the key Escape
});
addEventListener("hashchange", () => find(location.hash.slice(1)));
addEventListener("resize", draw);
dark.addEventListener("change", draw);
const named = location.hash.slice(1);
show(screens.findIndex((screen) => screen.classList.contains("current")));
find(named);
if (isFramed) focus(); // so that the keys work at once
