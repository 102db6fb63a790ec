/* Colour slots: a byte per row that names a shade of the scale, a category, other or missing. */

import { mix, shade, toRgb } from "../shared/palette.js";

/** @import { Rgb, Theme } from "./types" */

export const MISSING = 255;
export const OTHER = 254;
const N_SHADES = 254;

// Okabe and Ito's palette without yellow, which fades on white; the first is the text's own colour.
const CATEGORIES = ["", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"];
export const MAX_CATEGORIES = CATEGORIES.length;

/** Return the slot of a share in 0..1. @param {number} share */
export function slotOf(share) {
  return Math.round(Math.min(1, Math.max(0, share)) * (N_SHADES - 1));
}

/**
 * Return 256 colours by slot: shades of the scale or categories, then other and missing.
 * @param {"number" | "category"} kind
 * @param {Theme} theme
 */
export function slotColours(kind, theme) {
  const colours = Array.from({ length: N_SHADES }, (_, slot) =>
    kind === "number"
      ? shade(slot / (N_SHADES - 1), theme.dark)
      : categoryColour(slot % MAX_CATEGORIES, theme),
  );
  colours[OTHER] = mix(theme.background, theme.ink, 0.62);
  colours[MISSING] = theme.missing;
  return colours;
}

/** @param {number} slot @param {Theme} theme @returns {Rgb} */
function categoryColour(slot, theme) {
  return slot === 0 ? theme.ink : toRgb(CATEGORIES[slot]);
}
