/* The whole picture: words that drift, charts with the step marked, and buttons to play it. */

import { sized } from "../shared/canvas.js";
import { button, make } from "../shared/dom.js";
import { Motion } from "../shared/motion.js";
import { readTheme } from "../shared/palette.js";
import { CHART_HEIGHT, chartsAcross, drawCharts } from "./charts.js";
import { Reel } from "./reel.js";
import { describe, Words } from "./words.js";

/** @import { Payload } from "./types" */

const FRAME_MS = 220;
const CATCH_UP_MS = 400;
const [WIDE, TALLEST] = [760, 560];
const N_CHARTS = 4;

/** What one component shows; it lives as long as its element. */
export class NewbornView {
  #motion = new Motion();
  #position = 0;
  #chosen = -1;
  #isPlaying = false;
  #run = "";
  #isLive = false;
  /** @type {Reel | null} */
  #reel = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.words = make("canvas", {
      class: "words",
      tabindex: 0,
      role: "img",
      onpointermove: (event) => this.#point(event),
      onpointerdown: (event) => this.#point(event),
      onpointerleave: () => this.#choose(-1),
      onkeydown: (event) => this.#press(event),
    });
    this.charts = make("canvas", { class: "charts", role: "img" });
    this.play = button("Play", "Play the training from where it is", () => this.#toggle());
    this.back = button("Back", "One frame back", () => this.#go(Math.ceil(this.#position) - 1));
    this.forward = button("Forward", "One frame on", () =>
      this.#go(Math.floor(this.#position + 1e-6) + 1),
    );
    this.slider = make("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": "Frame of the training",
      oninput: () => this.#go(Number(this.slider.value)),
    });
    this.text = make("output");
    const controls = [this.play, this.back, this.forward, this.slider, this.text];
    root.replaceChildren(
      make("div", { class: "row" }, controls),
      make("div", { class: "panes" }, [this.words, this.charts]),
    );
    this.watcher = new ResizeObserver(() => this.#draw());
    this.watcher.observe(root);
  }

  /** Take up what the server sent. @param {Payload} data */
  load({ run, is_live, recording }) {
    const isNew = run !== this.#run;
    const grows = is_live || this.#isLive;
    [this.#run, this.#isLive] = [run, is_live];
    if (isNew || grows) this.#reel = new Reel(recording);
    if (isNew) [this.#position, this.#chosen] = [0, -1];
    if (grows) this.#move(this.#reel?.last ?? 0, CATCH_UP_MS);
    else if (isNew) this.#open();
    this.#draw();
  }

  /** Play at once, or show the end to who wants less motion. */
  #open() {
    const { last } = this.#reel ?? { last: 0 };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.#position = last;
    else this.#toggle();
  }

  #toggle() {
    const { last } = this.#reel ?? { last: 0 };
    if (this.#isPlaying) return this.#go(this.#position);
    if (this.#position >= last) this.#position = 0;
    this.#move(last, FRAME_MS * (last - this.#position));
    this.#isPlaying = true;
    this.#draw();
  }

  /** @param {number} goal @param {number} duration */
  #move(goal, duration) {
    const show = (/** @type {number} */ position) => {
      this.#position = position;
      this.#draw();
    };
    this.#motion.start(this.#position, goal, duration, show, () => {
      this.#isPlaying = false;
      this.#draw();
    });
  }

  /** Stop and show a frame. @param {number} position */
  #go(position) {
    this.#motion.stop();
    this.#isPlaying = false;
    this.#position = Math.max(0, Math.min(this.#reel?.last ?? 0, position));
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#go(Math.round(this.#position) + by);
  }

  /** @param {PointerEvent} event */
  #point({ offsetX, offsetY }) {
    if (!this.#reel) return;
    const words = new Words(this.words, readTheme(this.root), this.#reel);
    this.#choose(words.nearest(offsetX, offsetY, this.#position));
  }

  /** @param {number} row */
  #choose(row) {
    if (row === this.#chosen) return;
    this.#chosen = row;
    this.#draw();
  }

  #draw() {
    const reel = this.#reel;
    if (!reel || !this.root.clientWidth) return;
    this.#layOut();
    const theme = readTheme(this.root);
    new Words(this.words, theme, reel).draw(this.#position, this.#chosen);
    const steps = reel.frames.map(({ step }) => step);
    const step = reel.step(this.#position);
    drawCharts(this.charts, theme, reel.charts(), steps, step);
    this.#tell(reel, step);
  }

  /** Give both canvases their sizes, which clears them. */
  #layOut() {
    const width = this.root.clientWidth;
    const isWide = width > WIDE;
    const half = isWide ? Math.floor((width - 24) / 2) : width;
    const charts = CHART_HEIGHT * (N_CHARTS / chartsAcross(half));
    sized(this.words, half, isWide ? charts : Math.min(TALLEST, 1.15 * width));
    sized(this.charts, half, charts);
  }

  /** @param {Reel} reel @param {number} step */
  #tell(reel, step) {
    const { mean_cosine, loss } = reel.frame(this.#position);
    const chosen = this.#chosen < 0 ? "" : `; ${describe(reel, this.#chosen)}`;
    this.play.textContent = this.#isPlaying ? "Pause" : "Play";
    this.slider.max = String(reel.last);
    this.slider.value = String(Math.round(this.#position));
    this.back.disabled = this.#position <= 0;
    this.forward.disabled = this.#position >= reel.last;
    this.play.disabled = this.#isLive || reel.last < 1;
    const cosine = `mean cosine of two words ${mean_cosine.toFixed(2)}`;
    this.text.textContent = `step ${Math.round(step)}: ${cosine}, loss ${loss.toFixed(2)} nats`;
    this.words.ariaLabel = `Words after ${Math.round(step)} steps of training: ${cosine}${chosen}`;
    this.charts.ariaLabel = `Measures up to step ${reel.frames[reel.last].step}; ${cosine}, loss ${loss.toFixed(2)} nats`;
    this.root.dataset.frames = String(reel.frames.length);
    this.root.dataset.position = String(this.#position);
  }

  close() {
    this.#motion.stop();
    this.watcher.disconnect();
  }
}
