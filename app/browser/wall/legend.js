/* The legend above the panes: a scale, or a button per category that selects its rows everywhere. */

import { make } from "../shared/dom.js";
import { css, shade } from "../shared/palette.js";
import { rowsOfSlot, scaleText } from "./colouring.js";
import { howOf } from "./selection.js";

/** @import { Colouring, How, Look, Theme } from "./types" */

/** @typedef {(rows: Uint8Array, how: How) => void} Select */

const N_STOPS = 12;

/**
 * Fill `box` for a look; scales that differ by pane stand below each pane.
 * @param {HTMLElement} box
 * @param {Look} look
 * @param {Select} select
 */
export function showLegend(box, { colouring, colours, theme }, select) {
  const { kind, perPane, name } = colouring;
  box.hidden = (kind === "number" && perPane) || !name;
  if (box.hidden) box.replaceChildren();
  else if (kind === "number") box.replaceChildren(...scaleOf(colouring, theme, 0));
  else {
    const entries = colouring.entries.map(({ slot, text }) => {
      const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = css(colours[slot]);
      /** @param {MouseEvent} event */
      const onclick = (event) => select(rowsOfSlot(colouring, slot), howOf(event));
      const title = `Select the rows of ${text}; Shift adds them, Alt removes them`;
      const label = make("span", { class: "entry-text", text });
      return make("button", { type: "button", class: "entry", title, onclick }, [swatch, label]);
    });
    box.replaceChildren(make("span", { text: name }), ...entries);
  }
}

/**
 * Return the title of a scale, and the scale of a pane between its ends.
 * @param {Colouring} colouring
 * @param {Theme} theme
 * @param {number} pane
 */
export function scaleOf(colouring, theme, pane) {
  const { ends, note } = scaleText(colouring, pane);
  const stops = Array.from({ length: N_STOPS }, (_, i) =>
    css(shade(i / (N_STOPS - 1), theme.dark)),
  );
  const bar = make("span", { class: "bar", "aria-hidden": "true" });
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const [low, high] = ends.map((text) => make("span", { text }));
  return [make("span", { text: note }), make("span", { class: "scale" }, [low, bar, high])];
}
