/* A table of cosines: each pair once, the more alike the darker. */

import { make } from "../shared/dom.js";

/**
 * Return the table of n sentences, which calls `choose` with the rows of the pair under the pointer.
 * @param {string} title
 * @param {number[][]} cosines
 * @param {number[]} numbers of the sentences, from 0
 * @param {(first: number, second: number) => void} choose
 */
export function table(title, cosines, numbers, choose) {
  const head = [make("td"), ...numbers.slice(0, -1).map((number) => heading(number, "col"))];
  const rows = numbers.slice(1).map((number, above) => {
    const cells = numbers.slice(0, -1).map((_, first) => {
      const second = above + 1;
      if (first >= second) return make("td");
      const cosine = cosines[first][second];
      const act = () => choose(first, second);
      const listeners = { onpointerenter: act, onpointerdown: act };
      const text = cosine.toFixed(2).replace("-0.00", ".00").replace("0.", ".");
      const pair = `${first} ${second}`;
      const cell = make("td", { text, "data-pair": pair, ...listeners });
      cell.style.setProperty("--share", `${(45 * Math.min(1, Math.max(0, cosine))).toFixed(0)}%`);
      return cell;
    });
    return make("tr", {}, [heading(number, "row"), ...cells]);
  });
  const caption = make("caption", { class: "spoken", text: title });
  const body = make("tbody", {}, rows);
  return make("table", {}, [caption, make("thead", {}, [make("tr", {}, head)]), body]);
}

/** @param {number} number @param {string} scope */
function heading(number, scope) {
  return make("th", { scope, text: String(number + 1) });
}

/** Mark the cell of a pair. @param {HTMLElement} within @param {[number, number]} pair */
export function mark(within, pair) {
  for (const cell of within.querySelectorAll("td")) {
    cell.classList.toggle("marked", cell.dataset.pair === pair.join(" "));
  }
}
