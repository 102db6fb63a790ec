/* The live picture: the data's space on the left, on the right the same points through the layers. */

import { Controls } from "./controls.js";
import { make } from "../shared/dom.js";
import { Film, between } from "./film.js";
import { parseMessage } from "./message.js";
import { readTheme } from "../shared/palette.js";
import { Pane } from "./pane.js";

const CATCH_UP_MS = 400;
const FIT_MS = 6_000;
const LAYER_MS = 600;
const [LEFT, GAP, BELOW, WIDEST] = [34, 48, 22, 460];
const LEAST_HALF = 3.3;

/** What one component shows; it lives as long as its element. */
export class Theatre {
  film = new Film();
  message = null;
  layers = null;
  position = 0;
  layer = 0;
  at = null;
  asked = 0;
  motion = null;

  constructor(root) {
    this.root = root;
    this.canvas = make("canvas", {
      tabindex: 0,
      role: "img",
      onclick: (event) => this.click(event),
      onkeydown: (event) => this.key(event),
    });
    const call =
      (name) =>
      (...values) =>
        this[name](...values);
    this.controls = new Controls(
      Object.fromEntries(
        ["playFit", "scrub", "rest", "stepLayer", "playLayers", "setLayer", "redraw"].map(
          (name) => [name, call(name)],
        ),
      ),
    );
    root.replaceChildren(
      make("p", {
        text: "Left: the data, the flow's density p(x) in grey, and the grid of the latent space mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard deviations. Click a place on the left to see its terms.",
      }),
      this.canvas,
      this.controls.element,
    );
    this.watcher = new ResizeObserver(() => this.redraw());
    this.watcher.observe(root);
  }

  /** Take up what the server sent. */
  load(data, report) {
    const message = parseMessage(data);
    const isNew = message.run !== this.film.run || this.film.last < 0;
    const wasLive = this.message?.is_live;
    [this.message, this.send] = [message, report];
    if (isNew) [this.position, this.at, this.layers] = [0, message.at, null];
    this.shares = shares(message.points);
    // Streamlit shows only the newest of two messages that come at once.
    if (this.film.add(message)) return this.ask();
    if (message.layers) this.takeLayers(message.layers);
    if (isNew && message.layers) this.position = message.layers.state;
    else if (isNew || message.is_live || wasLive) this.follow();
    this.redraw();
  }

  takeLayers(layers) {
    const isFirst = this.layers === null;
    this.layers = layers;
    if (isFirst) this.layer = layers.names.length;
  }

  /** Layers belong to one state: while another one is shown, only its latent space is known. */
  get shownLayers() {
    return this.layers && this.layers.state === this.position ? this.layers : null;
  }

  get isStill() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  follow() {
    if (this.position !== this.film.last) this.move("position", this.film.last, CATCH_UP_MS);
  }

  /** Move a number to a goal in some time, by one drawing a frame. */
  move(name, goal, duration, done = () => {}) {
    cancelAnimationFrame(this.motion);
    const from = this[name];
    const start = performance.now();
    const frame = (now) => {
      const share =
        this.isStill && duration <= LAYER_MS
          ? 1
          : Math.min(1, Math.max(0, (now - start) / duration));
      const value = share === 1 ? goal : from + share * (goal - from);
      this[name] = this.isStill ? Math.round(value) : value;
      this.redraw();
      if (share < 1) this.motion = requestAnimationFrame(frame);
      else done();
    };
    this.motion = requestAnimationFrame(frame);
  }

  playFit() {
    this.position = 0;
    this.move("position", this.film.last, FIT_MS, () => this.rest());
  }

  scrub(value) {
    cancelAnimationFrame(this.motion);
    this.position = value;
    this.redraw();
  }

  /** Tell the server which state is looked at and where: it answers with layers and terms. */
  rest() {
    const state = this.message.is_live ? null : Math.round(this.position);
    this.send({
      run: this.film.run,
      state,
      at: this.at,
      asked: this.asked,
      from: this.film.states.length,
    });
  }

  ask() {
    this.asked += 1;
    this.rest();
  }

  stepLayer(by) {
    this.move(
      "layer",
      Math.min(this.layers.names.length, Math.max(0, Math.round(this.layer) + by)),
      LAYER_MS,
    );
  }

  playLayers() {
    this.layer = 0;
    const n = this.layers.names.length;
    this.move("layer", n, n * LAYER_MS);
  }

  setLayer(value) {
    cancelAnimationFrame(this.motion);
    this.layer = value;
    this.redraw();
  }

  click(event) {
    const place = this.panes[0].place(event.offsetX, event.offsetY);
    if (isWithin(place, this.message.box)) this.pick(place);
  }

  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      event.key
    ];
    if (!way) return;
    event.preventDefault();
    const [cx, cy, half] = this.message.box;
    const [x, y] = this.at ?? [cx, cy];
    const place = [x + (way[0] * half) / 20, y + (way[1] * half) / 20];
    if (isWithin(place, this.message.box)) this.pick(place);
  }

  pick(place) {
    this.at = place;
    this.redraw();
    this.rest();
  }

  redraw() {
    if (!this.film.states.length || !this.root.clientWidth) return;
    const state = this.film.at(this.position);
    this.size();
    this.drawData(this.panes[0], state);
    this.drawLayers(this.panes[1], state);
    this.controls.show({ ...this, layers: this.shownLayers, isLive: this.message.is_live, state });
    this.canvas.setAttribute(
      "aria-label",
      `Step ${state.step}: the data with the flow's density, and the points in the latent space`,
    );
    this.root.dataset.states = this.film.states.length;
  }

  /** Size the canvas to its place, clear it, and lay out both panes. */
  size() {
    const width = this.root.clientWidth;
    const isWide = width > 560;
    const size = Math.min(WIDEST, isWide ? (width - LEFT - GAP) / 2 : width - LEFT - 2);
    const height = (isWide ? 1 : 2) * (size + BELOW);
    const ratio = devicePixelRatio || 1;
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    const theme = readTheme(this.root);
    const second = isWide
      ? { x: LEFT + size + GAP, y: 0, size }
      : { x: LEFT, y: size + BELOW, size };
    this.panes = [
      new Pane(context, theme, { x: LEFT, y: 0, size }, this.message.box, "x"),
      new Pane(context, theme, second, [0, 0, LEAST_HALF], "z"),
    ];
  }

  drawData(pane, state) {
    pane.within(() => {
      pane.density(state.density);
      if (this.controls.grid.checked) pane.lines(state.lines, this.message.line_length);
      pane.points(this.message.points, this.shares);
      if (this.at) pane.mark(this.at);
    });
  }

  drawLayers(pane, state) {
    const layers = this.shownLayers;
    const points = layers
      ? between(layers.points, this.message.points.length, this.layer)
      : state.latent;
    const isLatent = !layers || this.layer === layers.names.length;
    pane.box = layers ? boxAt(layers, this.message, this.layer) : [0, 0, LEAST_HALF];
    pane.within(() => {
      if (this.controls.grid.checked) {
        const { latent_lines, line_length } = this.message;
        pane.lines(
          layers ? between(layers.lines, latent_lines.length, this.layer) : latent_lines,
          line_length,
        );
      }
      pane.points(points, this.shares);
      if (isLatent) pane.circles();
      if (layers?.way.length) pane.mark(between(layers.way, 2, this.layer));
    });
  }

  close() {
    cancelAnimationFrame(this.motion);
    this.watcher.disconnect();
  }
}

/** Return the square that holds the points at a place between two layers, the origin inside. */
function boxAt({ points, names }, message, layer) {
  const size = message.points.length;
  const half = (at) => {
    if (at >= names.length) return LEAST_HALF;
    const most = points
      .subarray(at * size, (at + 1) * size)
      .reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    return Math.max(LEAST_HALF, 1.05 * most);
  };
  const from = Math.floor(layer);
  return [0, 0, half(from) + (layer - from) * (half(from + 1) - half(from))];
}

/** Return where each point lies from left to right, 0 to 1: its colour in every picture. */
function shares(points) {
  const across = points.filter((_, i) => i % 2 === 0);
  const [low, high] = [Math.min(...across), Math.max(...across)];
  return across.map((x) => (x - low) / (high - low || 1));
}

function isWithin([x, y], [cx, cy, half]) {
  return Math.abs(x - cx) <= half && Math.abs(y - cy) <= half;
}
