/* The panel of one opened layer, with the curve of the loss beside it. */

import { jacobian, logNormal } from "../flow/flow.js";
import { sized } from "../shared/canvas.js";
import { drawChart } from "../shared/chart.js";
import { contextOf, make } from "../shared/dom.js";
import { determinantOf, linesOf, plotOf, shown } from "./lens.js";

/** @import { Chart } from "../shared/chart.js" */
/** @import { Rgb, Theme } from "../shared/types" */
/** @import { Model } from "./model.js" */
/** @import { Curve, Place } from "./types" */

/** Blue and vermilion of Okabe and Ito, told apart by every eye. @type {readonly [Rgb, Rgb]} */
const COLOURS = [
  [0, 114, 178],
  [213, 94, 0],
];
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
  title = make("h4");
  curve = make("canvas", { role: "img" });
  lines = make("div", { class: "formula" });
  matrix = make("div", { class: "matrix", role: "img" });
  determinant = make("p");
  loss = make("canvas", { role: "img" });
  terms = make("p");
  volume = make("p");

  constructor() {
    const jacobian = make("div", { class: "row" }, [
      make("span", { text: "Jacobian ∂z/∂x =" }),
      this.matrix,
    ]);
    const numbers = make("div", {}, [this.title, this.lines, jacobian, this.determinant]);
    this.element = make("div", { class: "opened" }, [
      make("div", {}, [this.curve]),
      numbers,
      make("div", {}, [this.loss]),
      make("div", { class: "whole" }, [this.terms, this.volume]),
    ]);
  }

  /**
   * Show a layer of a model.
   * @param {Model} model
   * @param {number} index
   * @param {Theme} theme
   */
  show(model, index, theme) {
    const [layer, { states }] = [model.flow.layers[index], model.way];
    /** @type {Place} */
    const before = [states[index][0], states[index][1]];
    const room = this.curve.parentElement?.clientWidth ?? WIDEST;
    const width = Math.min(WIDEST, room);
    this.title.textContent = `Layer ${index + 1}: ${layer.name}, for the marked point`;
    this.lines.replaceChildren(...linesOf(layer, before).map((text) => make("div", { text })));
    const values = jacobian(layer, before);
    this.matrix.replaceChildren(...values.map((value) => make("span", { text: shown(value) })));
    this.matrix.ariaLabel = `rows ${values.map((value) => shown(value)).join(", ")}`;
    this.determinant.textContent = determinantOf(layer, values);
    const plot = plotOf(layer, before, model.trace.states[index]);
    this.curve.hidden = !plot;
    if (plot) {
      const { titles, rug, curves } = plot;
      draw(this.curve, theme, width, { titles, rug, lines: linesFrom(curves) });
    }
    this.curve.ariaLabel = `${plot?.titles[1]} against ${plot?.titles[0]}`;
    this.#showLoss(model, theme, width);
    this.terms.textContent = termsOf(model);
    this.volume.textContent = VOLUME[model.choice.coupling];
  }

  /** @param {Model} model @param {Theme} theme @param {number} width */
  #showLoss({ fit }, theme, width) {
    const bits = fit?.bits ?? [];
    this.loss.hidden = bits.length < 2;
    if (this.loss.hidden) return;
    const every = Math.ceil(bits.length / MOST_LOSSES);
    const kept = bits.filter((_, i) => i % every === 0);
    const curve = {
      name: "",
      x: Float64Array.from(kept, (_, i) => i * every + 1),
      y: Float64Array.from(kept),
    };
    draw(this.loss, theme, width, {
      titles: ["step", "bits per dimension"],
      lines: linesFrom([curve]),
    });
    this.loss.ariaLabel = "Bits per dimension of each step of the fit";
  }
}

/** Return curves as lines; one alone needs no name. @param {Curve[]} curves */
function linesFrom(curves) {
  return curves.map(({ name, ...curve }, i) => ({
    ...curve,
    name: curves.length > 1 ? name : "",
    colour: COLOURS[i],
  }));
}

/** @param {HTMLCanvasElement} canvas @param {Theme} theme @param {number} w @param {Chart} chart */
function draw(canvas, theme, w, chart) {
  sized(canvas, w, HEIGHT);
  drawChart(contextOf(canvas), theme, { x: 0, y: 0, w, h: HEIGHT }, chart);
}

/** Write the change of variables with the numbers of the marked point. @param {Model} model */
export function termsOf({ place: [x, y], way: { states, ladj } }) {
  const z = states[states.length - 1];
  const [base, volume] = [logNormal(z[0], z[1]), ladj.reduce((sum, [each]) => sum + each, 0)];
  const sign = volume < 0 ? "−" : "+";
  return (
    `All layers: x = (${shown(x)}, ${shown(y)}) goes to z = (${shown(z[0])}, ${shown(z[1])}), and ` +
    `log p(x) = log N(z; 0, I) + Σ log |det| = ${shown(base)} ${sign} ${shown(Math.abs(volume))} ` +
    `= ${shown(base + volume)} nats.`
  );
}
