/* How texts are cut, broken and placed; a letter is ten pixels wide here. */

import { shortened, wrapped } from "../../../../app/browser/wall/picture.js";
import { beside } from "../../../../app/browser/wall/tooltip.js";
import { equal, test } from "../harness.js";

const CONTEXT = {
  measureText: (/** @type {string} */ text) =>
    /** @type {TextMetrics} */ ({ width: 10 * text.length }),
};

test("a text that fits is whole, another ends with an ellipsis", () => {
  equal(shortened(CONTEXT, "abcdef", 60), "abcdef");
  equal(shortened(CONTEXT, "abcdef", 58), "abcd…");
  equal(shortened(CONTEXT, "abcdef", 5), "…");
});

test("a caption breaks between words; a long word stands alone", () => {
  equal(wrapped(CONTEXT, "aa bb  cc", 50), ["aa bb", "cc"]);
  equal(wrapped(CONTEXT, "a longword b", 40), ["a", "longword", "b"]);
  equal(wrapped(CONTEXT, "", 40), []);
});

test("a tooltip stands after the pointer, before it where there is no room, always within", () => {
  equal(beside(10, 50, 100), 24);
  equal(beside(80, 50, 100), 16);
  equal(beside(50, 90, 100), 0);
  equal(beside(36, 50, 100), 50);
});
