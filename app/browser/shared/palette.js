/* Colours: those of Streamlit's theme, and a sequential scale. */

/** @import { Rgb, Theme } from "./types" */

// Viridis (matplotlib, CC0) at ninths; not cividis, which contains the grey of dimmed rows.
/** @type {readonly Rgb[]} */
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

/** Return the theme of the page around an element. @param {Element} element @returns {Theme} */
export function readTheme(element) {
  const style = getComputedStyle(element);
  /** @param {string} name @param {string} otherwise */
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

/**
 * Return the colour at `share` of the scale, leaving out the end that fades into the page.
 * @param {number} share
 * @param {boolean} isDark
 */
export function shade(share, isDark) {
  const kept = isDark ? 0.16 + 0.84 * share : 0.92 * share;
  const at = kept * (VIRIDIS.length - 1);
  const stop = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return mix(VIRIDIS[stop], VIRIDIS[stop + 1], at - stop);
}

/**
 * Return `share` of `b` mixed into `a`.
 * @param {Rgb} a
 * @param {Rgb} b
 * @param {number} share
 * @returns {Rgb}
 */
export function mix(a, b, share) {
  /** @param {0 | 1 | 2} i */
  const channel = (i) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [channel(0), channel(1), channel(2)];
}

/** Return CSS text. @param {Rgb} rgb @param {number} opacity */
export function css(rgb, opacity = 1) {
  return `rgb(${rgb.join(" ")} / ${100 * opacity}%)`;
}

/** @type {OffscreenCanvasRenderingContext2D | null} */
let probe = null;

/** Return a CSS colour as red, green and blue, as the browser paints it. @param {string} text @returns {Rgb} */
export function toRgb(text) {
  probe ??= /** @type {OffscreenCanvasRenderingContext2D} */ (
    new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
  );
  probe.fillStyle = text;
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
