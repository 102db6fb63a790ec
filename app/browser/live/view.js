/* Typed sentences on three spheres and in three tables; recorded ones until the networks are loaded. */

import { Spheres } from "../cone/spheres.js";
import { button, labelled, make } from "../shared/dom.js";
import { hosted } from "../shared/hosts.js";
import { Later } from "../shared/later.js";
import { readAddress, writeAddress } from "./address.js";
import { loadEngine } from "./engine.js";
import { Inputs } from "./inputs.js";
import { markCells, table } from "./table.js";

/** @import { Answer, Payload } from "./types" */

/** What the page shows; it lives as long as the page. */
class LiveView {
  /** @type {Payload | null} */
  #data = null;
  /** @type {Awaited<ReturnType<typeof loadEngine>> | null} */
  #engine = null;
  /** @type {{ numbers: number[], sentences: string[], answer: Answer } | null} */
  #shown = null;
  /** @type {[number, number]} two rows of what is shown */
  #pair = [0, 1];
  #asked = 0;
  #without = "These sentences are compared once the encoder is loaded.";
  #remembered = new Later(300);

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.status = make("p", { role: "status" });
    this.bar = make("progress", { "aria-label": "Megabytes that have arrived" });
    this.examples = make("p", { class: "examples" });
    this.watch = make("p", { class: "watch" });
    this.inputs = new Inputs(() => this.#ask());
    this.calibrator = make("select", { onchange: () => this.#show() });
    this.spheres = new Spheres(
      { role: "group" },
      (by) => this.#step(by),
      (row, place) => this.#point(row, place),
    );
    const calibrator = make("p", { class: "calibrator" }, [
      labelled("Calibrator", this.calibrator),
    ]);
    const seen = [this.spheres.text, this.spheres.element, this.watch, this.spheres.spoken];
    root.replaceChildren(
      ...[this.status, this.bar, this.examples],
      make("div", { class: "typed" }, [this.inputs.element, calibrator]),
      make("div", { class: "seen" }, seen),
    );
  }

  /** Show the sentences of the address, or the first example. @param {Payload} data */
  load(data) {
    if (this.#data) return this.spheres.draw(); // only the colours have changed
    this.#data = data;
    for (const { title, sentences } of data.examples)
      this.examples.append(button(title, "", () => this.inputs.fill(sentences)));
    for (const { spec } of data.spaces.slice(1, -1))
      this.calibrator.append(make("option", { text: spec }));
    this.#follow();
    addEventListener("hashchange", () => this.#follow());
    void this.#start(data);
  }

  /** Show what the address says. */
  #follow() {
    const { sentences, calibrator, hidden } = readAddress();
    this.root.dataset.hide = hidden.replaceAll(",", " ");
    this.calibrator.value = calibrator;
    if (!this.calibrator.value) this.calibrator.selectedIndex = this.calibrator.length - 1;
    this.inputs.fill(sentences.length ? sentences : this.#payload.examples[0].sentences);
  }

  /** @param {Payload} data */
  async #start(data) {
    const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
    const shown = "the recorded examples work";
    try {
      this.#engine = await loadEngine(data, (bytes, of) => {
        Object.assign(this.bar, { max: of, value: bytes });
        this.status.textContent = `The encoder is loading: ${megabytes(bytes)} of ${megabytes(of)} MB. Until then ${shown}.`;
      });
      this.status.textContent =
        "The encoder runs in this page: type your own sentences. Nothing is sent anywhere.";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const advice = location.protocol === "file:" ? " Open this page from a web server." : "";
      this.status.textContent = `The encoder does not run here (${reason}); ${shown}.${advice}`;
      this.#without = "Only the recorded examples are compared here.";
    }
    this.bar.hidden = true;
    await this.#ask();
    this.root.dataset.state = this.#engine ? "ready" : "recorded";
  }

  /** Compare the typed sentences: by the networks, or from a recorded example. */
  async #ask() {
    this.#asked += 1;
    const asked = this.#asked;
    const { numbers, sentences } = this.inputs.filled();
    const text = sentences.join("\n");
    const example = this.#payload.examples.find((each) => each.sentences.join("\n") === text);
    this.watch.textContent = example?.watch ?? "";
    let answer = example?.answer;
    if (this.#engine && sentences.length > 1)
      answer = await this.#engine(sentences, () => asked !== this.#asked);
    if (asked !== this.#asked) return;
    this.#shown = answer ? { numbers, sentences, answer } : null;
    if (Math.max(...this.#pair) >= sentences.length) this.#pair = [0, 1];
    this.#show();
  }

  get #payload() {
    return /** @type {Payload} */ (this.#data);
  }

  /** Show the answer under the chosen calibrator. */
  #show() {
    const { spaces, circles } = this.#payload;
    const { numbers, sentences } = this.inputs.filled();
    this.#remembered.call(() => writeAddress(sentences, this.calibrator.value));
    this.spheres.element.hidden = !this.#shown;
    if (!this.#shown) {
      this.spheres.text.textContent =
        numbers.length > 1 ? this.#without : "Type at least two sentences.";
      this.inputs.mark([]);
      return;
    }
    const { answer, numbers: shown } = this.#shown;
    const panels = this.#places.map((space) => {
      const along = (/** @type {number} */ axis) =>
        shown.map((_, row) => answer[1][(space * shown.length + row) * 3 + axis]);
      return { ...spaces[space], x: along(0), y: along(1), near: along(2) };
    });
    this.spheres.show(panels, circles).forEach((figure, place) => {
      /** @type {(first: number, second: number) => number} */
      const cosine = (first, second) => this.#cosine(this.#places[place], first, second);
      const title = `Cosines, ${panels[place].title}`;
      figure.append(table(title, shown, cosine, (first, second) => this.#choose(first, second)));
    });
    this.#mark();
  }

  /** The indices of the three shown spaces among all spaces. */
  get #places() {
    return [0, 1 + this.calibrator.selectedIndex, this.#payload.spaces.length - 1];
  }

  /** @param {number} space @param {number} first @param {number} second */
  #cosine(space, first, second) {
    const n = this.#shown?.numbers.length ?? 0;
    return this.#shown?.answer[0][(space * n + first) * n + second] ?? 0;
  }

  /** Mark the pair that is `by` pairs further, in the order of the tables. @param {number} by */
  #step(by) {
    const numbers = this.#shown?.numbers ?? [];
    /** @type {[number, number][]} */
    const pairs = numbers.flatMap((_, second) =>
      numbers.slice(0, second).map((_, first) => /** @type {[number, number]} */ ([first, second])),
    );
    const at = pairs.findIndex((pair) => String(pair) === String(this.#pair));
    this.#choose(...pairs[(at + by + pairs.length) % pairs.length]);
  }

  /** Mark the sentence under the pointer and the sentence nearest to it. @param {number} row @param {number} place */
  #point(row, place) {
    const cosines = (this.#shown?.numbers ?? []).map((_, other) =>
      other === row ? Number.NEGATIVE_INFINITY : this.#cosine(this.#places[place], row, other),
    );
    const other = cosines.indexOf(Math.max(...cosines));
    this.#choose(Math.min(row, other), Math.max(row, other));
  }

  /** @param {number} first @param {number} second */
  #choose(first, second) {
    if (first === this.#pair[0] && second === this.#pair[1]) return;
    this.#pair = [first, second];
    this.#mark();
    this.spheres.say();
  }

  #mark() {
    if (!this.#shown) return;
    const { numbers, sentences } = this.#shown;
    const [first, second] = this.#pair;
    const cosines = this.#places.map((space) => this.#cosine(space, first, second).toFixed(2));
    const values = cosines.map((cosine) => `cosine ${cosine}`);
    this.spheres.mark(this.#pair, `“${sentences[first]}” and “${sentences[second]}”`, values);
    this.inputs.mark(this.#pair.map((row) => numbers[row]));
    markCells(this.spheres.element, this.#pair);
  }
}

export default hosted({
  name: "live",
  show: (root) => new LiveView(root),
  state: "report",
});
