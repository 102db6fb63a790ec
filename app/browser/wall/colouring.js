/* A column as colours of rows. A row's slot, one byte, stands for a shade of the scale, a category,
   other or missing. Colours do not change the numbers of rows. */

import { mix, shade, toRgb } from "../shared/palette.js";

/** @import { Colouring, Column, Rgb, Theme } from "./types" */

const [LOW_SHARE, HIGH_SHARE] = [0.01, 0.99];
export const MISSING = 255;
export const OTHER = 254;
const N_SHADES = 254;
// Okabe and Ito's palette without yellow, which fades on white; the first is the text's own colour.
const CATEGORIES = ["", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"];

/**
 * Return a column as colours of the rows of so many panes.
 * @param {Column} column
 * @param {number} nPanes
 * @returns {Colouring}
 */
export function colourBy({ name, unit, labels, rows }, nPanes) {
  const shown = shownLabels(labels, rows);
  const all = rows.map((values) => (labels.length ? byCategory(values, shown) : byNumber(values)));
  const perPane = rows.length > 1;
  return {
    ...{ name, unit, labels, perPane },
    kind: labels.length ? "category" : "number",
    entries: entriesOf(labels, rows, shown),
    panes: Array.from({ length: nPanes }, (_, pane) => all[perPane ? pane : 0]),
  };
}

/**
 * Spread numbers between their 1st and 99th percentile, so that one outlier does not flatten the scale.
 * @param {Float32Array} values
 */
function byNumber(values) {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  const [low, high] = [LOW_SHARE, HIGH_SHARE].map((share) => quantile(known, share));
  const slots = Uint8Array.from(values, (value) =>
    Number.isNaN(value) ? MISSING : slotOf((value - low) / (high - low || 1)),
  );
  return { values, slots, low, high, nMissing: values.length - known.length };
}

/** @param {Float32Array} sorted @param {number} share */
function quantile(sorted, share) {
  if (!sorted.length) return NaN;
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at % 1);
}

/** Return the slot of a share in 0..1. @param {number} share */
export function slotOf(share) {
  return Math.round(Math.min(1, Math.max(0, share)) * (N_SHADES - 1));
}

/** @param {Float32Array} values @param {number[]} shown labels, in the order of their colours */
function byCategory(values, shown) {
  const slots = Uint8Array.from(values, (label) => {
    const place = shown.indexOf(label);
    return Number.isNaN(label) ? MISSING : place < 0 ? OTHER : place;
  });
  return { values, slots, low: NaN, high: NaN, nMissing: 0 };
}

/** Return the labels that get a colour, in their order: all, or the most frequent. @param {string[]} labels @param {Float32Array[]} rows */
function shownLabels(labels, rows) {
  const counts = new Uint32Array(labels.length);
  for (const values of rows)
    for (const label of values) if (!Number.isNaN(label)) counts[label] += 1;
  return [...labels.keys()]
    .sort((a, b) => counts[b] - counts[a] || a - b)
    .slice(0, CATEGORIES.length)
    .sort((a, b) => a - b);
}

/** @param {string[]} labels @param {Float32Array[]} rows @param {number[]} shown */
function entriesOf(labels, rows, shown) {
  if (!labels.length) return [];
  const entries = shown.map((label, slot) => ({ slot, text: labels[label] }));
  const nOther = labels.length - shown.length;
  if (nOther) entries.push({ slot: OTHER, text: `other (${nOther} more)` });
  if (rows.some((values) => values.some(Number.isNaN)))
    entries.push({ slot: MISSING, text: "missing" });
  return entries;
}

/**
 * Return 256 colours by slot: shades of the scale or categories, then other and missing.
 * @param {"number" | "category"} kind
 * @param {Theme} theme
 * @returns {Rgb[]}
 */
export function slotColours(kind, theme) {
  const categories = CATEGORIES.map((text) => (text ? toRgb(text) : theme.ink));
  const colours = Array.from({ length: N_SHADES }, (_, slot) =>
    kind === "number"
      ? shade(slot / (N_SHADES - 1), theme.dark)
      : categories[slot % categories.length],
  );
  return [...colours, mix(theme.background, theme.ink, 0.62), theme.missing];
}

/**
 * Return the rows of a category; if panes differ, the rows that have it in any pane.
 * @param {Pick<Colouring, "panes">} colouring
 * @param {number} slot
 */
export function rowsOfSlot({ panes }, slot) {
  return panes[0].slots.map((_, row) => Number(panes.some(({ slots }) => slots[row] === slot)));
}

/**
 * Return a row's value as text, with name and unit; empty on a wall without columns.
 * @param {Colouring} colouring
 * @param {number} pane
 * @param {number} row
 */
export function valueText({ name, kind, unit, labels, panes }, pane, row) {
  if (!name) return "";
  const value = panes[pane].values[row];
  if (Number.isNaN(value)) return `${name}: missing`;
  if (kind === "category") return `${name}: ${labels[value]}`;
  return `${name}: ${formatNumber(value)}${unit && ` ${unit}`}`;
}

/**
 * Return the texts at the two ends of a pane's scale, and its title.
 * @param {Colouring} colouring
 * @param {number} pane
 */
export function scaleText({ name, unit, panes }, pane) {
  const { low, high, nMissing } = panes[pane];
  const ends = Number.isNaN(low)
    ? ["", "no values"]
    : [low, high].map((end) => formatNumber(end, 3));
  const missing = nMissing ? "; grey: missing" : "";
  return { ends, note: `${name}${unit && ` (${unit})`}, 1st to 99th percentile${missing}` };
}

/**
 * Write a number in few significant digits.
 * @param {number} value
 * @param {number} digits Most digits; three at the ends of a scale, which are interpolated.
 */
export function formatNumber(value, digits = 4) {
  return value.toLocaleString("en", { maximumSignificantDigits: digits });
}
