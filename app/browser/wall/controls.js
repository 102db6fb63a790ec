/* The wall's buttons and boxes; each calls what it is given and shows what the view holds. */

import { button, make } from "../shared/dom.js";
import { Later } from "../shared/later.js";
import { MAX_PATTERN } from "./search.js";

/** @import { Data, Mode, View } from "./types" */

/**
 * What the controls call.
 * @typedef {object} Actions
 * @property {(mode: Mode) => void} setMode
 * @property {(linked: boolean) => void} setLinked
 * @property {(named: boolean) => void} setNamed
 * @property {(column: string) => void} setColumn
 * @property {(size: number) => void} setSize
 * @property {() => void} resetAll
 * @property {() => void} clear
 * @property {() => void} save
 * @property {(text: string, isExpression: boolean) => void} search
 */

/** @type {readonly (readonly [Mode, string, string])[]} */
const MODES = [
  ["lasso", "Lasso", "Drag around rows to select them in all panes; Shift adds, Alt removes"],
  ["box", "Box", "Drag a box over rows to select them in all panes; Shift adds, Alt removes"],
  ["pan", "Pan", "Drag to move the picture; the wheel zooms in every mode"],
  ["rotate", "Rotate", "Drag to turn the picture"],
];
const SEARCH_PAUSE_MS = 250;

/** The rows of controls above the panes. */
export class Controls {
  /** @param {Actions} act */
  constructor(act) {
    this.modes = MODES.map(([mode, text, title]) => {
      const choice = button(text, title, () => act.setMode(mode));
      choice.dataset.mode = mode;
      return choice;
    });
    this.link = make("input", {
      type: "checkbox",
      onchange: () => act.setLinked(this.link.checked),
    });
    this.named = make("input", {
      type: "checkbox",
      onchange: () => act.setNamed(this.named.checked),
    });
    this.column = make("select", { onchange: () => act.setColumn(this.column.value) });
    this.size = make("input", {
      type: "range",
      min: 0.5,
      max: 3,
      step: 0.25,
      oninput: () => act.setSize(Number(this.size.value)),
    });
    const asking = new Later(SEARCH_PAUSE_MS);
    const ask = () => asking.call(() => act.search(this.text.value, this.isExpression.checked));
    this.text = make("input", {
      type: "search",
      maxlength: MAX_PATTERN,
      placeholder: "Words in the text",
      oninput: ask,
    });
    this.isExpression = make("input", { type: "checkbox", onchange: ask });
    this.message = make("span", { class: "message", role: "status" });
    this.element = this.#laidOut(act);
  }

  /** @param {Actions} act */
  #laidOut(act) {
    const modes = { class: "modes", role: "group", "aria-label": "What dragging does" };
    return make("div", { class: "controls" }, [
      make("div", modes, this.modes),
      labelled("Link zoom", this.link, "Zoom, move and turn all panes together"),
      labelled(
        "Topic names",
        this.named,
        "Name regions of each picture by their distinctive words; zoom in for finer ones",
      ),
      button("Reset view", "Show every row again; a double click does so too", act.resetAll),
      button("Clear", "Select no row; Escape does so too", act.clear),
      button("Save picture (PNG)", "Save the panes and the legend as an image", act.save),
      labelled("Colour", this.column, "What the colour of a row stands for"),
      labelled("Point size", this.size, "Make the points smaller or larger"),
      make("div", { class: "search" }, [
        labelled("Search", this.text, "Select the rows whose text holds this, whatever the case"),
        labelled(
          "Regular expression",
          this.isExpression,
          "Read the search as a regular expression",
        ),
        this.message,
      ]),
    ]);
  }

  /** Say what a search found, in a sentence. @param {string} message */
  say(message) {
    this.message.textContent = message;
  }

  /** Show a view of these data. @param {View} view @param {Data} data */
  show(view, data) {
    for (const choice of this.modes) {
      choice.setAttribute("aria-pressed", String(choice.dataset.mode === view.mode));
      choice.hidden = choice.dataset.mode === "rotate" && data.dims !== 3;
    }
    this.link.checked = view.linked;
    this.named.checked = view.named;
    this.named
      .closest("label")
      ?.toggleAttribute("hidden", !data.panes.some(({ topics }) => topics.length));
    this.size.value = String(view.size);
    this.column.replaceChildren(
      ...data.columns.map(({ name }) => make("option", { value: name, text: name })),
    );
    this.column.value = view.column;
    this.column.closest("label")?.toggleAttribute("hidden", !data.columns.length);
    // What the visitor is typing is newer than what the view holds.
    if (!this.text.matches(":focus")) this.text.value = view.search.text;
    this.isExpression.checked = view.search.isExpression;
  }
}

/** @param {string} text @param {HTMLElement} input @param {string} title */
function labelled(text, input, title) {
  const name = make("span", { text });
  const isBox = input instanceof HTMLInputElement && input.type === "checkbox";
  return make("label", { title }, isBox ? [input, name] : [name, input]);
}
