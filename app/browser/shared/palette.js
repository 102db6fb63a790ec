/* Colours: those of Streamlit's theme, a sequential scale and a categorical palette. */

export const MISSING = 255;
export const OTHER = 254;
const N_SHADES = 254;

// Viridis (matplotlib, CC0) at ninths; cividis passes through the grey that dimmed rows have here.
const VIRIDIS = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];

// Okabe and Ito's palette without yellow, which fades on white; the first is the text's own colour.
const CATEGORIES = ["", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"];
export const MAX_CATEGORIES = CATEGORIES.length;

/** Return the theme of the page: `[r, g, b]` for what is painted, CSS text for what is drawn. */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const value = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const background = toRgb(value("--st-background-color", "#ffffff"));
  const ink = toRgb(value("--st-text-color", "#0b0b0e"));
  return {
    background,
    ink,
    dark: background[0] + background[1] + background[2] < ink[0] + ink[1] + ink[2],
    muted: mix(background, ink, 0.72),
    line: mix(background, ink, 0.2),
    dim: mix(background, ink, 0.3),
    missing: mix(background, ink, 0.5),
    primary: toRgb(value("--st-primary-color", "#1f6feb")),
    font: value("--st-font", "sans-serif"),
  };
}

/** Return the colour at `share` of the scale, leaving out the end that fades into the page. */
export function shade(share, isDark) {
  const kept = isDark ? 0.16 + 0.84 * share : 0.92 * share;
  const at = kept * (VIRIDIS.length - 1);
  const stop = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return mix(VIRIDIS[stop], VIRIDIS[stop + 1], at - stop);
}

/** Return the slot of a share in 0..1. */
export function slotOf(share) {
  return Math.round(Math.min(1, Math.max(0, share)) * (N_SHADES - 1));
}

/** Return 256 colours by slot: shades of the scale or categories, then other and missing. */
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

function categoryColour(slot, theme) {
  return slot === 0 ? theme.ink : toRgb(CATEGORIES[slot]);
}

/** Return `share` of `b` mixed into `a`. */
export function mix(a, b, share) {
  return a.map((channel, i) => Math.round(channel + (b[i] - channel) * share));
}

/** Return CSS text. */
export function css(rgb) {
  return `rgb(${rgb.join(" ")})`;
}

let probe = null;

/** Return `[r, g, b]` of any CSS colour, as the browser itself paints it. */
function toRgb(text) {
  probe ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  probe.fillStyle = text;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}
