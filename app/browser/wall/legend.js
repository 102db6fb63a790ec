/* The legend above the panes: a scale, or a button a category that selects its rows everywhere. */

import { scaleText } from "./colouring.js";
import { make } from "../shared/dom.js";
import { css, shade } from "../shared/palette.js";
import { howOf } from "./selection.js";

const N_STOPS = 12;

/** Fill `box` for a scene; scales that differ by pane stand below each on the canvas. */
export function showLegend(box, scene, select) {
  const { colouring } = scene;
  const isElsewhere = colouring.kind === "number" && colouring.perPane;
  box.hidden = isElsewhere || !colouring.name;
  box.replaceChildren();
  if (box.hidden) return;
  if (colouring.kind === "number") showScale(box, scene);
  else showCategories(box, scene, select);
}

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

function showCategories(box, { colouring, colours, data }, select) {
  box.append(make("span", { text: colouring.name }));
  for (const { slot, text } of colouring.entries) {
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = css(colours[slot]);
    const onclick = (event) => select(rowsOfSlot(colouring, slot, data.n), howOf(event));
    const title = `Select the rows of ${text}; Shift adds them, Alt removes them`;
    const label = make("span", { class: "entry-text", text });
    box.append(make("button", { type: "button", class: "entry", title, onclick }, [swatch, label]));
  }
}

/** Return the rows of a category; where panes differ, those that any pane has in it. */
function rowsOfSlot({ slots }, slot, n) {
  const rows = new Uint8Array(n);
  for (const pane of slots) {
    for (let row = 0; row < n; row++) if (pane[row] === slot) rows[row] = 1;
  }
  return rows;
}
