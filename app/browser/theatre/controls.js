/* The buttons, sliders and menus below the picture; each calls what it is given. */

import { SHAPES } from "../flow/shapes.js";
import { button, grouped, make } from "../shared/dom.js";
import { BOUNDS, DRAWN } from "./choice.js";

/** @import { Choice, Layer, Source } from "./types" */

/**
 * What the controls call.
 * @typedef {object} Actions
 * @property {() => void} train
 * @property {() => void} step
 * @property {() => void} restart
 * @property {(by: number) => void} stepLayer
 * @property {(goal: number) => void} playTo
 * @property {(layer: number) => void} setLayer
 * @property {(index: number) => void} open
 * @property {(source: Source) => void} follow
 * @property {(choice: Partial<Choice>) => void} choose
 * @property {() => void} redraw
 */

/**
 * Where the picture stands.
 * @typedef {object} Standing
 * @property {Choice} choice
 * @property {number} steps
 * @property {number | undefined} bits
 * @property {boolean} isTraining
 * @property {boolean} isBroken
 * @property {boolean} canFit
 * @property {number} layer
 * @property {readonly Layer[]} layers
 * @property {Source} source
 */

/** Steps a second, and seconds a layer. */
export const SPEEDS = /** @type {const} */ ({
  slow: ["slow motion", 2, 2.4],
  normal: ["normal", 60, 0.6],
  fast: ["fast", 600, 0.2],
});

/** Controls of the fit, of the layers, and of what is fitted. */
export class Controls {
  /** @param {Actions} act */
  constructor(act) {
    this.act = act;
    this.train = button("Train", "Train the flow in this browser, or pause", act.train);
    this.step = button("One step", "Take a single step of the optimiser", act.step);
    this.restart = button("Start again", "Begin the fit anew", act.restart);
    this.speed = menu("Speed", Object.entries(SPEEDS).map(pair), "normal", () => {});
    this.stepText = make("output");
    this.back = button("Back", "Undo one layer", () => act.stepLayer(-1));
    this.forward = button("Forward", "Apply one more layer", () => act.stepLayer(1));
    this.play = button("Play", "From data to latent space", () => act.playTo(Infinity));
    this.inverse = button("Play back", "The inverse: from latent space to data", () =>
      act.playTo(0),
    );
    this.layer = make("input", { type: "range", min: 0, step: 0.05, "aria-label": "Layer" });
    this.layer.addEventListener("input", () => act.setLayer(Number(this.layer.value)));
    this.layerText = make("output", { class: "below" });
    this.chips = make("ol", { class: "chips", "aria-label": "Layers of the flow" });
    /** @type {[string, string][]} */
    const sources = [
      ["data", "the data"],
      ["draws", "draws from N(0, I), taken back"],
    ];
    this.source = menu("Points", sources, "data", (value) =>
      act.follow(/** @type {Source} */ (value)),
    );
    this.grid = make("input", { type: "checkbox", checked: "", onchange: act.redraw });
    this.choices = choices(act);
    const { train, step, restart, stepText, back, forward, play, inverse, layer } = this;
    this.element = make("div", { class: "controls" }, [
      row("Fit", [train, step, restart, labelled("Speed", this.speed), stepText]),
      row("Layers", [back, forward, play, inverse, layer, this.layerText]),
      this.chips,
      make("div", { class: "row" }, [
        labelled("Points", this.source),
        make("label", {}, [this.grid, make("span", { text: "Grid of the latent space" })]),
      ]),
      make("details", {}, [
        make("summary", { text: "Other points, another flow" }),
        ...this.choices.values(),
      ]),
    ]);
  }

  /** @param {Standing} standing */
  show({ choice, steps, bits, isTraining, isBroken, canFit, layer, layers, source }) {
    this.train.textContent = isTraining ? "Pause" : "Train";
    for (const control of [this.train, this.step]) control.disabled = isBroken || !canFit;
    const loss = bits === undefined ? "" : `: ${bits.toFixed(3)} bits per dimension`;
    this.stepText.textContent = isBroken
      ? `diverged at step ${grouped(steps)}: lower the learning rate and start again`
      : `step ${grouped(steps)}${loss}`;
    this.layer.max = String(layers.length);
    // What the visitor is dragging is newer than what is shown.
    if (!this.layer.matches(":active")) this.layer.value = String(layer);
    this.layerText.textContent = canFit ? layerText(layers, layer) : "";
    const controls = [this.restart, this.back, this.forward, this.play, this.inverse, this.layer];
    for (const control of controls) control.disabled = !canFit;
    this.source.disabled = !canFit;
    this.#showChips(layers, layer);
    this.source.value = source;
    for (const [name, label] of this.choices) {
      const control = /** @type {HTMLInputElement} */ (label.querySelector("input, select"));
      if (!control.matches(":focus")) control.value = String(choice[name]);
    }
  }

  /** @param {readonly Layer[]} layers @param {number} layer */
  #showChips(layers, layer) {
    if (this.chips.childElementCount !== layers.length) {
      this.chips.replaceChildren(
        ...layers.map(({ name }, index) => {
          const chip = button(SHORT[name] ?? name, `Open layer ${index + 1}: ${name}`, () =>
            this.act.open(index),
          );
          chip.ariaLabel = chip.title;
          chip.className = name.endsWith("coupling") ? "coupling" : "";
          return make("li", {}, [chip]);
        }),
      );
    }
    const opened = openedAt(layer);
    [...this.chips.children].forEach((item, index) => {
      const chip = /** @type {HTMLElement} */ (item.firstElementChild);
      chip.ariaCurrent = index === opened ? "step" : "false";
    });
  }
}

/** @type {Record<string, string>} */
const SHORT = {
  ActNorm: "ActNorm",
  reversal: "⇄",
  "additive coupling": "+ m",
  "affine coupling": "· s + t",
};

/** Return the layer that is under way, or was applied last. @param {number} layer */
export function openedAt(layer) {
  return Math.max(0, Math.ceil(layer) - 1);
}

/** @param {Actions} act @returns {Map<keyof Choice, HTMLElement>} */
function choices(act) {
  /** @type {Map<keyof Choice, HTMLElement>} */
  const found = new Map();
  /** @type {[string, string][]} */
  const shapes = [...Object.entries(SHAPES), [DRAWN, "draw your own"]];
  found.set(
    "shape",
    labelled(
      "Shape",
      menu("Shape", shapes, "", (shape) => act.choose({ shape })),
    ),
  );
  const kinds = menu("Coupling", ["additive", "affine"].map(twice), "", (kind) =>
    act.choose({ coupling: kind === "affine" ? "affine" : "additive" }),
  );
  found.set("coupling", labelled("Coupling", kinds));
  for (const [key, [text, min, max, step, title]] of Object.entries(BOUNDS)) {
    const input = make("input", { type: "number", min, max, step, title, "aria-label": text });
    input.addEventListener("change", () => {
      if (input.reportValidity()) act.choose({ [key]: Number(input.value) });
    });
    found.set(/** @type {keyof Choice} */ (key), labelled(text, input));
  }
  return found;
}

/** @param {[string, readonly [string, ...unknown[]]]} entry @returns {[string, string]} */
function pair([value, [text]]) {
  return [value, text];
}

/** @param {string} text @returns {[string, string]} */
function twice(text) {
  return [text, text];
}

/**
 * @param {string} label
 * @param {[value: string, text: string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
function menu(label, options, chosen, choose) {
  const items = options.map(([value, text]) => make("option", { value, text }));
  const select = make("select", { "aria-label": label }, items);
  select.value = chosen;
  select.addEventListener("change", () => choose(select.value));
  return select;
}

/** @param {string} text @param {HTMLElement} control */
function labelled(text, control) {
  return make("label", {}, [make("span", { text }), control]);
}

/** @param {string} text @param {Node[]} controls */
function row(text, controls) {
  return make("div", { class: "row" }, [make("span", { class: "name", text }), ...controls]);
}

/** Return what was applied so far. @param {readonly { name: string }[]} layers @param {number} layer */
export function layerText(layers, layer) {
  const at = Math.round(layer);
  if (at === 0) return "data space, before the first layer";
  const end = at === layers.length ? ": latent space" : "";
  return `after layer ${at} of ${layers.length}, ${layers[at - 1].name}${end}`;
}
