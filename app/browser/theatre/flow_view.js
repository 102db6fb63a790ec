/* A flow on the plane that the browser trains: the data on the left, on the right the same points on
   their way through the layers, below it one layer opened. */

import { ARROWS } from "../shared/arrows.js";
import { make } from "../shared/dom.js";
import { Motion } from "../shared/motion.js";
import { css, readTheme, shade } from "../shared/palette.js";
import { DEFAULT, readChoice, recipeOf, writeChoice } from "./choice.js";
import { Controls, openedAt, SPEEDS } from "./controls.js";
import { Model } from "./model.js";
import { Opened } from "./opened.js";
import { drawPicture, panesOf } from "./picture.js";
import { isWithin, sharesAcross } from "./places.js";
import { Ticker } from "./ticker.js";

/** @import { Send, Theme } from "../shared/types" */
/** @import { Choice, Place } from "./types" */

const OPENING_STEPS = 1_200;
const STILL_STEPS = 100;
const REACH_PX = 14;
const STEPS_ACROSS = 40;
const AGE = 3;
const TEXT =
  "Left: the data, the flow's density p(x) in grey, and the grid of the latent space mapped back. " +
  "Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 " +
  "standard deviations. Drag a point on either side: it moves through the whole map.";
const DRAW =
  "Drag over the left square to scatter points; or move with the arrow keys and press Space.";

/** What one component shows; it lives as long as its element. */
export class FlowView {
  #model = new Model(DEFAULT);
  #motion = new Motion();
  #ticker = new Ticker();
  #layer = this.#model.nLayers;
  #frame = 0;
  #drawnAt = 0;
  #isTraining = true;
  /** The step at which the training rests by itself. */
  #goal = OPENING_STEPS;
  /** Whether the visitor has done anything since the flow was shown. */
  #isTouched = false;
  /** The pane that a pointer holds. @type {0 | 1 | null} */
  #held = null;
  /** @type {string[]} */
  #colours = [];
  /** @type {Theme | null} */
  #theme = null;
  /** @type {Send} */
  #send = () => {};
  #note = make("p", { role: "status" });
  #recipe = make("p", { class: "recipe" });
  opened = new Opened();

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.canvas = make("canvas", {
      tabindex: 0,
      role: "application",
      onpointerdown: (event) => this.#hold(event),
      onpointermove: (event) => this.#drag(event),
      onpointerup: () => this.#release(),
      onpointercancel: () => this.#release(),
      onkeydown: (event) => this.#press(event),
    });
    this.controls = new Controls(this);
    const { controls, opened } = this;
    root.replaceChildren(
      ...[this.canvas, this.#note, controls.element, opened.element, this.#recipe],
      make("p", { text: TEXT }),
    );
    for (const kind of ["pointerdown", "keydown"])
      root.addEventListener(kind, () => {
        this.#isTouched = true;
      });
    this.watcher = new ResizeObserver(() => this.redraw());
    this.watcher.observe(root);
  }

  /** Take up the choice of the address and the theme of the page. @param {{ choice: string | null }} data @param {Send} send */
  load({ choice: text }, send) {
    this.#send = send;
    this.#theme = readTheme(this.root);
    if (text !== null && text !== writeChoice(this.#model.choice)) {
      const choice = readChoice(text);
      if (choice) this.#replace(choice);
      else
        this.#note.textContent = `plane=${text} in the address is no flow: the usual one is shown.`;
    }
    this.#recolour();
    this.redraw();
  }

  /** Show another choice. @param {Partial<Choice>} change */
  choose(change) {
    this.#replace({ ...this.#model.choice, ...change });
    this.#send(writeChoice(this.#model.choice));
  }

  /** Show another flow, from its start. @param {Choice} choice */
  #replace(choice) {
    this.#model = new Model(choice);
    this.#note.textContent = this.#model.isDrawn ? DRAW : "";
    this.restart();
    this.#recolour();
  }

  /** Begin the fit anew. */
  restart() {
    this.#model.restart();
    this.rest(this.#model.nLayers);
    this.train(this.#model.fit !== null);
    this.#goal = OPENING_STEPS;
    this.#isTouched = false;
  }

  /** Follow the data, or draws of the base. @param {"data" | "draws"} source */
  follow(source) {
    this.#model.follow(source);
    this.#recolour();
    this.redraw();
  }

  #recolour() {
    const isDark = this.#theme?.dark ?? false;
    const shares = [...sharesAcross(this.#model.colouredBy)];
    this.#colours = shares.map((share) => css(shade(share, isDark)));
  }

  /** Train, or rest. */
  train(isTraining = !this.#isTraining) {
    this.#isTraining = isTraining;
    this.#goal = Infinity;
    this.#ticker.rest();
    this.redraw();
  }

  /** Take one step. */
  step() {
    this.train(false);
    this.#model.step();
  }

  get #speed() {
    return SPEEDS[this.controls.speed.value];
  }

  /** @param {number} from @param {number} goal */
  #play(from, goal, then = () => {}) {
    const end = Math.min(this.#model.nLayers, Math.max(0, goal));
    const duration = Math.abs(end - from) * this.#speed[2] * 1000;
    this.#motion.start(from, end, duration, this.#moveTo, then);
  }

  /** Go some layers on. @param {number} by */
  stepLayer(by) {
    this.#play(this.#layer, Math.round(this.#layer) + by);
  }

  /** Play one layer. @param {number} index */
  open(index) {
    this.#play(index, index + 1);
  }

  /** Play from where it stands, or from the other end where it is there already. @param {number} goal */
  playTo(goal) {
    const end = Math.min(this.#model.nLayers, goal);
    this.#play(this.#layer === end ? this.#model.nLayers - end : this.#layer, end);
  }

  /** @param {number} layer */
  #moveTo = (layer) => {
    this.#layer = layer;
    this.redraw();
  };

  /** Stay at a layer. @param {number} layer */
  rest(layer) {
    this.#motion.stop();
    this.#moveTo(layer);
  }

  #panes() {
    const theme = /** @type {Theme} */ (this.#theme);
    return panesOf(this.canvas, this.root, theme, this.#model, this.#layer);
  }

  /** @param {PointerEvent} event */
  #hold(event) {
    const panes = this.#panes();
    const found = panes.findIndex((pane) => isWithin(pane.place(...at(event)), pane.square));
    if (found < 0) return;
    event.preventDefault();
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this.#held = found === 0 ? 0 : 1;
    const pane = panes[found];
    const reach = (REACH_PX * 2 * pane.square[2]) / pane.plot.w;
    if (this.#model.isDrawn && found === 0) this.#scatter(pane.place(...at(event)));
    else if (this.#model.fit) {
      if (found === 1) this.rest(Math.round(this.#layer));
      this.#model.pick(pane.place(...at(event)), this.#heldLayer, reach);
    }
    this.#recolour();
    this.redraw();
  }

  /** @param {Place} place */
  #scatter(place) {
    this.#model.scatter(place);
    this.#recolour();
  }

  get #heldLayer() {
    return this.#held === 0 ? 0 : Math.round(this.#layer);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    if (this.#held === null) return;
    const place = this.#panes()[this.#held].place(...at(event));
    if (this.#model.isDrawn && this.#held === 0) {
      this.#scatter(place);
    } else if (this.#model.fit) this.#model.moveTo(place, this.#heldLayer);
    this.redraw();
  }

  #release() {
    this.#held = null;
    if (this.#model.isDrawn && !this.#model.fit) this.restart();
    if (this.#model.fit) this.#note.textContent = "";
    this.redraw();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const way = ARROWS[event.key];
    const isDrop = event.key === " " && this.#model.isDrawn;
    if (!way && !isDrop) return;
    event.preventDefault();
    if (!way) {
      this.#scatter(this.#model.place);
      this.#release();
      return;
    }
    const [x, y] = this.#model.place;
    const step = (2 * this.#model.box[2]) / STEPS_ACROSS;
    this.#model.moveTo([x + way[0] * step, y + way[1] * step], 0);
    this.redraw();
  }

  /** Draw with the next frame. */
  redraw() {
    if (!this.#frame) this.#frame = requestAnimationFrame(this.#tick);
  }

  /** @param {number} now */
  #tick = (now) => {
    this.#frame = 0;
    if (this.#isTraining) this.#advance(now);
    this.#draw();
    if (this.#isTraining) this.redraw();
  };

  /** @param {number} now */
  #advance(now) {
    const { fit } = this.#model;
    this.#ticker.run(now, this.#speed[1], () => this.#model.step());
    if (!fit || fit.isBroken) this.train(false);
    else if (fit.steps >= this.#goal) {
      this.train(false);
      const end = this.#model.nLayers;
      if (!this.#isTouched) this.#play(end, 0, () => this.#play(0, end));
    }
  }

  #draw() {
    if (!this.#theme || !this.root.clientWidth) return;
    const steps = this.#model.fit?.steps ?? 0;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const isEarly = steps > this.#drawnAt && steps < this.#drawnAt + STILL_STEPS;
    if (isStill && this.#isTraining && isEarly) return;
    this.#drawnAt = steps;
    drawPicture(this.canvas, this.root, this.#panes(), this.#model, {
      layer: this.#layer,
      age: this.#isTraining ? AGE : 1,
      colours: this.#colours,
      hasGrid: this.controls.grid.checked,
    });
    this.#showNumbers(steps);
  }

  /** @param {number} steps */
  #showNumbers(steps) {
    const { choice, fit, points } = this.#model;
    this.controls.show(this.#model, this.#layer, this.#isTraining);
    this.opened.element.hidden = !fit;
    if (fit)
      this.opened.show(this.#model, openedAt(this.#layer), /** @type {Theme} */ (this.#theme));
    this.#recipe.textContent = recipeOf(choice, points.length / 2);
    this.canvas.ariaLabel = `Step ${steps}: the data with the flow's density, and the points after the layers. Arrow keys move the marked point.`;
    this.root.dataset.steps = String(steps);
  }

  close() {
    this.#motion.stop();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.watcher.disconnect();
  }
}

/** @param {PointerEvent} event @returns {Place} */
function at({ offsetX, offsetY }) {
  return [offsetX, offsetY];
}
