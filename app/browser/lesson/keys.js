/* The keys of a presenter's remote, and those that count hands, whatever has the focus. */

/** @import { Actions } from "./types" */

const DIGIT = /^(?:Digit|Numpad)([1-9])$/;

/**
 * Listen to a whole page until the function that is returned is called.
 * @param {Actions} actions
 */
export function listen(actions) {
  /** @param {KeyboardEvent} event */
  const hear = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const action = actionOf(event, actions);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation(); // the widget that has the focus would take it too
    action();
  };
  document.addEventListener("keydown", hear, true);
  return () => document.removeEventListener("keydown", hear, true);
}

/**
 * Return what a key asks for; shift takes a hand away.
 * @param {KeyboardEvent} event
 * @param {Actions} actions
 */
function actionOf(event, actions) {
  if (event.key === "PageDown") return actions.turn;
  if (event.key === "PageUp") return actions.back;
  const digit = isTyping(event) ? null : DIGIT.exec(event.code);
  return digit && (() => actions.hand(Number(digit[1]) - 1, event.shiftKey ? -1 : 1));
}

/** Tell whether a digit would be typed. @param {KeyboardEvent} event */
function isTyping(event) {
  const [at] = event.composedPath();
  return at instanceof HTMLElement && at.matches("input:not([type=radio]), textarea");
}
