import { css, mix, readTheme, shade, toRgb } from "../../../../app/browser/shared/palette.js";
import { equal, test } from "../harness.js";

/** @param {string} background @param {string} ink */
function themeOf(background, ink) {
  const element = document.createElement("div");
  element.style.setProperty("--st-background-color", background);
  element.style.setProperty("--st-text-color", ink);
  document.body.append(element);
  return readTheme(element);
}

test("a share of one colour is mixed into another", () => {
  equal(mix([0, 100, 200], [100, 200, 0], 0.25), [25, 125, 150]);
});

test("colours are read as the browser paints them, and written as CSS", () => {
  equal(toRgb("#E69F00"), [230, 159, 0]);
  equal(toRgb("hsl(0 0% 100%)"), [255, 255, 255]);
  equal(toRgb(css([1, 2, 3])), [1, 2, 3]);
  equal(css([1, 2, 3], 0.25), "rgb(1 2 3 / 25%)");
});

test("the scale leaves out the end that fades into the page", () => {
  equal(shade(0, false), [68, 1, 84]);
  equal(shade(1, true), [253, 231, 37]);
  // Of eight steps, 0.92 is 0.36 beyond the last but one stop, and 0.16 is 0.28 beyond the second.
  equal(shade(1, false), [200, 224, 45]);
  equal(shade(0, true), [68, 54, 127]);
});

test("a theme is dark where the ink is brighter than the page", () => {
  equal(themeOf("#ffffff", "#000000").dark, false);
  const { dark, dim, ink } = themeOf("#000000", "#ffffff");
  equal([dark, dim, ink], [true, [77, 77, 77], [255, 255, 255]]);
});
