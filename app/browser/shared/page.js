/* A picture in a page of a site: its place in the address, and the line that embeds it elsewhere. */

import { button, make } from "./dom.js";
import { Later } from "./later.js";

/** @import { Placed } from "./types" */

const PAUSE_MS = 300;
/** Whether the address asks for the figure alone. */
export const isAlone = new URLSearchParams(globalThis.location?.search).get("only") === "figure";

/** Keep the place of a picture, such as a layer, behind the # of the address. @param {HTMLElement} root @param {Placed} shown */
export function keepPlace(root, shown) {
  const later = new Later(PAUSE_MS); // browsers refuse many changes of the address at once
  const follow = () => {
    if (location.hash) shown.place = Number.parseInt(location.hash.slice(1), 10) || 0;
  };
  follow();
  addEventListener("hashchange", follow);
  const write = () => history.replaceState(null, "", `#${shown.place}`);
  new MutationObserver(() => later.call(write)).observe(root, { attributes: true });
}

/** Show the picture alone, as wide as its frame, or offer the line that embeds it so. @param {HTMLElement} root */
export function embed(root) {
  document.documentElement.classList.toggle("alone", isAlone);
  root.append(offered(root));
}

/** Return what offers the line that embeds a figure. @param {HTMLElement} root */
export function offered(root) {
  const line = make("input", { readonly: "", "aria-label": "HTML that embeds the figure" });
  const copy = button("Copy", "Copy the line", () => {
    line.select();
    navigator.clipboard?.writeText(line.value);
  });
  const element = make("details", { class: "embed" }, [
    make("summary", { text: "Embed this figure" }),
    ...[line, copy],
  ]);
  element.addEventListener("toggle", () => {
    const address = new URL(`?only=figure${location.hash}`, location.href);
    line.value = `<iframe src="${address}" title="${document.title}" width="100%" height="${root.offsetHeight}" style="border: 0" loading="lazy"></iframe>`;
  });
  return element;
}
