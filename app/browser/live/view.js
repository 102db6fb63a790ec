/* Typed sentences on three spheres and in three tables; recorded ones until the networks are here. */

import { Sphere } from "../cone/sphere.js";
import { ARROWS } from "../shared/arrows.js";
import { button, labelled, make } from "../shared/dom.js";
import { hosted } from "../shared/hosts.js";
import { Announcer, Later } from "../shared/later.js";
import { readTheme } from "../shared/palette.js";
import { readAddress, writeAddress } from "./address.js";
import { Engine } from "./engine.js";
import { Inputs } from "./inputs.js";
import { mark, table } from "./table.js";

/** @import { Answer, Payload, Space } from "./types" */
/** @typedef {{ sphere: Sphere, caption: HTMLElement, mean: HTMLElement, cells: HTMLElement }} Pane */

const LARGEST = 300;

/** What the page shows; it lives as long as the page. */
class LiveView {
  /** @type {Payload | null} */
  #data = null;
  /** @type {Engine | null} */
  #engine = null;
  /** @type {{ numbers: number[], sentences: string[], answer: Answer } | null} */
  #shown = null;
  /** @type {[number, number]} two rows of what is shown */
  #pair = [0, 1];
  #asked = 0;
  #announcer = new Announcer();
  #remembered = new Later(300);
  /** @type {Pane[]} */
  #panes = [];

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.bar = make("progress", { "aria-label": "Megabytes that have arrived" });
    this.status = make("p", { class: "status", role: "status" });
    this.examples = make("p", { class: "examples" });
    this.watch = make("p", { class: "watch" });
    this.calibrator = make("select", { onchange: () => this.#draw(true) });
    this.inputs = new Inputs(() => this.#ask());
    this.spheres = make("div", {
      class: "spheres",
      tabindex: 0,
      role: "group",
      "aria-label": "Three spaces; the arrow keys show one pair of sentences after the other",
      onkeydown: (event) => this.#press(event),
    });
    this.text = make("p", { class: "pair" });
    this.parts = {
      examples: make("div", {}, [this.examples, this.watch]),
      sentences: this.inputs.element,
      calibrator: make("p", {}, [labelled("Calibrator", this.calibrator)]),
    };
    const shown = [...Object.values(this.parts), this.text, this.spheres];
    root.replaceChildren(this.status, this.bar, ...shown, this.#announcer.element);
    new ResizeObserver(() => this.#draw()).observe(root);
  }

  /** Show the sentences of the address, or the first example. @param {Payload} data */
  load(data) {
    if (this.#data) return this.#draw();
    this.#data = data;
    this.examples.append(
      ...data.examples.map(({ title, sentences }) =>
        button(title, "", () => this.#take(sentences)),
      ),
    );
    data.spaces.slice(1, -1).forEach(({ spec }, place) => {
      this.calibrator.append(make("option", { value: place + 1, text: spec }));
    });
    this.#panes = [0, 1, 2].map((place) => this.#pane(place));
    this.#follow();
    addEventListener("hashchange", () => this.#follow());
    void this.#start(data);
  }

  /** Take up what the address says. */
  #follow() {
    const { spaces, examples } = this.#payload;
    const { sentences, calibrator, hidden } = readAddress();
    const place = spaces.slice(1, -1).findIndex(({ spec }) => spec.split(":")[0] === calibrator);
    this.calibrator.value = String(place < 0 ? spaces.length - 2 : place + 1);
    for (const [name, element] of Object.entries(this.parts)) element.hidden = hidden.has(name);
    for (const { cells } of this.#panes) cells.hidden = hidden.has("tables");
    this.#take(sentences.length ? sentences : examples[0].sentences);
  }

  /** @param {Payload} data */
  async #start(data) {
    this.root.dataset.state = "loading";
    const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
    const shown = "the recorded examples work";
    try {
      this.#engine = await Engine.load(data, (bytes, of) => {
        Object.assign(this.bar, { max: of, value: bytes });
        this.status.textContent = `The encoder is loading: ${megabytes(bytes)} of ${megabytes(of)} MB. Until it is here, ${shown}.`;
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const advice = location.protocol === "file:" ? " Open this page from a web server." : "";
      this.status.textContent = `The encoder does not run here (${reason}); ${shown}.${advice}`;
      this.bar.hidden = true;
      this.root.dataset.state = "recorded";
      return;
    }
    this.bar.hidden = true;
    this.status.textContent =
      "The encoder runs in this page: type your own sentences. Nothing is sent anywhere.";
    this.inputs.open();
    await this.#ask();
    this.root.dataset.state = "ready";
  }

  /** @param {string[]} sentences */
  #take(sentences) {
    this.inputs.fill(sentences);
    void this.#ask();
  }

  /** Answer what is typed: by the networks, or by a record. */
  async #ask() {
    const start = performance.now();
    this.#asked += 1;
    const asked = this.#asked;
    const { numbers, sentences } = this.inputs.filled();
    const same = (/** @type {string[]} */ others) =>
      others.length === sentences.length && others.every((each, row) => each === sentences[row]);
    const example = this.#payload.examples.find((each) => same(each.sentences));
    this.watch.textContent = example?.watch ?? "";
    let answer = example?.answer ?? null;
    if (this.#engine && sentences.length > 1) {
      const found = await this.#engine.answer(sentences, () => asked !== this.#asked);
      if (asked !== this.#asked) return;
      answer = found;
    }
    this.#shown = answer && { numbers, sentences, answer };
    if (Math.max(...this.#pair) >= sentences.length) this.#pair = [0, 1];
    this.#draw(true);
    this.root.dataset.ms = (performance.now() - start).toFixed(0);
  }

  get #payload() {
    return /** @type {Payload} */ (this.#data);
  }

  /** The places of the three shown spaces among all. */
  get #places() {
    return [0, Number(this.calibrator.value), this.#payload.spaces.length - 1];
  }

  /** @param {number} place @returns {Pane} */
  #pane(place) {
    const canvas = make("canvas", {
      role: "img",
      onpointermove: (event) => this.#point(place, event),
      onpointerdown: (event) => this.#point(place, event),
    });
    const panel = { x: [], y: [], near: [], colour: "#000", top: 0 };
    const [caption, mean, cells] = [make("strong"), make("div"), make("div", { class: "cells" })];
    const head = make("figcaption", {}, [caption, mean]);
    this.spheres.append(make("figure", {}, [head, canvas, cells]));
    return { sphere: new Sphere(canvas, panel), caption, mean, cells };
  }

  /** Mark the sentence under the pointer with the one that is nearest to it. @param {number} place @param {PointerEvent} event */
  #point(place, { offsetX, offsetY }) {
    const row = this.#panes[place].sphere.nearest(offsetX, offsetY);
    if (row < 0 || !this.#shown) return;
    const cosines = this.#shown.answer.cosines[this.#places[place]][row];
    const others = cosines.map((cosine, other) =>
      other === row ? Number.NEGATIVE_INFINITY : cosine,
    );
    const other = others.indexOf(Math.max(...others));
    this.#choose(Math.min(row, other), Math.max(row, other));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#shown) return;
    const [across, up] = ARROWS[event.key] ?? [0, 0];
    if (!across && !up) return;
    event.preventDefault();
    const n = this.#shown.sentences.length;
    const pairs = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n - i - 1 }, (_, j) => /** @type {const} */ ([i, i + j + 1])),
    ).flat();
    const at = pairs.findIndex(([i, j]) => i === this.#pair[0] && j === this.#pair[1]);
    this.#choose(...pairs[(at + across - up + pairs.length) % pairs.length]);
  }

  /** @param {number} first @param {number} second */
  #choose(first, second) {
    if (first === this.#pair[0] && second === this.#pair[1]) return;
    this.#pair = [first, second];
    this.#draw();
    const said = this.#panes.map(({ caption }, place) => {
      return `${caption.textContent} ${this.#cosine(place).toFixed(2)}`;
    });
    this.#announcer.say(`${this.text.textContent}; cosines: ${said.join(", ")}`);
  }

  /** Return the cosine of the marked pair in a shown space. @param {number} place */
  #cosine(place) {
    const [first, second] = this.#pair;
    return this.#shown?.answer.cosines[this.#places[place]][first][second] ?? 0;
  }

  /** @param {boolean} isNew whether anything but the marked pair changed */
  #draw(isNew = false) {
    if (!this.#data || !this.root.clientWidth) return;
    const { numbers } = this.inputs.filled();
    if (isNew) {
      const spec = this.#payload.spaces[Number(this.calibrator.value)].spec.split(":")[0];
      this.#remembered.call(() => writeAddress(this.inputs.filled().sentences, spec));
    }
    this.spheres.hidden = !this.#shown;
    if (!this.#shown) {
      this.text.textContent =
        numbers.length > 1
          ? "These sentences are compared as soon as the encoder is here."
          : "Type at least two sentences.";
      this.inputs.mark([]);
      return;
    }
    const { sentences } = this.#shown;
    const [first, second] = this.#pair;
    this.#places.forEach((of, place) => {
      this.#drawPane(this.#panes[place], this.#payload.spaces[of], of, place, isNew);
    });
    this.text.textContent = `“${sentences[first]}” and “${sentences[second]}”`;
    this.inputs.mark(this.#pair.map((row) => /** @type {any} */ (this.#shown).numbers[row]));
  }

  /** @param {Pane} pane @param {Space} space @param {number} of @param {number} place @param {boolean} isNew */
  #drawPane({ sphere, caption, mean, cells }, space, of, place, isNew) {
    if (!this.#shown) return;
    const { numbers, answer } = this.#shown;
    const places = answer.places[of];
    Object.assign(sphere.panel, {
      x: places.map(([x]) => x),
      y: places.map(([, y]) => y),
      near: places.map(([, , near]) => (near > 0 ? 1 : 0)),
      colour: space.colour,
      top: space.top,
    });
    caption.textContent = place === 1 ? `${space.layers}: ${space.spec}` : space.layers;
    const cosine = this.#cosine(place).toFixed(2);
    mean.textContent = `marked pair ${cosine}`;
    sphere.canvas.ariaLabel = `The sentences on a sphere, ${caption.textContent}: the cosine of the marked pair is ${cosine}; the mean direction of the data has length ${space.length.toFixed(2)}`;
    const width = sphere.canvas.parentElement?.clientWidth ?? 0;
    sphere.resize(Math.min(LARGEST, width));
    sphere.draw(readTheme(this.root), this.#payload.circles, this.#pair);
    if (isNew || !cells.firstChild) {
      const title = `Cosines, ${caption.textContent}`;
      const choose = (/** @type {number} */ i, /** @type {number} */ j) => this.#choose(i, j);
      cells.replaceChildren(table(title, answer.cosines[of], numbers, choose));
    }
    mark(cells, this.#pair);
  }
}

export default hosted({
  name: "live",
  show: (root) => new LiveView(root),
  state: "report",
  file: { data: (bytes) => JSON.parse(new TextDecoder().decode(bytes)) },
});
