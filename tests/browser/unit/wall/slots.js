import { MISSING, OTHER, slotColours, slotOf } from "../../../../app/browser/wall/slots.js";
import { equal, test } from "../harness.js";

/** @type {import("../../../../app/browser/shared/types").Theme} */
const THEME = {
  background: [255, 255, 255],
  ink: [0, 0, 0],
  muted: [1, 1, 1],
  line: [2, 2, 2],
  dim: [3, 3, 3],
  missing: [128, 128, 128],
  primary: [0, 0, 255],
  dark: false,
  font: "sans-serif",
};

test("a share fills 254 slots and no more", () => {
  equal([0, 0.5, 1, -3, 7].map(slotOf), [0, 127, 253, 0, 253]);
});

test("numbers run from the dark end of the scale to the bright one", () => {
  const colours = slotColours("number", THEME);
  equal(colours[0], [68, 1, 84]);
  equal([colours.length, colours[MISSING]], [256, [128, 128, 128]]);
  const light = ([red, green, blue] = colours[0]) => 0.3 * red + 0.59 * green + 0.11 * blue;
  for (let slot = 1; slot < OTHER; slot++) {
    if (light(colours[slot]) < light(colours[slot - 1]) - 0.5) throw new Error(`slot ${slot}`);
  }
});

test("categories are the ink and the palette of Okabe and Ito", () => {
  const colours = slotColours("category", THEME);
  equal(colours.slice(0, 4), [
    [0, 0, 0],
    [230, 159, 0],
    [86, 180, 233],
    [0, 158, 115],
  ]);
  equal(colours[OTHER], [97, 97, 97]); // 0.62 of black mixed into white
});
