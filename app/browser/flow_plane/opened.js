/* The panel of one opened layer, with the curve of the loss next to it. */

import { jacobian, logNormal } from "../flow/flow.js";
import { drawChart } from "../shared/chart.js";
import { contextOf, make, sized } from "../shared/dom.js";
import { COLOURS, determinantOf, linesOf, plotOf, shown } from "./lens.js";

/** @import { Chart } from "../shared/chart.js" */
/** @import { Theme } from "../shared/types" */
/** @import { Model } from "./model.js" */

const [WIDEST, HEIGHT] = [340, 220];
const MOST_LOSSES = 600;
const VOLUME = {
  additive:
    "Reversals and additive couplings preserve area. Only ActNorm changes it, by one factor " +
    "everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a bridge.",
  affine:
    "Affine couplings stretch each point by its own factor, so p(x) can have several peaks of " +
    "different heights.",
};

export class Opened {
  title = make("h2");
  curve = make("canvas", { role: "img" });
  lines = make("div", { class: "formula" });
  matrix = make("div", { class: "matrix", role: "img" });
  determinant = make("p");
  loss = make("canvas", {
    role: "img",
    "aria-label": "Bits per dimension of each step of the fit",
  });
  terms = make("p");
  volume = make("p");
  element = make("div", { class: "opened" }, [
    make("div", {}, [this.curve]),
    make("div", {}, [
      ...[this.title, this.lines],
      make("div", { class: "row" }, [make("span", { text: "Jacobian ∂z/∂x =" }), this.matrix]),
      this.determinant,
    ]),
    make("div", {}, [this.loss]),
    make("div", { class: "whole" }, [this.terms, this.volume]),
  ]);

  /**
   * Show a layer of a model.
   * @param {Model} model
   * @param {number} index
   * @param {Theme} theme
   */
  show(model, index, theme) {
    const layer = model.flow.layers[index];
    const [x, y] = model.way.states[index];
    const values = jacobian(layer, [x, y]);
    this.title.textContent = `Layer ${index + 1}: ${layer.name}, for the marked point`;
    this.lines.replaceChildren(...linesOf(layer, [x, y]).map((text) => make("div", { text })));
    this.matrix.replaceChildren(...values.map((value) => make("span", { text: shown(value) })));
    this.matrix.ariaLabel = `rows ${values.map((value) => shown(value)).join(", ")}`;
    this.determinant.textContent = determinantOf(layer, values);
    const plot = plotOf(layer, [x, y], model.trace.states[index]);
    this.#draw(this.curve, theme, plot);
    this.curve.ariaLabel = `${plot?.titles[1]} against ${plot?.titles[0]}`;
    this.#draw(this.loss, theme, lossesOf(model.fit?.bits ?? []));
    this.terms.textContent = termsOf(model);
    this.volume.textContent = VOLUME[model.choice.coupling];
  }

  /** Draw a chart, or hide its canvas. @param {HTMLCanvasElement} canvas @param {Theme} theme @param {Chart | null} chart */
  #draw(canvas, theme, chart) {
    canvas.hidden = !chart;
    if (!chart) return;
    // All cells have the same width; the curve's cell has one even if the curve is hidden.
    const w = Math.min(WIDEST, this.curve.parentElement?.clientWidth ?? WIDEST);
    sized(canvas, w, HEIGHT);
    drawChart(contextOf(canvas), theme, { x: 0, y: 0, w, h: HEIGHT }, chart);
  }
}

/** Return the curve of a fit's losses, null before the second step. @param {number[]} bits @returns {Chart | null} */
function lossesOf(bits) {
  if (bits.length < 2) return null;
  const every = Math.ceil(bits.length / MOST_LOSSES);
  const y = bits.filter((_, i) => i % every === 0);
  const x = y.map((_, i) => i * every + 1);
  return {
    lines: [{ name: "", colour: COLOURS[0], x, y }],
    titles: ["step", "bits per dimension"],
  };
}

/** Write the change of variables with the numbers of the marked point. @param {Model} model */
function termsOf({ place: [x, y], way: { states, ladj } }) {
  const [z1, z2] = states[states.length - 1];
  const [base, volume] = [logNormal(z1, z2), ladj.reduce((sum, [each]) => sum + each, 0)];
  const sign = volume < 0 ? "−" : "+";
  return (
    `All layers: x = (${shown(x)}, ${shown(y)}) goes to z = (${shown(z1)}, ${shown(z2)}), and ` +
    `log p(x) = log N(z; 0, I) + Σ log |det| = ${shown(base)} ${sign} ${shown(Math.abs(volume))} ` +
    `= ${shown(base + volume)} nats.`
  );
}
