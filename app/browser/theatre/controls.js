/* The buttons and sliders below the picture; each calls what it is given. */

import { make } from "../shared/dom.js";

/** Controls of the fit's states and of the flow's layers. */
export class Controls {
  constructor(act) {
    const press = (text, title, onclick) =>
      make("button", { type: "button", text, title, onclick });
    this.play = press("Play the fit", "Show the fit again from its start", act.playFit);
    this.state = make("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": "State of the fit",
      oninput: () => act.scrub(Number(this.state.value)),
      onchange: () => act.rest(),
    });
    this.stateText = make("output", {});
    this.back = press("Back", "Undo one layer", () => act.stepLayer(-1));
    this.forward = press("Forward", "Apply one more layer", () => act.stepLayer(1));
    this.playLayers = press(
      "Play the layers",
      "Move the points from data to latent space",
      act.playLayers,
    );
    this.layer = make("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": "Layer",
      oninput: () => act.setLayer(Number(this.layer.value)),
    });
    this.layerText = make("output", { class: "below" });
    this.grid = make("input", { type: "checkbox", checked: "", onchange: () => act.redraw() });
    this.element = make("div", { class: "controls" }, [
      make("div", { class: "row" }, [
        make("span", { class: "name", text: "Fit" }),
        this.play,
        this.state,
        this.stateText,
      ]),
      make("div", { class: "row" }, [
        make("span", { class: "name", text: "Layers" }),
        this.back,
        this.forward,
        this.playLayers,
        this.layer,
        this.layerText,
      ]),
      make("label", {}, [this.grid, make("span", { text: "Grid of the latent space" })]),
    ]);
  }

  /** Show where the picture stands. */
  show({ film, position, layer, layers, isLive, state }) {
    this.state.max = film.last;
    if (this.state.getRootNode().activeElement !== this.state || isLive)
      this.state.value = Math.round(position);
    this.state.disabled = this.play.disabled = isLive || film.last < 1;
    this.stateText.textContent = `step ${state.step.toLocaleString("en")}, ${state.bits.toFixed(3)} bits per dimension`;
    const known = layers !== null;
    for (const control of [this.back, this.forward, this.playLayers, this.layer])
      control.disabled = !known;
    this.layer.max = known ? layers.names.length : 1;
    this.layer.value = known ? Math.round(layer) : 1;
    this.layerText.textContent = known
      ? layerText(layers, layer)
      : "latent space; the layers follow when the fit rests";
  }
}

/** Return what was applied so far. */
export function layerText({ names }, layer) {
  const at = Math.round(layer);
  if (at === 0) return "data space, before the first layer";
  const end = at === names.length ? ": latent space" : "";
  return `after layer ${at} of ${names.length}, ${names[at - 1]}${end}`;
}
