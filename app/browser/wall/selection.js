/* The one selection of all panes: a byte per row; lasso, legend, search and keys all set it. */

import { textOf } from "./payload.js";

/** @import { Data, How, View } from "./types" */

/** @type {How} */
export const REPLACE = "replace";
/** @type {How} */
export const ADD = "add";
/** @type {How} */
export const REMOVE = "remove";

/**
 * Return what the keys held mean for a selection.
 * @param {Pick<MouseEvent, "altKey" | "shiftKey">} event
 */
export function howOf(event) {
  return event.altKey ? REMOVE : event.shiftKey ? ADD : REPLACE;
}

/**
 * Return the selection after `rows` replaced, joined or left it.
 * @param {Uint8Array} selected
 * @param {Uint8Array} rows
 * @param {How} how
 */
export function combine(selected, rows, how) {
  if (how === REPLACE) return rows;
  const wanted = how === ADD ? 1 : 0;
  return selected.map((is, row) => (rows[row] ? wanted : is));
}

/** Return how many rows are selected. @param {Uint8Array} selected */
export function count(selected) {
  let total = 0;
  for (const is of selected) total += is;
  return total;
}

/** Return the rows whose text holds a word, whatever the case. @param {Data} data @param {string} word */
export function rowsWith(data, word) {
  const sought = word.toLowerCase();
  return new Uint8Array(data.n).map((_, row) =>
    Number(textOf(data, row).toLowerCase().includes(sought)),
  );
}

/**
 * Return what the server is told of a view; report.py reads it.
 * @param {Pick<View, "ids" | "selected" | "picked">} view
 */
export function reportOf({ ids, selected, picked }) {
  const rows = count(selected) ? toBase64(selected) : null;
  return { ids, selected: rows, picked: picked?.row ?? null, pane: picked?.pane ?? null };
}

/** Return one bit per row, the lowest first. @param {Uint8Array} selected */
function toBase64(selected) {
  const bytes = new Uint8Array(Math.ceil(selected.length / 8));
  selected.forEach((is, row) => {
    bytes[row >> 3] |= is << (row & 7);
  });
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
