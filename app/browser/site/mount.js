/* Show a picture in a page without a server, and again where light and dark change. */

/**
 * @param {string} selector
 * @param {(root: HTMLElement) => () => void} make returns what shows the picture
 */
export function mounted(selector, make) {
  const root = /** @type {HTMLElement} */ (document.querySelector(selector));
  const show = make(root);
  show();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
}

/** Return the bytes that lie in the page for its picture. */
export function payload() {
  const text = document.getElementById("payload")?.textContent ?? "";
  return Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0));
}
