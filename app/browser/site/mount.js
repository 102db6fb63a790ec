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
