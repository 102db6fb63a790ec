/* Make elements. Text is only ever set as text, so whatever a sentence holds stays harmless. */

/** Return an element with attributes, listeners (`onclick`), text and children. */
export function make(tag, { text, ...attributes } = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null) element.setAttribute(name, value);
  }
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** Return a number as people write it. */
export function grouped(value) {
  return value.toLocaleString("en");
}
