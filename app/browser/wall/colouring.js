/* Turn a column into one colour slot a row; rows keep their numbers whatever their colour. */

import { MAX_CATEGORIES, MISSING, OTHER, slotOf } from "../shared/palette.js";

const LOW_SHARE = 0.01;
const HIGH_SHARE = 0.99;

/**
 * Return `{ kind, name, unit, perPane, slots, ranges, entries }`: `slots[p]` and `ranges[p]` by
 * pane, `entries` the legend of categories.
 */
export function colourBy(column, nPanes) {
  const perPane = column.rows.length > 1;
  const rowsOf = (pane) => column.rows[perPane ? pane : 0];
  const found = column.labels.length
    ? byCategory(column)
    : { kind: "number", ...byNumber(column.rows) };
  const spread = (list) => Array.from({ length: nPanes }, (_, pane) => list?.[perPane ? pane : 0]);
  return {
    entries: [],
    ...found,
    name: column.name,
    unit: column.unit,
    labels: column.labels,
    perPane,
    values: Array.from({ length: nPanes }, (_, pane) => rowsOf(pane)),
    slots: spread(found.slots),
    ranges: spread(found.ranges),
  };
}

/** Return a row's value for a reader, with name and unit; empty on a wall without columns. */
export function valueText({ name, kind, unit, labels, values }, pane, row) {
  if (!name) return "";
  const value = values[pane][row];
  if (Number.isNaN(value)) return `${name}: missing`;
  if (kind === "category") return `${name}: ${labels[value]}`;
  return `${name}: ${formatNumber(value)}${unit && ` ${unit}`}`;
}

/** Return what stands at the two ends of a pane's scale, and what the scale is. */
export function scaleText({ name, unit, ranges }, pane) {
  const { low, high, nMissing } = ranges[pane];
  const ends = Number.isNaN(low) ? ["", "no values"] : [formatNumber(low), formatNumber(high)];
  const missing = nMissing ? "; grey: missing" : "";
  return { ends, note: `${name}${unit && ` (${unit})`}, 1st to 99th percentile${missing}` };
}

/** Write a number in at most four significant digits. */
export function formatNumber(value) {
  return value.toLocaleString("en", { maximumSignificantDigits: 4 });
}

function byNumber(rows) {
  const ranges = rows.map(robustRange);
  const slots = rows.map((values, pane) => {
    const { low, high } = ranges[pane];
    const width = high - low || 1;
    return Uint8Array.from(values, (value) =>
      Number.isNaN(value) ? MISSING : slotOf((value - low) / width),
    );
  });
  return { ranges, slots };
}

/** Return the 1st and 99th percentile, so that one outlier does not flatten the scale. */
function robustRange(values) {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  return {
    low: quantile(known, LOW_SHARE),
    high: quantile(known, HIGH_SHARE),
    nMissing: values.length - known.length,
  };
}

function quantile(sorted, share) {
  if (!sorted.length) return NaN;
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at % 1);
}

/** Give the most frequent categories a colour each: their own, or one in the order of labels. */
function byCategory(column) {
  const slotOfLabel = new Uint8Array(column.labels.length).fill(OTHER);
  const shown = column.labels.map((_, label) => label);
  if (shown.length > MAX_CATEGORIES) {
    const counts = countLabels(column);
    shown.sort((a, b) => counts[b] - counts[a] || a - b);
    shown.length = MAX_CATEGORIES;
    shown.sort((a, b) => a - b);
  }
  shown.forEach((label, place) => (slotOfLabel[label] = column.colours[label] ?? place));
  const entries = shown.map((label) => ({ slot: slotOfLabel[label], text: column.labels[label] }));
  const nOther = column.labels.length - shown.length;
  if (nOther) entries.push({ slot: OTHER, text: `other (${nOther} more)` });
  if (column.rows.some((values) => values.some(Number.isNaN))) {
    entries.push({ slot: MISSING, text: "missing" });
  }
  const slots = column.rows.map((values) =>
    Uint8Array.from(values, (label) => (Number.isNaN(label) ? MISSING : slotOfLabel[label])),
  );
  return { kind: "category", entries, slots };
}

function countLabels(column) {
  const counts = new Uint32Array(column.labels.length);
  for (const values of column.rows) {
    for (const label of values) if (!Number.isNaN(label)) counts[label] += 1;
  }
  return counts;
}
