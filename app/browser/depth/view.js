/* A scrubber of depth: the same sentences layer by layer, and what is left out of them. */

import { pairText, Spheres } from "../cone/spheres.js";
import { button, make } from "../shared/dom.js";
import { hosted } from "../shared/hosts.js";
import { Announcer, Later } from "../shared/later.js";
import { Motion } from "../shared/motion.js";
import { readTheme } from "../shared/palette.js";
import { curvesOf, drawCurves } from "./curves.js";
import { AS_IT_IS, Journey } from "./journey.js";
import { sentence } from "./sentence.js";

/** @import { Titled } from "../cone/types" */
/** @import { Payload, State } from "./types" */

const [MOVE_MS, STAY_MS] = [260, 450];
const REVEALED = [0, 1];

/** What one component shows; it lives as long as its element. */
export class DepthView {
  #motion = new Motion();
  #later = new Later(STAY_MS);
  #announcer = new Announcer();
  #layer = 0;
  #pair = 0;
  #isPlaying = false;
  /** @type {State} */
  #state = AS_IT_IS;
  /** @type {Journey | null} */
  #journey = null;
  /** @type {Titled | null} */
  #panel = null;
  #play = button("Play", "Play the layers from the shown one", () => this.#toggle());
  #back = button("Back", "One layer back", () => this.#stay(this.#layer - 1));
  #forward = button("Forward", "One layer on", () => this.#stay(this.#layer + 1));
  #slider = make("input", {
    ...{ type: "range", min: 0, step: 1, "aria-label": "Layer" },
    oninput: () => this.#stay(Number(this.#slider.value)),
  });
  #where = make("output");
  #reveal = button("Leave out the largest 2", "The two coordinates of the upper bars", () =>
    this.#leave(this.#isRevealed ? [] : REVEALED),
  );
  #centre = button("Subtract the mean", "The mean of the fit corpus", () =>
    this.#change({ isCentred: !this.#state.isCentred }),
  );
  #first = button("First token out of the mean", "The mean over all tokens but the first", () =>
    this.#change({ isAfterFirst: !this.#state.isAfterFirst }),
  );
  #bars = make("div", { class: "bars", role: "group", "aria-label": "Largest coordinates" });
  #changed = make("div", { class: "changed" });
  #verdict = make("p", { class: "verdict" });
  #curves = make("canvas", { class: "curves", role: "img" });
  #spheres = new Spheres(
    { role: "application" },
    (by) => this.#choose(this.#pair + by),
    (row) => this.#choose(row),
  );
  #watcher = new ResizeObserver(() => this.#draw());

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const scrubber = [this.#play, this.#back, this.#forward, this.#slider, this.#where];
    const left = make("div", { class: "ball" }, [this.#spheres.element, this.#spheres.text]);
    const heading = make("strong", { text: "Share of the random cosine; press to leave out" });
    const right = make("div", { class: "side" }, [heading, this.#bars, this.#changed]);
    root.replaceChildren(
      make("div", { class: "row" }, scrubber),
      make("div", { class: "row" }, [this.#reveal, this.#centre, this.#first]),
      this.#verdict,
      make("div", { class: "panes" }, [left, right]),
      this.#curves,
      ...[this.#spheres.spoken, this.#announcer.element],
    );
    this.#watcher.observe(root);
  }

  /** Show a model once; each rerun of the page sends it again. @param {Payload} data */
  load(data) {
    if (this.#journey) return;
    this.#journey = new Journey(data);
    const { gold, shown } = data;
    const scores = shown.map((row) => gold?.[row] ?? 0);
    this.#pair = scores.indexOf(Math.min(...scores));
    this.#slider.max = String(this.#journey.last);
    // Half way down, where a raw model's cone is narrowest.
    this.#go(Math.floor(this.#journey.last / 2));
  }

  get #isRevealed() {
    const { out } = this.#state;
    return out.size === REVEALED.length && REVEALED.every((rank) => out.has(rank));
  }

  /** @param {Iterable<number>} ranks */
  #leave(ranks) {
    this.#change({ out: new Set(ranks) });
  }

  /** @param {Partial<State>} state */
  #change(state) {
    this.#state = { ...this.#state, ...state };
    this.#go(this.#layer);
  }

  #toggle() {
    if (this.#isPlaying) return this.#stay(this.#layer);
    this.#isPlaying = true;
    this.#go(this.#layer === this.#journey?.last ? 0 : this.#layer);
  }

  /** Stop and show a layer. @param {number} layer */
  #stay(layer) {
    this.#later.stop();
    this.#isPlaying = false;
    this.#go(layer);
  }

  /** Move the points to a layer, and on from there while the layers are played. @param {number} layer */
  #go(layer) {
    const journey = this.#journey;
    if (!journey) return;
    this.#layer = Math.max(0, Math.min(journey.last, layer));
    const { model, layers } = journey.data;
    const title = `${model}, layer ${layers[this.#layer].name}`;
    const goal = { ...journey.panel(this.#layer, this.#state), title };
    const from = this.#panel;
    this.#tell(journey);
    const show = (/** @type {number} */ share) => {
      this.#panel = from ? between(from, goal, share) : goal;
      this.#spheres.move([this.#panel]);
      this.#spheres.draw();
    };
    if (!from) this.#spheres.show([goal], journey.data.circles);
    show(0);
    this.#mark(journey);
    this.#draw();
    this.#motion.start(0, 1, MOVE_MS, show, () => {
      if (!this.#isPlaying) return;
      this.#isPlaying = this.#layer < journey.last;
      if (this.#isPlaying) this.#later.call(() => this.#go(this.#layer + 1));
      else this.#tell(journey);
    });
  }

  /** @param {number} row */
  #choose(row) {
    const journey = this.#journey;
    if (!journey) return;
    const n = journey.data.shown.length;
    const pair = (row + n) % n;
    if (pair === this.#pair) return;
    this.#pair = pair;
    this.#mark(journey);
    this.#spheres.say();
  }

  /** @param {Journey} journey */
  #mark(journey) {
    const { texts, gold, shown, scale } = journey.data;
    const angle = journey.angles(this.#layer, this.#state)[this.#pair];
    this.#spheres.mark(
      [this.#pair, this.#pair + shown.length],
      pairText(texts[this.#pair], gold?.[shown[this.#pair]], scale),
      [`${angle.toFixed(0)}° between the marked pair`],
    );
    this.root.dataset.pair = String(this.#pair);
  }

  /** Update the texts, the buttons and the bars. @param {Journey} journey */
  #tell(journey) {
    const [layer, state, { last }] = [this.#layer, this.#state, journey];
    const { data } = journey.space(layer, state);
    this.#play.textContent = this.#isPlaying ? "Pause" : "Play";
    this.#slider.value = String(layer);
    this.#back.disabled = layer <= 0;
    this.#forward.disabled = layer >= last;
    const { model, layers } = journey.data;
    this.#where.textContent = `${model}, layer ${layers[layer].name} of ${last}`;
    press(this.#reveal, this.#isRevealed);
    press(this.#centre, state.isCentred);
    press(this.#first, state.isAfterFirst);
    if (this.#bars.childElementCount !== data.chosen.length) this.#makeBars(data.chosen.length);
    Array.from(this.#bars.children).forEach((bar, rank) => {
      const share = data.shares[rank];
      const text = share === undefined ? "none" : `${(100 * share).toFixed(1)} %`;
      const [name, track, value] = Array.from(bar.children);
      name.textContent = String(data.chosen[rank]);
      value.textContent = text;
      const filled = Math.max(0, Math.min(1, share ?? 0));
      /** @type {HTMLElement} */ (track.firstElementChild).style.width = `${100 * filled}%`;
      bar.ariaLabel = `Coordinate ${data.chosen[rank]}: ${text}`;
      press(bar, state.out.has(rank));
    });
    this.#list(journey);
    this.#verdict.textContent = sentence(journey, layer, state);
    this.#announcer.say(this.#verdict.textContent);
    const { cosine, rho } = journey.scores(state)[layer];
    Object.assign(this.root.dataset, { layer, cosine, rho: Number.isNaN(rho) ? "" : rho });
  }

  /** List the pairs that change most; a press marks one on the sphere. @param {Journey} journey */
  #list(journey) {
    const changed = journey.mostChanged(this.#layer, this.#state).map(({ pair, before, now }) => {
      const cosines = [before, now].map((cosine) => cosine.toFixed(3)).join(" to ");
      const text = `${pairText(journey.data.texts[pair])}: ${cosines}`;
      return button(text, "Mark this pair on the sphere", () => this.#choose(pair));
    });
    const heading = make("strong", { text: "Cosines that change most; press to mark the pair" });
    this.#changed.replaceChildren(...(changed.length ? [heading, ...changed] : []));
  }

  /** @param {number} n */
  #makeBars(n) {
    const bars = Array.from({ length: n }, (_, rank) => {
      const onclick = () => {
        const out = new Set(this.#state.out);
        if (!out.delete(rank)) out.add(rank);
        this.#leave(out);
      };
      const track = make("span", { class: "track" }, [make("span")]);
      return make("button", { type: "button", class: "bar", onclick }, [
        ...[make("span"), track, make("span")],
      ]);
    });
    this.#bars.replaceChildren(...bars);
  }

  #draw() {
    const [journey, width] = [this.#journey, this.root.clientWidth];
    if (!journey || !width) return;
    const curves = curvesOf(journey, this.#state);
    drawCurves(this.#curves, readTheme(this.root), curves, this.#layer, width);
    this.#curves.ariaLabel = `Measures by layer: ${curves
      .map(({ title, why }) => (why ? `${title}: ${why}` : title))
      .join(", ")}`;
  }

  get place() {
    return this.#layer;
  }

  set place(layer) {
    this.#stay(layer);
  }

  get parts() {
    return [this.#verdict, this.#spheres.element, this.#spheres.text, this.#curves];
  }

  draw() {
    this.#spheres.draw();
    this.#draw();
  }

  close() {
    this.#motion.stop();
    this.#later.stop();
    this.#announcer.stop();
    this.#spheres.close();
    this.#watcher.disconnect();
  }
}

/** @param {Element} element @param {boolean} isPressed */
function press(element, isPressed) {
  element.ariaPressed = String(isPressed);
}

/** Return points on their way from one panel to another. @param {Titled} from @param {Titled} to @param {number} share @returns {Titled} */
function between(from, to, share) {
  const mixed = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
    b.map((value, i) => a[i] + share * (value - a[i]));
  return {
    ...to,
    x: mixed(from.x, to.x),
    y: mixed(from.y, to.y),
    top: from.top + share * (to.top - from.top),
  };
}

export default hosted({ name: "depth", show: (root) => new DepthView(root), state: "report" });
