import { NAME, namedZoom, placedNames } from "../../../../app/browser/wall/topics.js";
import { equal, test } from "../harness.js";

const PLOT = { x: 100, y: 50, w: 300, h: 200 };
/** @param {string} text */
const widthOf = (text) => 10 * text.length;

/** @param {[string, number, number, number?][]} list text, x, y and zoom of each */
function namesOf(list, zoom = 1) {
  const topics = list.map(([text, , , own = 1]) => ({ zoom: own, text, place: [] }));
  const middleOf = (/** @type {number} */ i) => ({ x: list[i][1], y: list[i][2] });
  return placedNames(topics, zoom, middleOf, PLOT, widthOf);
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
  equal(namesOf([["word", 250, 150]]), [
    { text: "word", box: { x: 230, y: 150 - NAME.height / 2, w: 40, h: NAME.height } },
  ]);
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
    const [x, y] = [100 + ((i * 73) % 300), 50 + ((i * 37) % 200)];
    return /** @type {[string, number, number]} */ (["word".repeat(1 + (i % 3)), x, y]);
  });
  const boxes = namesOf(list).map(({ box }) => box);
  const apart = boxes.every((a, i) =>
    boxes
      .slice(i + 1)
      .every((b) => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y),
  );
  const inside = boxes.every(
    ({ x, y, w, h }) => x >= 100 && y >= 50 && x + w <= 400 && y + h <= 250,
  );
  equal([apart, inside, boxes.length > 20], [true, true, true]);
});

test("a region out of sight has no name, and one at the edge keeps its name in the plot", () => {
  equal(namesOf([["gone", 99, 100]]), []);
  equal(namesOf([["edge", 399, 249]])[0].box, {
    x: 400 - 40 - NAME.apart,
    y: 250 - NAME.height - NAME.apart,
    w: 40,
    h: NAME.height,
  });
  equal(namesOf([["x".repeat(40), 250, 150]]), []);
});
