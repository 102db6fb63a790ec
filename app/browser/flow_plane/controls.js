/* The buttons, sliders and menus below the picture; each acts on the view and shows its model. */

import { SHAPES } from "../flow/shapes.js";
import { button, grouped, labelled, make } from "../shared/dom.js";
import { BOUNDS, DRAWN } from "./choice.js";

/** @import { FlowPlane } from "./flow_plane.js" */
/** @import { Model } from "./model.js" */
/** @import { Choice, Layer } from "./types" */

/** Name, steps per second, and seconds per layer. @type {Record<string, readonly [string, number, number]>} */
export const SPEEDS = {
  slow: ["slow motion", 2, 2.4],
  normal: ["normal", 60, 0.6],
  fast: ["fast", 600, 0.2],
};
const SOURCES = { data: "the data", draws: "draws from N(0, I), mapped back" };
const COUPLINGS = { additive: "additive", affine: "affine" };
/** @type {Record<string, string>} */
const SHORT = {
  ActNorm: "ActNorm",
  reversal: "⇄",
  "additive coupling": "+ m",
  "affine coupling": "· s + t",
};

/** Controls of the fit, of the layers, and of what is fitted. */
export class Controls {
  #stepText = make("output");
  #layerText = make("output", { class: "below" });
  #chips = make("ol", { class: "chips", "aria-label": "Layers of the flow" });
  grid = make("input", { type: "checkbox", checked: "", onchange: () => this.view.redraw() });

  /** @param {FlowPlane} view */
  constructor(view) {
    this.view = view;
    this.train = button("Train", "Train the flow in this browser, or pause", () => view.train());
    this.step = button("One step", "Take a single step of the optimiser", () => view.step());
    const restart = button("Start again", "Fit again from the start", () => view.restart());
    const speeds = Object.entries(SPEEDS).map(([speed, [text]]) => [speed, text]);
    this.speed = menu(Object.fromEntries(speeds), () => {});
    this.speed.value = "normal";
    this.layer = make("input", {
      ...{ type: "range", min: 0, step: 0.05, "aria-label": "Layer" },
      oninput: () => view.rest(Number(this.layer.value)),
    });
    const walk = [
      button("Back", "Undo one layer", () => view.stepLayer(-1)),
      button("Forward", "Apply one more layer", () => view.stepLayer(1)),
      button("Play", "From data to latent space", () => view.playTo("latent")),
      button("Play back", "The inverse: from latent space to data", () => view.playTo("data")),
      this.layer,
    ];
    this.source = menu(SOURCES, (source) => view.follow(source));
    this.ofFit = [restart, ...walk, this.source];
    this.choices = choicesOf(view);
    const speed = labelled("Speed", this.speed);
    this.element = make("div", { class: "controls" }, [
      row("Fit", [this.train, this.step, restart, speed, this.#stepText]),
      row("Layers", [...walk, this.#layerText]),
      this.#chips,
      make("div", { class: "row" }, [
        labelled("Points", this.source),
        labelled("Grid of the latent space", this.grid),
      ]),
      make("details", {}, [
        make("summary", { text: "Other points, another flow" }),
        ...this.choices.map(({ text, control }) => labelled(text, control)),
      ]),
    ]);
  }

  /** @param {Model} model @param {number} layer @param {boolean} isTraining */
  show({ fit, choice, source }, layer, isTraining) {
    const [steps, bits, layers] = [fit?.steps ?? 0, fit?.bits.at(-1), fit?.flow.layers ?? []];
    this.train.textContent = isTraining ? "Pause" : "Train";
    for (const control of [this.train, this.step]) control.disabled = !fit || fit.isBroken;
    const loss = bits === undefined ? "" : `: ${bits.toFixed(3)} bits per dimension`;
    this.#stepText.textContent = fit?.isBroken
      ? `diverged at step ${grouped(steps)}: lower the learning rate and start again`
      : `step ${grouped(steps)}${loss}`;
    this.layer.max = String(layers.length);
    // Leave the slider alone while the visitor drags it.
    if (!this.layer.matches(":active")) this.layer.value = String(layer);
    this.#layerText.textContent = fit ? layerText(layers, layer) : "";
    for (const control of this.ofFit) control.disabled = !fit;
    this.#showChips(layers, layer);
    this.source.value = source;
    for (const { name, control } of this.choices)
      if (!control.matches(":focus")) control.value = String(choice[name]);
  }

  /** @param {readonly Layer[]} layers @param {number} layer */
  #showChips(layers, layer) {
    if (this.#chips.childElementCount !== layers.length) {
      const chips = layers.map(({ name }, index) => {
        const open = () => this.view.open(index);
        const chip = button(SHORT[name] ?? name, `Open layer ${index + 1}: ${name}`, open);
        chip.ariaLabel = chip.title;
        chip.className = name.endsWith("coupling") ? "coupling" : "";
        return make("li", {}, [chip]);
      });
      this.#chips.replaceChildren(...chips);
    }
    this.#chips.querySelectorAll("button").forEach((chip, index) => {
      chip.ariaCurrent = index === openedAt(layer) ? "step" : "false";
    });
  }
}

/** Return the layer that is being applied, or was applied last. @param {number} layer */
export function openedAt(layer) {
  return Math.max(0, Math.ceil(layer) - 1);
}

/**
 * Return a control for each choice.
 * @param {FlowPlane} view
 * @returns {{ name: keyof Choice, text: string, control: HTMLSelectElement | HTMLInputElement }[]}
 */
function choicesOf(view) {
  const shapes = { ...SHAPES, [DRAWN]: "draw your own" };
  const numbers = Object.entries(BOUNDS).map(([key, [text, min, max, step, title]]) => {
    const onchange = () => {
      if (control.reportValidity()) view.choose({ [key]: Number(control.value) });
    };
    const control = make("input", { type: "number", min, max, step, title, onchange });
    return { name: /** @type {keyof Choice} */ (key), text, control };
  });
  return [
    { name: "shape", text: "Shape", control: menu(shapes, (shape) => view.choose({ shape })) },
    {
      name: "coupling",
      text: "Coupling",
      control: menu(COUPLINGS, (coupling) => view.choose({ coupling })),
    },
    ...numbers,
  ];
}

/**
 * Return a menu of texts by value.
 * @template {string} Value
 * @param {Record<Value, string>} options
 * @param {(value: Value) => void} choose
 */
function menu(options, choose) {
  const items = Object.entries(options).map(([value, text]) =>
    make("option", { value, text: String(text) }),
  );
  /** @type {HTMLSelectElement} */
  const select = make(
    "select",
    { onchange: () => choose(/** @type {Value} */ (select.value)) },
    items,
  );
  return select;
}

/** @param {string} text @param {Node[]} controls */
function row(text, controls) {
  return make("div", { class: "row" }, [make("span", { class: "name", text }), ...controls]);
}

/** Return a text that says which layers were applied. @param {readonly { name: string }[]} layers @param {number} layer */
export function layerText(layers, layer) {
  const at = Math.round(layer);
  if (at === 0) return "data space, before the first layer";
  const end = at === layers.length ? ": latent space" : "";
  return `after layer ${at} of ${layers.length}, ${layers[at - 1].name}${end}`;
}
