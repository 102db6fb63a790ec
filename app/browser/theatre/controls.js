/* The buttons and sliders below the picture; each calls what it is given. */

import { button, grouped, make } from "../shared/dom.js";

/** @import { Layers, State } from "./types" */

/**
 * What the controls call.
 * @typedef {object} Actions
 * @property {() => void} playFit
 * @property {(state: number) => void} scrub
 * @property {() => void} rest
 * @property {(by: number) => void} stepLayer
 * @property {() => void} playLayers
 * @property {(layer: number) => void} setLayer
 * @property {() => void} redraw
 */

/**
 * Where the picture stands: between which states and layers, of how many.
 * @typedef {object} Standing
 * @property {State} state
 * @property {number} position
 * @property {number} last
 * @property {number} layer
 * @property {Layers | null} layers
 * @property {boolean} isLive
 */

const UNKNOWN = "latent space; the layers follow when the fit rests";

/** Controls of the fit's states and of the flow's layers. */
export class Controls {
  /** @param {Actions} act */
  constructor(act) {
    this.play = button("Play the fit", "Show the fit again from its start", act.playFit);
    this.state = slider("State of the fit", act.scrub);
    this.state.addEventListener("change", act.rest);
    this.stateText = make("output");
    this.back = button("Back", "Undo one layer", () => act.stepLayer(-1));
    this.forward = button("Forward", "Apply one more layer", () => act.stepLayer(1));
    const way = "Move the points from data to latent space";
    this.playLayers = button("Play the layers", way, act.playLayers);
    this.layer = slider("Layer", act.setLayer);
    this.layerText = make("output", { class: "below" });
    this.grid = make("input", { type: "checkbox", checked: "", onchange: act.redraw });
    const { play, state, stateText, back, forward, playLayers, layer, layerText } = this;
    this.element = make("div", { class: "controls" }, [
      row("Fit", [play, state, stateText]),
      row("Layers", [back, forward, playLayers, layer, layerText]),
      make("label", {}, [this.grid, make("span", { text: "Grid of the latent space" })]),
    ]);
  }

  /** @param {Standing} standing */
  show({ state, position, last, layer, layers, isLive }) {
    this.state.max = String(last);
    // What the visitor is dragging is newer than what is shown.
    if (isLive || !this.state.matches(":focus")) this.state.value = String(Math.round(position));
    this.state.disabled = this.play.disabled = isLive || last < 1;
    this.stateText.textContent = `step ${grouped(state.step)}, ${state.bits.toFixed(3)} bits per dimension`;
    for (const control of [this.back, this.forward, this.playLayers, this.layer])
      control.disabled = !layers;
    this.layer.max = String(layers ? layers.names.length : 1);
    this.layer.value = String(layers ? Math.round(layer) : 1);
    this.layerText.textContent = layers ? layerText(layers, layer) : UNKNOWN;
  }
}

/** @param {string} label @param {(value: number) => void} set */
function slider(label, set) {
  const input = make("input", { type: "range", min: 0, step: 1, "aria-label": label });
  input.addEventListener("input", () => set(Number(input.value)));
  return input;
}

/** @param {string} text @param {Node[]} controls */
function row(text, controls) {
  return make("div", { class: "row" }, [make("span", { class: "name", text }), ...controls]);
}

/** Return what was applied so far. @param {Pick<Layers, "names">} layers @param {number} layer */
export function layerText({ names }, layer) {
  const at = Math.round(layer);
  if (at === 0) return "data space, before the first layer";
  const end = at === names.length ? ": latent space" : "";
  return `after layer ${at} of ${names.length}, ${names[at - 1]}${end}`;
}
