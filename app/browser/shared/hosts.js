/*
 * The three hosts of a picture. In the app Streamlit calls it at each rerun; in a file it reads its
 * data from the file; in a notebook's cell anywidget calls `render`.
 */

import { bytesOf } from "./bytes.js";
import { button, make } from "./dom.js";
import { embed, keepPlace } from "./page.js";
import { savePicture } from "./save.js";

/** @import { Call, Cell, Drawn, Picture, Placed, Shown } from "./types" */

/**
 * Return the function that a bundle exports. Streamlit passes it a call, anywidget passes nothing. In
 * a file the picture is shown at once.
 * @template Data
 * @template {Shown<Data>} View
 * @param {Picture<Data, View>} picture
 */
export function hosted({ show, ...given }) {
  /** @param {HTMLElement} root */
  const withButton = (root) => {
    const shown = show(root);
    if (isDrawn(shown))
      root.append(button("Save PNG", "Save the picture", () => savePicture(shown, given.name)));
    return shown;
  };
  const picture = { ...given, show: withButton };
  const payload = globalThis.document?.querySelector("script#payload");
  if (payload) showInFile(picture, payload.textContent ?? "");
  const inApp = component(picture);
  /** @param {Call<Data>} [call] */
  return (call) =>
    call ? inApp(call) : { render: (/** @type {Cell} */ cell) => showInCell(picture, cell) };
}

/** @param {object} shown @returns {shown is Drawn} */
function isDrawn(shown) {
  return "draw" in shown && "parts" in shown;
}

/** @param {object} shown @returns {shown is Placed} */
function hasPlace(shown) {
  return "place" in shown;
}

/** @param {Uint8Array} bytes */
function parsed(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * Return the function that ends a call. Streamlit also ends calls that a newer call has replaced, so
 * only the newest call of an owner closes.
 * @param {{ calls: number }} owner
 * @param {() => void} close
 */
export function ending(owner, close) {
  owner.calls += 1;
  const call = owner.calls;
  return () => {
    if (owner.calls === call) close();
  };
}

/** @template Data @template {Shown<Data>} View @param {Picture<Data, View>} picture */
function component({ name, state, show }) {
  /** @type {WeakMap<HTMLElement, { shown: Shown<Data>, calls: number }>} */
  const all = new WeakMap();
  /** @param {Call<Data>} call */
  return ({ data, parentElement, setStateValue }) => {
    const root = /** @type {HTMLElement} */ (parentElement.querySelector(`.${name}`));
    const owner = all.get(root) ?? { shown: show(root), calls: 0 };
    all.set(root, owner);
    owner.shown.load(data, (value) => setStateValue(state, value));
    return ending(owner, () => owner.shown.close?.());
  };
}

/**
 * Show a picture in a file, and again when the colour scheme changes.
 * @template Data
 * @template {Shown<Data>} View
 * @param {Picture<Data, View>} picture
 * @param {string} text
 */
function showInFile({ name, show, file }, text) {
  const root = /** @type {HTMLElement} */ (document.querySelector(`.${name}`));
  const shown = show(root);
  const bytes = bytesOf(text.trim());
  const load = () => shown.load(file?.data(bytes) ?? parsed(bytes), file?.told ?? (() => {}));
  load();
  if (hasPlace(shown)) keepPlace(root, shown);
  embed(root);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", load);
}

/**
 * Show a picture under a shadow root, so that its styles and those of the page do not mix.
 * @template Data
 * @template {Shown<Data>} View
 * @param {Picture<Data, View>} picture
 * @param {Cell} cell
 */
function showInCell({ name, show, cell }, { model, el }) {
  if (!cell) return;
  const [host, root] = [make("div"), make("div", { class: name })];
  const style = make("style", { text: String(model.get("sheet")) });
  host.attachShadow({ mode: "open" }).append(style, root);
  el.append(host);
  const shown = show(root);
  const load = () =>
    shown.load(cell.data(model.get(cell.trait)), (sent) => {
      for (const [trait, value] of Object.entries(cell.traits(sent, shown)))
        model.set(trait, value);
      model.save_changes();
    });
  load();
  model.on(`change:${cell.trait}`, load);
  return () => {
    model.off(`change:${cell.trait}`, load);
    shown.close?.();
  };
}
