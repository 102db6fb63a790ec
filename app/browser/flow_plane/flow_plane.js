/* A flow on the plane that the browser trains. The left square has the data, the right one the same
   points on their way through the layers. Below them one layer is opened. */

import { ARROWS } from "../shared/arrows.js";
import { contextOf, make, sized } from "../shared/dom.js";
import { hosted } from "../shared/hosts.js";
import { Motion } from "../shared/motion.js";
import { css, readTheme, shade } from "../shared/palette.js";
import { DEFAULT, readChoice, recipeOf, writeChoice } from "./choice.js";
import { Controls, openedAt, SPEEDS } from "./controls.js";
import { Model } from "./model.js";
import { Opened } from "./opened.js";
import { drawPicture, layOut, panesOf } from "./picture.js";

/** @import { Send, Theme } from "../shared/types" */
/** @import { Choice, Source } from "./types" */

const OPENING_STEPS = 1_200;
const STILL_STEPS = 100;
/** Most milliseconds of training per frame, so that no frame is late. */
const BUDGET_MS = 10;
const REACH_PX = 14;
const STEPS_ACROSS = 40;
const AGE = 3;
const TEXT =
  "Left: the data, the flow's density p(x) in grey, and the grid of the latent space mapped back. " +
  "Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 " +
  "standard deviations. Drag a point on either side: it moves through the whole map.";
const DRAW =
  "Drag over the left square to scatter points; or move with the arrow keys and press Space.";
const LABEL =
  "the data with the flow's density, and the points after the layers. Arrow keys move the marked point.";

/** What one component shows; it lives as long as its element. */
export class FlowPlane {
  #model = new Model(DEFAULT);
  #motion = new Motion();
  #layer = this.#model.nLayers;
  #frame = 0;
  #drawnAt = 0;
  #isTraining = true;
  /** The number of due steps, and when it was last computed. */
  #due = { steps: 0, at: Infinity };
  /** The step at which the training pauses without a press. */
  #goal = OPENING_STEPS;
  /** Whether the visitor has done anything since the flow was shown. */
  #isTouched = false;
  /** The pane of a pressed pointer, or -1. */
  #held = -1;
  /** @type {Theme | null} */
  #theme = null;
  /** @type {Send} */
  #send = () => {};
  #note = make("p", { role: "status" });
  #recipe = make("p", { class: "recipe" });
  #opened = new Opened();
  #watcher = new ResizeObserver(() => this.redraw());
  #canvas = make("canvas", {
    tabindex: 0,
    role: "application",
    onpointerdown: (event) => this.#hold(event),
    onpointermove: (event) => this.#touch(event, false),
    onpointerup: () => this.#release(),
    onpointercancel: () => this.#release(),
    onkeydown: (event) => this.#press(event),
  });

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.controls = new Controls(this);
    root.replaceChildren(
      ...[this.#canvas, this.#note, this.controls.element, this.#opened.element, this.#recipe],
      make("p", { text: TEXT }),
    );
    for (const kind of ["pointerdown", "keydown"])
      root.addEventListener(kind, () => {
        this.#isTouched = true;
      });
    this.#watcher.observe(root);
  }

  /** Show the choice in the address, in the page's theme. @param {{ choice: string | null }} data @param {Send} send */
  load({ choice: text }, send) {
    this.#send = send;
    this.#theme = readTheme(this.root);
    if (text !== null && text !== writeChoice(this.#model.choice)) {
      const choice = readChoice(text);
      if (choice) this.#replace(choice);
      else
        this.#note.textContent = `plane=${text} in the address is not a flow, so the default flow is shown.`;
    }
    this.redraw();
  }

  /** Change some of the choices. @param {Partial<Choice>} change */
  choose(change) {
    this.#replace({ ...this.#model.choice, ...change });
    this.#send(writeChoice(this.#model.choice));
  }

  /** Show a different flow, before any training. @param {Choice} choice */
  #replace(choice) {
    this.#model = new Model(choice);
    this.#note.textContent = this.#model.isDrawn ? DRAW : "";
    this.restart();
  }

  /** Start the fit again. */
  restart() {
    this.#model.restart();
    this.rest(this.#model.nLayers);
    this.train(this.#model.fit !== null);
    this.#goal = OPENING_STEPS;
    this.#isTouched = false;
  }

  /** Show the data, or draws from the base. @param {Source} source */
  follow(source) {
    this.#model.follow(source);
    this.redraw();
  }

  /** Start or pause the training. */
  train(isTraining = !this.#isTraining) {
    this.#isTraining = isTraining;
    this.#goal = Infinity;
    this.#due = { steps: 0, at: Infinity };
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

  /** Move by some layers. @param {number} by */
  stepLayer(by) {
    this.#play(this.#layer, Math.round(this.#layer) + by);
  }

  /** Play one layer. @param {number} index */
  open(index) {
    this.#play(index, index + 1);
  }

  /** Play to one end; if the picture is there already, start from the other end. @param {"data" | "latent"} end */
  playTo(end) {
    const { nLayers } = this.#model;
    const goal = end === "data" ? 0 : nLayers;
    this.#play(this.#layer === goal ? nLayers - goal : this.#layer, goal);
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
    const context = contextOf(this.#canvas);
    return panesOf(context, this.root.clientWidth, theme, this.#model, this.#layer);
  }

  /** @param {PointerEvent} event */
  #hold(event) {
    const { offsetX, offsetY, pointerId } = event;
    this.#held = this.#panes().findIndex((pane) => pane.holds(offsetX, offsetY));
    if (this.#held < 0) return;
    event.preventDefault();
    this.#canvas.focus({ preventScroll: true });
    this.#canvas.setPointerCapture(pointerId);
    this.#touch(event, true);
  }

  /** Scatter points, or move the point under the lens, which a press chooses. @param {PointerEvent} event @param {boolean} isPress */
  #touch({ offsetX, offsetY }, isPress) {
    if (this.#held < 0) return;
    const [model, pane] = [this.#model, this.#panes()[this.#held]];
    const place = pane.place(offsetX, offsetY);
    if (model.isDrawn && this.#held === 0) model.scatter(place);
    else if (model.fit) {
      if (this.#held === 1) this.rest(Math.round(this.#layer));
      const layer = this.#held === 1 ? this.#layer : 0;
      if (isPress) model.pick(place, layer, (REACH_PX * 2 * pane.square[2]) / pane.plot.w);
      else model.moveTo(place, layer);
    }
    this.redraw();
  }

  #release() {
    this.#held = -1;
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
    const [x, y] = this.#model.place;
    const step = (2 * this.#model.box[2]) / STEPS_ACROSS;
    if (way) this.#model.moveTo([x + way[0] * step, y + way[1] * step], 0);
    else {
      this.#model.scatter([x, y]);
      this.#release();
    }
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
    this.draw();
    if (this.#isTraining) this.redraw();
  };

  /** Take as many steps as the time since the last frame asks for. @param {number} now */
  #advance(now) {
    const model = this.#model;
    let steps =
      this.#due.steps + Math.min(0.1, Math.max(0, (now - this.#due.at) / 1000)) * this.#speed[1];
    for (const end = performance.now() + BUDGET_MS; steps >= 1; steps--) {
      model.step();
      if (performance.now() >= end) steps = Math.min(steps, 1);
    }
    this.#due = { steps, at: now };
    if (!model.fit || model.fit.isBroken) this.train(false);
    else if (model.fit.steps >= this.#goal) {
      this.train(false);
      if (!this.#isTouched) this.#play(model.nLayers, 0, () => this.#play(0, model.nLayers));
    }
  }

  get parts() {
    return [this.#canvas];
  }

  draw() {
    const [model, theme, width] = [this.#model, this.#theme, this.root.clientWidth];
    if (!theme || !width) return;
    const steps = model.fit?.steps ?? 0;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const isEarly = steps > this.#drawnAt && steps < this.#drawnAt + STILL_STEPS;
    if (isStill && this.#isTraining && isEarly) return;
    this.#drawnAt = steps;
    sized(this.#canvas, width, layOut(width).height);
    drawPicture(this.#panes(), model, {
      layer: this.#layer,
      age: this.#isTraining ? AGE : 1,
      colours: model.shares.map((share) => css(shade(share, theme.dark))),
      hasGrid: this.controls.grid.checked,
    });
    this.controls.show(model, this.#layer, this.#isTraining);
    this.#opened.element.hidden = !model.fit;
    if (model.fit) this.#opened.show(model, openedAt(this.#layer), theme);
    this.#recipe.textContent = recipeOf(model.choice, model.points.length / 2);
    this.#canvas.ariaLabel = `Step ${steps}: ${LABEL}`;
    this.root.dataset.steps = String(steps);
  }

  close() {
    this.#motion.stop();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#watcher.disconnect();
  }
}

export default hosted({
  name: "flow-plane",
  show: (root) => new FlowPlane(root),
  state: "choice",
  file: {
    data: () => ({ choice: decodeURIComponent(location.hash.slice(1)) || null }),
    told: (choice) => location.replace(`#${choice}`),
  },
  cell: {
    trait: "choice",
    data: (value) => ({ choice: /** @type {string | null} */ (value) }),
    traits: (choice) => ({ choice }),
  },
});
