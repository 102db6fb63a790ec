/* The selected rows as a CSV file: text and every column, one column per pane where panes differ. */

import { saveAs } from "../shared/dom.js";
import { textOf } from "./payload.js";

/** @import { Column, Data } from "./types" */

// What a spreadsheet would take for a formula.
const FORMULA = /^'*[=+\-@\t\r]/;

/** @param {Data} data @param {number[]} rows */
export function saveRows(data, rows) {
  saveAs(new Blob([csvOf(data, rows)], { type: "text/csv" }), "selection.csv");
}

/**
 * Return rows as CSV with a header.
 * @param {Data} data
 * @param {number[]} rows
 */
export function csvOf(data, rows) {
  const columns = data.columns.flatMap((column) =>
    column.rows.map((values, pane) => ({
      header: headerOf(column, column.rows.length > 1 ? data.panes[pane].name : ""),
      /** @param {number} row */
      cell: (row) => cellOf(column, values[row]),
    })),
  );
  const header = ["row", "text", ...columns.map((column) => column.header)].map(quoted);
  const lines = rows.map((row) => [
    String(row),
    quoted(textOf(data, row)),
    ...columns.map(({ cell }) => cell(row)),
  ]);
  return [header, ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

/** @param {Column} column @param {string} pane */
function headerOf({ name, unit }, pane) {
  return `${name}${unit && ` (${unit})`}${pane && `, ${pane}`}`;
}

/** @param {Column} column @param {number} value */
function cellOf({ labels }, value) {
  if (Number.isNaN(value)) return "";
  return labels.length ? quoted(labels[value]) : String(Number(value.toPrecision(7))); // as exact as float32
}

/** @param {string} text */
function quoted(text) {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
