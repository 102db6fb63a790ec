/* The wall's buttons and boxes; each changes the wall and shows the state of the view. */

import { button, labelled, make } from "../shared/dom.js";
import { Later } from "../shared/later.js";

/** @import { Data, Mode, View } from "./types" */
/** @import { Wall } from "./wall.js" */

/** @type {readonly (readonly [Mode, string, string])[]} */
const MODES = [
  ["lasso", "Lasso", "Drag around rows to select them in all panes; Shift adds, Alt removes"],
  ["pan", "Pan", "Drag to move the picture; the wheel zooms in every mode"],
];
const SEARCH_PAUSE_MS = 250;
const NAMES = "Name regions of each picture by their distinctive words; zoom in for finer ones";

/** The rows of controls above the panes. */
export class Controls {
  message = make("span", { class: "message", role: "status" });

  /** @param {Wall} wall */
  constructor(wall) {
    const asking = new Later(SEARCH_PAUSE_MS);
    this.modes = MODES.map(([mode, text, title]) => {
      const choice = button(text, title, () => wall.set({ mode }));
      choice.dataset.mode = mode;
      return choice;
    });
    this.link = make("input", {
      type: "checkbox",
      onchange: () => wall.set({ linked: this.link.checked }),
    });
    this.named = make("input", {
      type: "checkbox",
      onchange: () => wall.set({ named: this.named.checked }),
    });
    this.column = make("select", { onchange: () => wall.set({ column: this.column.value }) });
    this.text = make("input", {
      type: "search",
      maxlength: 200,
      placeholder: "Words in the text",
      oninput: () => asking.call(() => wall.search(this.text.value)),
    });
    const modes = { class: "modes", role: "group", "aria-label": "What dragging does" };
    this.element = make("div", { class: "controls" }, [
      make("div", modes, this.modes),
      labelled("Link zoom", this.link, "Zoom and move all panes together"),
      labelled("Topic names", this.named, NAMES),
      button("Reset view", "Show every row again; a double click does so too", () => wall.reset()),
      button("Clear", "Select no row; Escape does so too", () => wall.clear()),
      labelled("Colour", this.column, "What the colour of a row stands for"),
      labelled("Search", this.text, "Select the rows whose text contains this, in either case"),
      this.message,
    ]);
  }

  /** Say what a search found, in a sentence. @param {string} message */
  say(message) {
    this.message.textContent = message;
  }

  /** Show a view of these data. @param {View} view @param {Data} data */
  show(view, { panes, columns }) {
    for (const choice of this.modes)
      choice.setAttribute("aria-pressed", String(choice.dataset.mode === view.mode));
    this.link.checked = view.linked;
    this.named.checked = view.named;
    this.column.replaceChildren(
      ...columns.map(({ name }) => make("option", { value: name, text: name })),
    );
    this.column.value = view.column;
    const isNamed = panes.some(({ topics }) => topics.length);
    this.named.closest("label")?.toggleAttribute("hidden", !isNamed);
    this.column.closest("label")?.toggleAttribute("hidden", !columns.length);
    // Leave the text alone while the visitor types.
    if (!this.text.matches(":focus")) this.text.value = view.search;
  }
}
