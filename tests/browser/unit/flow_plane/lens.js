import { jacobian } from "../../../../app/browser/flow/flow.js";
import { ActNorm, Coupling, REVERSAL } from "../../../../app/browser/flow/layers.js";
import { readChoice, writeChoice } from "../../../../app/browser/flow_plane/choice.js";
import { determinantOf, linesOf, plotOf } from "../../../../app/browser/flow_plane/lens.js";
import { Model } from "../../../../app/browser/flow_plane/model.js";
import { equal, near, test } from "../harness.js";

/** A coupling with one hidden unit of each layer, by hand: m(x1) = 0.5 max(0, max(0, x1)) + 0.25. */
function coupling() {
  const layer = new Coupling("additive", 1, () => 0);
  [1, 1, 0.5].forEach((weight, i) => {
    layer.network[i].w.set([weight]);
  });
  layer.network[2].b.set([0.25]);
  return layer;
}

test("an additive coupling is written out with its numbers", () => {
  const layer = coupling();
  equal(linesOf(layer, [2, -3]), [
    "z₁ = x₁ = 2.000",
    "z₂ = x₂ + m(x₁) = (−3.000) + 1.250 ≈ −1.750",
    "back: x₂ = z₂ − m(z₁) = (−1.750) − 1.250 ≈ −3.000",
  ]);
  equal(linesOf(layer, [2.0008, 3.0004])[1], "z₂ = x₂ + m(x₁) = 3.000 + 1.250 ≈ 4.251");
  near(jacobian(layer, [2, -3]), [1, 0, 0.5, 1]);
  const text = determinantOf(layer, jacobian(layer, [2, -3]));
  equal(text.startsWith("det = 1.000 · 1.000 − 0.000 · 0.500 = 1.000, whatever m is"), true);
});

test("the curve is m, with the point's place on it", () => {
  const plot = plotOf(coupling(), [2, -3], Float64Array.of(-1, 7, 3, 7));
  if (!plot) throw new Error("a coupling has a curve");
  const [{ x, y, mark }] = plot.lines;
  near([x[0], x[160], y[0], y[160]], [-1, 3, 0.25, 1.75]);
  near(mark ?? [], [2, 1.25]);
  equal(plot.rug, [-1, 3]);
  equal(plotOf(REVERSAL, [1, 2], Float64Array.of(1, 2)), null);
});

test("an ActNorm scales areas and a reversal mirrors them", () => {
  const layer = new ActNorm(false);
  layer.logs.set([Math.log(2) / 3, Math.log(4) / 3]);
  layer.b.set([1, -1]);
  equal(linesOf(layer, [1, 2]).slice(0, 2), [
    "z₁ = (x₁ + b₁) · s₁ = (1.000 + 1.000) · 2.000 ≈ 4.000",
    "z₂ = (x₂ + b₂) · s₂ = (2.000 + (−1.000)) · 4.000 ≈ 4.000",
  ]);
  near(jacobian(layer, [1, 2]), [2, 0, 0, 4]);
  equal(determinantOf(layer, [2, 0, 0, 4]).includes("≈ 8.000"), true);
  near(jacobian(REVERSAL, [1, 2]), [0, 1, 1, 0]);
});

test("a choice is read as it is written, and nothing else is", () => {
  const text = "ring-affine-2-8-0.001-7";
  const choice = readChoice(text);
  equal(choice && writeChoice(choice), text);
  for (const other of [
    "",
    "ring",
    "toString-affine-2-8-0.001-7",
    "ring-affine-99-8-0.001-7",
    "ring-affine-2.5-8-0.001-7",
    "ring-affine-2-8-NaN-7",
    "ring-affine-2-8-0.001-7-1",
  ])
    equal(readChoice(other), null);
});

test("a point that is dragged at a layer takes its place there, from either end", () => {
  const choice = readChoice("moons-additive-2-8-0.003-0");
  if (!choice) throw new Error("that is a choice");
  const model = new Model(choice);
  for (let step = 0; step < 20; step++) model.step();
  const [x, y] = model.trace.states[4].subarray(20, 22);
  model.pick([x, y], 4, 0.01);
  equal(model.row, 10);
  model.moveTo([0.5, -0.25], 4);
  near(model.trace.states[4].subarray(20, 22), [0.5, -0.25]);
  near(model.trace.states[0].subarray(20, 22), model.points.subarray(20, 22));
  model.follow("draws");
  model.pick([0.1, 0.2], 6, 9);
  near(model.way.states[6], [0.1, 0.2]);
});

test("points that are drawn become a fit, and more of them join it", () => {
  const choice = readChoice("drawn-additive-1-4-0.003-0");
  if (!choice) throw new Error("that is a choice");
  const model = new Model(choice);
  equal(model.fit, null);
  model.scatter([1, 1]);
  model.scatter([-1, 0]);
  model.restart();
  model.scatter([0, 2]);
  model.step();
  equal([model.points.length, model.fit?.points.length, model.fit?.steps], [24, 24, 1]);
});
