/* The wall's buttons and boxes; each calls what it is given and shows what the view holds. */

import { make } from "../shared/dom.js";
import { Later } from "./later.js";
import { MAX_PATTERN } from "./search.js";

const MODES = [
  ["lasso", "Lasso", "Drag around rows to select them in all panes; Shift adds, Alt removes"],
  ["box", "Box", "Drag a box over rows to select them in all panes; Shift adds, Alt removes"],
  ["pan", "Pan", "Drag to move the picture; the wheel zooms in every mode"],
  ["rotate", "Rotate", "Drag to turn the picture"],
];
const SEARCH_PAUSE_MS = 250;

/** The rows of controls above the panes. */
export class Controls {
  constructor(act) {
    this.modes = MODES.map(([mode, text, title]) =>
      make("button", {
        type: "button",
        title,
        text,
        "data-mode": mode,
        onclick: () => act.setMode(mode),
      }),
    );
    this.link = make("input", {
      type: "checkbox",
      onchange: () => act.setLinked(this.link.checked),
    });
    this.column = make("select", { onchange: () => act.setColumn(this.column.value) });
    this.size = make("input", {
      type: "range",
      min: 0.5,
      max: 3,
      step: 0.25,
      oninput: () => act.setSize(Number(this.size.value)),
    });
    this.makeSearch(act.search);
    const press = (text, title, onclick) =>
      make("button", { type: "button", text, title, onclick });
    this.element = make("div", { class: "controls" }, [
      make(
        "div",
        { class: "modes", role: "group", "aria-label": "What dragging does" },
        this.modes,
      ),
      labelled("Link zoom", this.link, "Zoom, move and turn all panes together"),
      press("Reset view", "Show every row again; a double click does so too", act.resetAll),
      press("Clear", "Select no row; Escape does so too", act.clear),
      press("Save picture (PNG)", "Save the panes and the legend as an image", act.save),
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

  makeSearch(search) {
    const asking = new Later(SEARCH_PAUSE_MS);
    const ask = () => asking.call(() => search(this.text.value, this.isExpression.checked));
    this.text = make("input", {
      type: "search",
      maxlength: MAX_PATTERN,
      placeholder: "Words in the text",
      oninput: ask,
    });
    this.isExpression = make("input", { type: "checkbox", onchange: ask });
    this.message = make("span", { class: "message", role: "status" });
  }

  /** Say what a search found, in a sentence. */
  say(message) {
    this.message.textContent = message;
  }

  /** Show a view of these data. */
  show(view, data) {
    for (const button of this.modes) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === view.mode));
      button.hidden = button.dataset.mode === "rotate" && data.dims !== 3;
    }
    this.link.checked = view.linked;
    this.size.value = view.size;
    this.column.replaceChildren(
      ...data.columns.map(({ name }) => make("option", { value: name, text: name })),
    );
    this.column.value = view.column;
    this.column.parentElement.hidden = !data.columns.length;
    // What the visitor is typing is newer than what the view holds.
    if (this.text.getRootNode().activeElement !== this.text) this.text.value = view.search.text;
    this.isExpression.checked = view.search.isExpression;
  }
}

function labelled(text, input, title) {
  const name = make("span", { text });
  return make("label", { title }, input.type === "checkbox" ? [input, name] : [name, input]);
}
