import { NAME, namedZoom, placedNames } from "../../../../app/browser/wall/topics.js";
import { equal, test } from "../harness.js";

const SIZE = { w: 300, h: 200 };
/** @param {string} text */
const widthOf = (text) => 10 * text.length;

/** @param {[string, number, number, number?][]} list text, x, y and zoom of each */
function namesOf(list, zoom = 1) {
  const topics = list.map(([text, , , own = 1]) => ({ zoom: own, text, place: [] }));
  const [x, y] = [1, 2].map((at) => Float32Array.from(list, (each) => Number(each[at])));
  return placedNames(topics, zoom, { x, y }, SIZE, widthOf);
}

test("the regions are those of the largest zoom that is reached", () => {
  const topics = [1, 2, 4, 8].map((zoom) => ({ zoom, text: "", place: [] }));
  equal(
    [0.2, 1, 1.9, 2, 7.9, 500].map((zoom) => namedZoom(topics, zoom)),
    [1, 1, 1, 2, 4, 8],
  );
  equal(
    namesOf(
      [
        ["far", 200, 100, 1],
        ["near", 200, 100, 2],
      ],
      3,
    ).map(({ text }) => text),
    ["near"],
  );
});

test("a name stands about the middle of its region", () => {
  equal(namesOf([["word", 250, 150]]), [{ text: "word", x: 230, y: 150 - NAME.height / 2, w: 40 }]);
});

test("of two that would overlap the first, which is larger, stays", () => {
  const names = namesOf([
    ["large", 200, 100],
    ["small", 220, 108],
    ["below", 200, 122],
  ]);
  equal(
    names.map(({ text }) => text),
    ["large", "below"],
  );
});

test("no two overlap, however many there are, and all lie in the plot", () => {
  const list = Array.from({ length: 400 }, (_, i) => {
    const [x, y] = [(i * 73) % 300, (i * 37) % 200];
    return /** @type {[string, number, number]} */ (["word".repeat(1 + (i % 3)), x, y]);
  });
  const names = namesOf(list);
  const h = NAME.height;
  const apart = names.every((a, i) =>
    names
      .slice(i + 1)
      .every((b) => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + h <= b.y || b.y + h <= a.y),
  );
  const inside = names.every(({ x, y, w }) => x >= 0 && y >= 0 && x + w <= 300 && y + h <= 200);
  equal([apart, inside, names.length > 20], [true, true, true]);
});

test("a region out of sight has no name, and one at the edge keeps its name in the plot", () => {
  equal(namesOf([["gone", -1, 50]]), []);
  const [edge] = namesOf([["edge", 299, 199]]);
  equal([edge.x, edge.y], [300 - 40 - NAME.apart, 200 - NAME.height - NAME.apart]);
  equal(namesOf([["x".repeat(40), 150, 100]]), []);
});
