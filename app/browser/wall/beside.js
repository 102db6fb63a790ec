/* Lists below the panes of a wall without a server: neighbours of the picked row, selected rows. */

import { button, grouped, make, saveAs } from "../shared/dom.js";
import { formatNumber } from "./colouring.js";
import { textOf } from "./payload.js";

/** @import { Column, Data, Picked, View } from "./types" */

const MAX_LISTED = 200;
// Texts that a spreadsheet would read as a formula.
const FORMULA = /^'*[=+\-@\t\r]/;

/** The two lists; `pick` is called with the neighbour that was clicked. */
export class Beside {
  #neighbours = make("section");
  #selected = make("section");
  #pick;
  /** What the lists show now, so that a zoom does not rebuild them. @type {unknown[]} */
  #shown = [];
  element = make("div", { class: "beside" }, [this.#neighbours, this.#selected]);

  /** @param {(row: number, pane: number) => void} pick */
  constructor(pick) {
    this.#pick = pick;
  }

  /** Show the lists of a view, or nothing if a server shows them. @param {Data} data @param {View} view */
  show(data, view) {
    this.element.hidden = !data.neighbours.length;
    const wanted = [data.content, view.picked, view.selected];
    if (this.element.hidden || wanted.every((each, i) => each === this.#shown[i])) return;
    this.#shown = wanted;
    this.#neighbours.replaceChildren(...this.#nearest(data, view.picked));
    this.#selected.replaceChildren(...selection(data, view));
  }

  /** @param {Data} data @param {Picked | null} picked */
  #nearest(data, picked) {
    const title = make("h2", { text: "Neighbours" });
    if (!picked) {
      const text = "Click a point to list its nearest rows in the full space of every pane.";
      return [title, make("p", { text })];
    }
    const first = new Set(neighboursIn(data, 0, picked.row));
    const panes = data.panes.map((_, pane) => this.#ofPane(data, pane, picked.row, first));
    const { name } = data.panes[0];
    const note = `New: not a neighbour in ${name}. Neighbours are ringed in the panes.`;
    return [
      title,
      make("p", { class: "picked", text: textOf(data, picked.row) }),
      make("div", { class: "lists" }, panes),
      make("p", { text: note }),
    ];
  }

  /**
   * @param {Data} data
   * @param {number} pane
   * @param {number} row
   * @param {Set<number>} first
   */
  #ofPane(data, pane, row, first) {
    const { k, values } = data.neighbours[pane];
    const items = neighboursIn(data, pane, row).map((near, i) => {
      const go = button(textOf(data, near), "Pick this row", () => this.#pick(near, pane));
      const value = make("span", { class: "value", text: formatNumber(values[row * k + i]) });
      const mark = first.has(near) ? [] : [make("strong", { text: "new" })];
      return make("li", {}, [make("span", { class: "near" }, [value, go, ...mark])]);
    });
    const { name, badge } = data.panes[pane];
    return make("div", {}, [make("h3", { text: name, title: badge }), make("ol", {}, items)]);
  }
}

/**
 * Return the neighbours of a row in a pane, nearest first.
 * @param {Data} data
 * @param {number} pane
 * @param {number} row
 */
export function neighboursIn(data, pane, row) {
  const { k, rows } = data.neighbours[pane];
  return [...rows.subarray(row * k, (row + 1) * k)];
}

/** @param {Data} data @param {View} view */
function selection(data, { selected }) {
  const title = make("h2", { text: "Selection" });
  const rows = [...selected.keys()].filter((row) => selected[row]);
  if (!rows.length) {
    const text = "Draw a lasso, search, or click a category of the legend to list its rows here.";
    return [title, make("p", { text })];
  }
  const items = rows.slice(0, MAX_LISTED).map((row) => make("li", { text: textOf(data, row) }));
  const which = rows.length > MAX_LISTED ? `the first ${MAX_LISTED} of ` : "";
  const save = () => saveAs(new Blob([csvOf(data, rows)], { type: "text/csv" }), "selection.csv");
  return [
    title,
    make("p", { text: `Listed: ${which}${grouped(rows.length)} selected rows.` }),
    button("Save the rows (CSV)", "Save all selected rows with every column", save),
    make("ul", { class: "rows", tabindex: 0 }, items),
  ];
}

/**
 * Return rows as CSV: text and every column, one column per pane if panes differ.
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
