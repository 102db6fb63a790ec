/* A picture in a notebook's cell, under a shadow root: neither's style reaches the other. */

import { make } from "../shared/dom.js";

/** @import { Cell } from "./types" */

/** Return the element of a picture by its class. @param {Cell} cell @param {string} name */
export function rootIn({ model, el }, name) {
  const [host, root] = [make("div"), make("div", { class: name })];
  const style = make("style", { text: String(model.get("sheet")) });
  host.attachShadow({ mode: "open" }).append(style, root);
  el.append(host);
  return root;
}
