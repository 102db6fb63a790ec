import { matchRows } from "../../../../app/browser/wall/search.js";
import { equal, test } from "../harness.js";

const TEXTS = ["An Apple", "pear", "", "ÄPFEL (2)"];

/** @param {string} pattern */
function matched(pattern, isExpression = false, match = matchRows) {
  const parts = TEXTS.map((text) => new TextEncoder().encode(text));
  const offsets = new Uint32Array(parts.length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = offsets[i] + part.length;
  });
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  return match({ bytes, offsets, pattern, isExpression });
}

test("a word is found whatever its case", () => {
  equal(matched("apple").rows, [1, 0, 0, 0]);
  equal(matched("äpf").rows, [0, 0, 0, 1]);
});

test("signs of expressions mean themselves in a word", () => {
  equal(matched("(2)").rows, [0, 0, 0, 1]);
  equal(matched("p.a").rows, [0, 0, 0, 0]);
});

test("an expression ignores case and knows letters beyond ASCII", () => {
  equal(matched("^p.+r$|^an", true).rows, [1, 1, 0, 0]);
  equal(matched("^\\p{L}+ ", true).rows, [1, 0, 0, 1]);
});

test("a broken expression says why", () => {
  const { problem } = matched("(pear", true);
  equal(problem, "This is not a regular expression: unterminated group.");
});

test("the search runs from its own text alone, as the worker gets it", () => {
  const copy = new Function(`return ${matchRows}`)();
  equal(matched("pear", false, copy).rows, [0, 1, 0, 0]);
});
