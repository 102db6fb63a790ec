/* The whole picture: words that drift, charts with the step marked, and buttons to play it. */

import { button, make, sized } from "../shared/dom.js";
import { hosted } from "../shared/hosts.js";
import { Motion } from "../shared/motion.js";
import { readTheme } from "../shared/palette.js";
import { CHART_HEIGHT, chartsAcross, drawCharts } from "./charts.js";
import { Reel } from "./reel.js";
import { describe, Words } from "./words.js";

/** @import { Recording } from "./types" */

const FRAME_MS = 220;
const [WIDE, TALLEST] = [760, 560];
const N_CHARTS = 4;

/** What one component shows; it lives as long as its element. */
export class NewbornView {
  #motion = new Motion();
  #position = 0;
  #chosen = -1;
  #isPlaying = false;
  /** @type {Reel | null} */
  #reel = null;
  #words = make("canvas", {
    ...{ class: "words", tabindex: 0, role: "img" },
    onpointermove: (event) => this.#point(event),
    onpointerdown: (event) => this.#point(event),
    onpointerleave: () => this.#choose(-1),
    onkeydown: (event) => this.#press(event),
  });
  #charts = make("canvas", { class: "charts", role: "img" });
  #panes = make("div", { class: "panes" }, [this.#words, this.#charts]);
  #play = button("Play", "Play the training from where it is", () => this.#toggle());
  #back = button("Back", "One frame back", () => this.#go(Math.ceil(this.#position) - 1));
  #forward = button("Forward", "One frame on", () =>
    this.#go(Math.floor(this.#position + 1e-6) + 1),
  );
  #slider = make("input", {
    ...{ type: "range", min: 0, step: 1, "aria-label": "Frame of the training" },
    oninput: () => this.#go(Number(this.#slider.value)),
  });
  #text = make("output");
  #watcher = new ResizeObserver(() => this.draw());

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const controls = [this.#play, this.#back, this.#forward, this.#slider, this.#text];
    root.replaceChildren(make("div", { class: "row" }, controls), this.#panes);
    this.#watcher.observe(root);
  }

  get #last() {
    return this.#reel?.last ?? 0;
  }

  /** Play a recording once; each rerun of the page sends it again. @param {Recording} recording */
  load(recording) {
    if (this.#reel) return;
    this.#reel = new Reel(recording);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.#position = this.#last;
    else this.#toggle();
    this.draw();
  }

  #toggle() {
    if (this.#isPlaying) return this.#go(this.#position);
    if (this.#position >= this.#last) this.#position = 0;
    const show = (/** @type {number} */ position) => {
      this.#position = position;
      this.draw();
    };
    const duration = FRAME_MS * (this.#last - this.#position);
    this.#motion.start(this.#position, this.#last, duration, show, () => {
      this.#isPlaying = false;
      this.draw();
    });
    this.#isPlaying = true;
    this.draw();
  }

  /** Stop and show a frame. @param {number} position */
  #go(position) {
    this.#motion.stop();
    this.#isPlaying = false;
    this.#position = Math.max(0, Math.min(this.#last, position));
    this.draw();
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
    const words = new Words(this.#words, readTheme(this.root), this.#reel, this.#position);
    this.#choose(words.nearest(offsetX, offsetY));
  }

  /** @param {number} row */
  #choose(row) {
    if (row === this.#chosen) return;
    this.#chosen = row;
    this.draw();
  }

  get place() {
    return Math.round(this.#position);
  }

  set place(position) {
    this.#go(position);
  }

  get parts() {
    return [this.#panes];
  }

  draw() {
    const [reel, width] = [this.#reel, this.root.clientWidth];
    if (!reel || !width) return;
    const isWide = width > WIDE;
    const half = isWide ? Math.floor((width - 24) / 2) : width;
    const height = CHART_HEIGHT * (N_CHARTS / chartsAcross(half));
    sized(this.#words, half, isWide ? height : Math.min(TALLEST, 1.15 * width));
    sized(this.#charts, half, height);
    const theme = readTheme(this.root);
    const step = reel.step(this.#position);
    new Words(this.#words, theme, reel, this.#position).draw(this.#chosen);
    drawCharts(this.#charts, theme, reel, step);
    this.#tell(reel, Math.round(step));
  }

  /** @param {Reel} reel @param {number} step */
  #tell(reel, step) {
    const { mean_cosine, loss } = reel.frame(this.#position);
    const chosen = this.#chosen < 0 ? "" : `; ${describe(reel, this.#chosen)}`;
    const cosine = `mean cosine of two words ${mean_cosine.toFixed(2)}`;
    const both = `${cosine}, loss ${loss.toFixed(2)} nats`;
    this.#play.textContent = this.#isPlaying ? "Pause" : "Play";
    this.#slider.max = String(reel.last);
    this.#slider.value = String(Math.round(this.#position));
    this.#back.disabled = this.#position <= 0;
    this.#forward.disabled = this.#position >= reel.last;
    this.#play.disabled = reel.last < 1;
    this.#text.textContent = `step ${step}: ${both}`;
    this.#words.ariaLabel = `Words after ${step} steps of training: ${cosine}${chosen}`;
    this.#charts.ariaLabel = `Measures up to step ${reel.frames[reel.last].step}; ${both}`;
    Object.assign(this.root.dataset, { frames: reel.frames.length, position: this.#position });
  }

  close() {
    this.#motion.stop();
    this.#watcher.disconnect();
  }
}

export default hosted({
  name: "newborn",
  show: (root) => new NewbornView(root),
  state: "report",
});
