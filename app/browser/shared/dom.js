/* Make elements. Text is set as text and never as HTML, so every sentence is harmless. */

/**
 * @typedef {{ text?: string, [name: string]: string | number | null | undefined |
 *   ((event: any) => void) }} Attributes
 */

/**
 * Return an element with attributes, listeners (`onclick`), text and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Node[]} children
 */
export function make(tag, { text, ...attributes } = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null) element.setAttribute(name, String(value));
  }
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** Return a button. @param {string} text @param {string} title @param {() => void} onclick */
export function button(text, title, onclick) {
  return make("button", { type: "button", text, title, onclick });
}

/** Return an input with its label, which stands before it, or after a checkbox. @param {string} text @param {HTMLElement} input */
export function labelled(text, input, title = "") {
  const name = make("span", { text });
  if (input instanceof HTMLSelectElement) input.ariaLabel = text; // else the label would include the options
  const isBox = input instanceof HTMLInputElement && input.type === "checkbox";
  return make("label", { title: title || null }, isBox ? [input, name] : [name, input]);
}

/** Save a file as the browser does with downloads. @param {Blob} blob @param {string} name */
export function saveAs(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Return a number with grouped digits. @param {number} value */
export function grouped(value) {
  return value.toLocaleString("en");
}

/** Return the drawing context of a canvas. @param {HTMLCanvasElement} canvas */
export function contextOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

let least = 1;

/** Return the number of canvas pixels per CSS pixel. */
export function density() {
  return Math.max(least, devicePixelRatio || 1);
}

/**
 * Return what `read` makes of a picture that is drawn at twice its size or more, then draw it again.
 * @template T
 * @param {() => void} draw
 * @param {() => T} read
 */
export function enlarged(draw, read) {
  try {
    least = 2;
    draw();
    return read();
  } finally {
    least = 1;
    draw();
  }
}

/**
 * Give a canvas a size in CSS pixels, at the screen's own resolution, which clears it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function sized(canvas, width, height) {
  const ratio = density();
  Object.assign(canvas, { width: width * ratio, height: height * ratio });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  contextOf(canvas).scale(ratio, ratio);
}
