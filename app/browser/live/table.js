/* A table of cosines: each pair once, darker for higher cosines. */

import { make } from "../shared/dom.js";

/**
 * Return the table of sentences, which calls `choose` with the rows of the pair under the pointer.
 * @param {string} title
 * @param {number[]} numbers of the sentences, from 0
 * @param {(first: number, second: number) => number} cosine
 * @param {(first: number, second: number) => void} choose
 */
export function table(title, numbers, cosine, choose) {
  const columns = numbers.slice(0, -1);
  const head = make("tr", {}, [make("td"), ...columns.map((number) => heading(number, "col"))]);
  const rows = numbers.slice(1).map((number, above) => {
    const cells = columns.map((_, first) => {
      if (first > above) return make("td");
      const [second, act] = [above + 1, () => choose(first, above + 1)];
      const value = cosine(first, second).toFixed(2);
      return make("td", {
        text: value.replace("-0.00", ".00").replace("0.", "."),
        style: `--cosine: ${value}`,
        "data-pair": `${first} ${second}`,
        onpointerenter: act,
        onpointerdown: act,
      });
    });
    return make("tr", {}, [heading(number, "row"), ...cells]);
  });
  const caption = make("caption", { class: "spoken", text: title });
  return make("table", {}, [caption, make("thead", {}, [head]), make("tbody", {}, rows)]);
}

/** @param {number} number @param {string} scope */
function heading(number, scope) {
  return make("th", { scope, text: String(number + 1) });
}

/** Mark the cells of a pair. @param {HTMLElement} within @param {number[]} pair */
export function markCells(within, pair) {
  for (const cell of within.querySelectorAll("td"))
    cell.classList.toggle("marked", cell.dataset.pair === pair.join(" "));
}
