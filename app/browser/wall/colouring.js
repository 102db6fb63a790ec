/* Turn a column into one colour slot per row; rows keep their numbers whatever their colour. */

import { MAX_CATEGORIES, MISSING, OTHER, slotOf } from "./slots.js";

/** @import { Colouring, Column, ValueRange } from "./types" */

const LOW_SHARE = 0.01;
const HIGH_SHARE = 0.99;

/**
 * Return a column as colours of the rows of so many panes.
 * @param {Column} column
 * @param {number} nPanes
 * @returns {Colouring}
 */
export function colourBy(column, nPanes) {
  const perPane = column.rows.length > 1;
  const { kind, entries, slots, ranges } = column.labels.length
    ? byCategory(column)
    : byNumber(column.rows);
  /** @type {<T>(list: T[]) => T[]} */
  const spread = (list) => Array.from({ length: nPanes }, (_, pane) => list[perPane ? pane : 0]);
  return {
    kind,
    entries,
    name: column.name,
    unit: column.unit,
    labels: column.labels,
    perPane,
    values: spread(column.rows),
    slots: spread(slots),
    ranges: spread(ranges),
  };
}

/**
 * Return a row's value for a reader, with name and unit; empty on a wall without columns.
 * @param {Colouring} colouring
 * @param {number} pane
 * @param {number} row
 */
export function valueText({ name, kind, unit, labels, values }, pane, row) {
  if (!name) return "";
  const value = values[pane][row];
  if (Number.isNaN(value)) return `${name}: missing`;
  if (kind === "category") return `${name}: ${labels[value]}`;
  return `${name}: ${formatNumber(value)}${unit && ` ${unit}`}`;
}

/**
 * Return what stands at the two ends of a pane's scale, and what the scale is.
 * @param {Colouring} colouring
 * @param {number} pane
 */
export function scaleText({ name, unit, ranges }, pane) {
  const { low, high, nMissing } = ranges[pane];
  const ends = Number.isNaN(low)
    ? ["", "no values"]
    : [low, high].map((end) => formatNumber(end, 3));
  const missing = nMissing ? "; grey: missing" : "";
  return { ends, note: `${name}${unit && ` (${unit})`}, 1st to 99th percentile${missing}` };
}

/**
 * Write a number in few significant digits.
 * @param {number} value
 * @param {number} digits At most so many; three at the ends of a scale, which are mixed values.
 */
export function formatNumber(value, digits = 4) {
  return value.toLocaleString("en", { maximumSignificantDigits: digits });
}

/**
 * @typedef {Pick<Colouring, "kind" | "entries" | "slots" | "ranges">} Slotted
 * @param {Float32Array[]} rows
 * @returns {Slotted}
 */
function byNumber(rows) {
  const ranges = rows.map(robustRange);
  const slots = rows.map((values, pane) => {
    const { low, high } = ranges[pane];
    const width = high - low || 1;
    return Uint8Array.from(values, (value) =>
      Number.isNaN(value) ? MISSING : slotOf((value - low) / width),
    );
  });
  return { kind: "number", entries: [], ranges, slots };
}

/**
 * Return the 1st and 99th percentile, so that one outlier does not flatten the scale.
 * @param {Float32Array} values
 * @returns {ValueRange}
 */
function robustRange(values) {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  return {
    low: quantile(known, LOW_SHARE),
    high: quantile(known, HIGH_SHARE),
    nMissing: values.length - known.length,
  };
}

/** @param {Float32Array} sorted @param {number} share */
function quantile(sorted, share) {
  if (!sorted.length) return NaN;
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at % 1);
}

/**
 * Give the most frequent categories a colour each, in the order of labels.
 * @param {Column} column
 * @returns {Slotted}
 */
function byCategory(column) {
  const slotOfLabel = new Uint8Array(column.labels.length).fill(OTHER);
  const shown = shownLabels(column);
  shown.forEach((label, place) => {
    slotOfLabel[label] = place;
  });
  const entries = shown.map((label) => ({ slot: slotOfLabel[label], text: column.labels[label] }));
  const nOther = column.labels.length - shown.length;
  if (nOther) entries.push({ slot: OTHER, text: `other (${nOther} more)` });
  if (column.rows.some((values) => values.some(Number.isNaN))) {
    entries.push({ slot: MISSING, text: "missing" });
  }
  const slots = column.rows.map((values) =>
    Uint8Array.from(values, (label) => (Number.isNaN(label) ? MISSING : slotOfLabel[label])),
  );
  return { kind: "category", entries, slots, ranges: [] };
}

/** Return the labels that get a colour: all, or the most frequent. @param {Column} column */
function shownLabels(column) {
  const labels = column.labels.map((_, label) => label);
  if (labels.length <= MAX_CATEGORIES) return labels;
  const counts = countLabels(column);
  labels.sort((a, b) => counts[b] - counts[a] || a - b);
  return labels.slice(0, MAX_CATEGORIES).sort((a, b) => a - b);
}

/** @param {Column} column */
function countLabels(column) {
  const counts = new Uint32Array(column.labels.length);
  for (const values of column.rows) {
    for (const label of values) if (!Number.isNaN(label)) counts[label] += 1;
  }
  return counts;
}
