/* The visitor's settings, and the selection that all panes share: a byte per row, set by lasso,
   legend, search and keys. It survives reruns as long as the rows are the same. */

import { HOME } from "./camera.js";
import { textOf } from "./payload.js";

/** @import { Data, How, View } from "./types" */

/**
 * Return how the keys held change a selection.
 * @param {Pick<MouseEvent, "altKey" | "shiftKey">} event
 * @returns {How}
 */
export function howOf({ altKey, shiftKey }) {
  return altKey ? "remove" : shiftKey ? "add" : "replace";
}

/**
 * Return the selection after `rows` replace it, are added to it or are removed from it.
 * @param {Uint8Array} selected
 * @param {Uint8Array} rows
 * @param {How} how
 */
export function combine(selected, rows, how) {
  if (how === "replace") return rows;
  const wanted = how === "add" ? 1 : 0;
  return selected.map((is, row) => (rows[row] ? wanted : is));
}

/** Return how many rows are selected. @param {Uint8Array} selected */
export function count(selected) {
  return selected.reduce((total, is) => total + is, 0);
}

/** Return the rows whose text holds a word, whatever the case. @param {Data} data @param {string} word */
export function rowsWith(data, word) {
  const sought = word.toLowerCase();
  return new Uint8Array(data.n).map((_, row) =>
    Number(textOf(data, row).toLowerCase().includes(sought)),
  );
}

/**
 * Return a view's report to the server, which canvas.py decodes.
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
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text);
}

/**
 * Return the parts of a view that still apply to these data; none do if the rows differ.
 * @param {View | null} view
 * @param {Data} data
 * @returns {View}
 */
export function adaptedView(view, data) {
  const first = data.columns[0]?.name ?? "";
  if (!view || view.ids !== data.ids || view.n !== data.n)
    return {
      ids: data.ids,
      n: data.n,
      cameras: data.panes.map(() => HOME),
      linked: true,
      named: true,
      mode: "lasso",
      column: first,
      selected: new Uint8Array(data.n),
      picked: null,
      search: "",
    };
  const { cameras, linked, picked, column } = view;
  return {
    ...view,
    cameras: data.panes.map((_, pane) => cameras[pane] ?? (linked ? cameras[0] : HOME)),
    column: data.columns.some(({ name }) => name === column) ? column : first,
    picked: picked && { ...picked, pane: picked.pane < data.panes.length ? picked.pane : 0 },
  };
}
