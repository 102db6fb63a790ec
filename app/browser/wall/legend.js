/* The legend above the panes: a scale, or a button per category that selects its rows everywhere. */

import { make } from "../shared/dom.js";
import { css, shade } from "../shared/palette.js";
import { scaleText } from "./colouring.js";
import { howOf } from "./selection.js";

/** @import { Colouring, How } from "./types" */
/** @import { Scene } from "./scene.js" */

/** @typedef {(rows: Uint8Array, how: How) => void} Select */

const N_STOPS = 12;

/**
 * Fill `box` for a scene; scales that differ by pane stand below each on the canvas.
 * @param {HTMLElement} box
 * @param {Scene} scene
 * @param {Select} select
 */
export function showLegend(box, scene, select) {
  const { colouring } = scene;
  const isElsewhere = colouring.kind === "number" && colouring.perPane;
  box.hidden = isElsewhere || !colouring.name;
  box.replaceChildren();
  if (box.hidden) return;
  if (colouring.kind === "number") showScale(box, scene);
  else showCategories(box, scene, select);
}

/** @param {HTMLElement} box @param {Scene} scene */
function showScale(box, { colouring, theme }) {
  const { ends, note } = scaleText(colouring, 0);
  const stops = Array.from({ length: N_STOPS }, (_, i) =>
    css(shade(i / (N_STOPS - 1), theme.dark)),
  );
  const bar = make("span", { class: "bar", "aria-hidden": "true" });
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const [low, high] = ends.map((text) => make("span", { text }));
  box.append(make("span", { text: note }), make("span", { class: "scale" }, [low, bar, high]));
}

/** @param {HTMLElement} box @param {Scene} scene @param {Select} select */
function showCategories(box, { colouring, colours, data }, select) {
  box.append(make("span", { text: colouring.name }));
  for (const { slot, text } of colouring.entries) {
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = css(colours[slot]);
    /** @param {MouseEvent} event */
    const onclick = (event) => select(rowsOfSlot(colouring, slot, data.n), howOf(event));
    const title = `Select the rows of ${text}; Shift adds them, Alt removes them`;
    const label = make("span", { class: "entry-text", text });
    box.append(make("button", { type: "button", class: "entry", title, onclick }, [swatch, label]));
  }
}

/**
 * Return the rows of a category; where panes differ, those that any pane has in it.
 * @param {Pick<Colouring, "slots">} colouring
 * @param {number} slot
 * @param {number} n
 */
export function rowsOfSlot({ slots }, slot, n) {
  const rows = new Uint8Array(n);
  for (const pane of slots) {
    for (let row = 0; row < n; row++) if (pane[row] === slot) rows[row] = 1;
  }
  return rows;
}
