/* The live picture: the data's space on the left, on the right the same points through the layers. */

import { ARROWS } from "../shared/arrows.js";
import { make } from "../shared/dom.js";
import { Controls } from "./controls.js";
import { Frames } from "./frames.js";
import { Motion } from "./motion.js";
import { parsePayload } from "./payload.js";
import { drawPicture, panesOf } from "./picture.js";
import { isWithin, sharesAcross } from "./places.js";

/** @import { Send } from "../shared/types" */
/** @import { Layers, Payload, Place } from "./types" */

const CATCH_UP_MS = 400;
const FIT_MS = 6_000;
const LAYER_MS = 600;
const STEPS_ACROSS = 40;
const TEXT =
  "Left: the data, the flow's density p(x) in grey, and the grid of the latent space mapped back. " +
  "Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 " +
  "standard deviations. Click a place on the left to see its terms.";

/** What one component shows; it lives as long as its element. */
export class FlowView {
  #frames = new Frames();
  #motion = new Motion();
  #position = 0;
  #layer = 0;
  #asked = 0;
  #shares = new Float32Array();
  /** @type {Payload | null} */
  #payload = null;
  /** @type {Layers | null} */
  #layers = null;
  /** @type {Place | null} */
  #at = null;
  /** @type {Send} */
  #send = () => {};

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.canvas = make("canvas", {
      tabindex: 0,
      role: "img",
      onclick: (event) => this.#click(event),
      onkeydown: (event) => this.#press(event),
    });
    this.controls = new Controls({
      playFit: () => this.#playFit(),
      scrub: (state) => this.#showState(state),
      rest: () => this.#tell(),
      stepLayer: (by) => this.#stepLayer(by),
      playLayers: () => this.#playLayers(),
      setLayer: (layer) => this.#showLayer(layer),
      redraw: () => this.#draw(),
    });
    root.replaceChildren(make("p", { text: TEXT }), this.canvas, this.controls.element);
    this.watcher = new ResizeObserver(() => this.#draw());
    this.watcher.observe(root);
  }

  /** Take up what the server sent. @param {Uint8Array} data @param {Send} send */
  load(data, send) {
    const payload = parsePayload(data);
    const isNew = payload.run !== this.#frames.run || this.#frames.last < 0;
    const wasLive = this.#payload?.is_live;
    [this.#payload, this.#send] = [payload, send];
    if (isNew) [this.#position, this.#at, this.#layers] = [0, payload.at, null];
    this.#shares = sharesAcross(payload.points);
    // Streamlit shows only the newest of two payloads that come at once.
    if (this.#frames.add(payload)) {
      this.#asked += 1;
      this.#tell();
      return;
    }
    if (payload.layers) this.#takeLayers(payload.layers);
    if (isNew && payload.layers) this.#position = payload.layers.state;
    else if (isNew || payload.is_live || wasLive) this.#follow();
    this.#draw();
  }

  /** @param {Layers} layers */
  #takeLayers(layers) {
    if (!this.#layers) this.#layer = layers.names.length;
    this.#layers = layers;
  }

  /** Layers belong to one state: while another one is shown, only its latent space is known. */
  get #shownLayers() {
    return this.#layers?.state === this.#position ? this.#layers : null;
  }

  /** @param {number} position */
  #moveTo = (position) => {
    this.#position = position;
    this.#draw();
  };

  /** @param {number} layer */
  #moveToLayer = (layer) => {
    this.#layer = layer;
    this.#draw();
  };

  #follow() {
    const { last } = this.#frames;
    if (this.#position === last) return;
    this.#motion.start(this.#position, last, CATCH_UP_MS, this.#moveTo);
  }

  #playFit() {
    this.#position = 0;
    this.#motion.start(0, this.#frames.last, FIT_MS, this.#moveTo, () => this.#tell());
  }

  /** @param {number} state */
  #showState(state) {
    this.#motion.stop();
    this.#moveTo(state);
  }

  /** Tell the server which state is shown, and where: it answers with layers and terms. */
  #tell() {
    this.#send({
      run: this.#frames.run,
      state: this.#payload?.is_live ? null : Math.round(this.#position),
      at: this.#at,
      asked: this.#asked,
      from: this.#frames.states.length,
    });
  }

  get #nLayers() {
    return this.#layers?.names.length ?? 0;
  }

  /** @param {number} by */
  #stepLayer(by) {
    const goal = Math.min(this.#nLayers, Math.max(0, Math.round(this.#layer) + by));
    this.#motion.start(this.#layer, goal, LAYER_MS, this.#moveToLayer);
  }

  #playLayers() {
    const n = this.#nLayers;
    this.#motion.start(0, n, n * LAYER_MS, this.#moveToLayer);
  }

  /** @param {number} layer */
  #showLayer(layer) {
    this.#motion.stop();
    this.#moveToLayer(layer);
  }

  /** @param {MouseEvent} event */
  #click({ offsetX, offsetY }) {
    if (!this.#payload) return;
    this.#pick(this.#panes(this.#payload)[0].place(offsetX, offsetY));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const way = ARROWS[event.key];
    if (!way || !this.#payload) return;
    event.preventDefault();
    const [cx, cy, half] = this.#payload.box;
    const [x, y] = this.#at ?? [cx, cy];
    const step = (2 * half) / STEPS_ACROSS;
    this.#pick([x + way[0] * step, y + way[1] * step]);
  }

  /** @param {Place} place */
  #pick(place) {
    if (!this.#payload || !isWithin(place, this.#payload.box)) return;
    this.#at = place;
    this.#draw();
    this.#tell();
  }

  #draw() {
    if (!this.#payload || !this.#frames.states.length || !this.root.clientWidth) return;
    const state = this.#frames.at(this.#position);
    const layers = this.#shownLayers;
    const standing = { state, layers, layer: this.#layer };
    drawPicture(this.canvas, this.#panes(this.#payload), {
      ...standing,
      payload: this.#payload,
      shares: this.#shares,
      at: this.#at,
      hasGrid: this.controls.grid.checked,
    });
    this.controls.show({
      ...standing,
      position: this.#position,
      last: this.#frames.last,
      isLive: this.#payload.is_live,
    });
    this.canvas.ariaLabel = `Step ${state.step}: the data with the flow's density, and the points in the latent space`;
    this.root.dataset.states = String(this.#frames.states.length);
  }

  /** @param {Payload} payload */
  #panes({ box }) {
    return panesOf(this.canvas, this.root, box);
  }

  close() {
    this.#motion.stop();
    this.watcher.disconnect();
  }
}
