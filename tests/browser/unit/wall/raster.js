import { discStamp, pixel, stampRows } from "../../../../app/browser/wall/raster.js";
import { equal, test } from "../harness.js";

const SIDE = 7;
const BLACK = pixel([0, 0, 0]);
const WHITE = pixel([255, 255, 255]);
const DOT = discStamp(0.5, 1);

/** @param {[number, number][]} places @param {object} pass */
function stamped(places, pass, ratio = 1) {
  const pixels = new Uint32Array(SIDE * SIDE).fill(BLACK);
  const screen = {
    x: Float32Array.from(places, ([x]) => x),
    y: Float32Array.from(places, ([, y]) => y),
  };
  stampRows(pixels, SIDE, screen, ratio, { stamp: DOT, colours: Uint32Array.of(WHITE), ...pass });
  return pixels;
}

/** @param {Uint32Array} pixels */
function lit(pixels) {
  return [...pixels.keys()].filter((at) => pixels[at] !== BLACK);
}

test("a pixel is opaque, blue above green above red", () => {
  equal(pixel([1, 2, 3]), 0xff030201);
});

test("a disc covers its pixels by how near they are, in 256ths", () => {
  const { covered } = discStamp(1, 1);
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    covered.find(({ dx, dy }) => dx === x && dy === y)?.weight;
  // 1.5 - 1 at the sides, 1.5 - sqrt(2) at the corners.
  equal([at(0, 0), at(1, 0), at(0, -1), at(1, 1)], [256, 128, 128, 22]);
  equal([at(2, 0), covered.length], [undefined, 9]);
  equal(Math.max(...discStamp(1, 0.5).covered.map(({ weight }) => weight)), 128);
});

test("a row is painted at its place, x across and y down", () => {
  equal(lit(stamped([[2, 4]], {})), [4 * SIDE + 2]);
  equal(lit(stamped([[1, 2]], {}, 2)), [4 * SIDE + 2]);
});

test("a colour is mixed into what lies below", () => {
  const pixels = stamped([[3, 3]], {
    stamp: discStamp(0.5, 0.5),
    colours: Uint32Array.of(pixel([200, 100, 50])),
  });
  const [red, green, blue] = new Uint8Array(pixels.buffer, 4 * (3 * SIDE + 3), 4);
  equal([red, green, blue], [100, 50, 25]);
});

test("colours are those of the rows' slots, and later rows cover earlier ones", () => {
  const colours = Uint32Array.of(pixel([1, 1, 1]), pixel([2, 2, 2]));
  const slots = Uint8Array.of(0, 1);
  const places = /** @type {[number, number][]} */ ([
    [3, 3],
    [3, 3],
  ]);
  equal(stamped(places, { slots, colours })[3 * SIDE + 3], pixel([2, 2, 2]));
});

test("only wanted rows are painted, and only those in the image", () => {
  const places = /** @type {[number, number][]} */ ([
    [0, 0],
    [1, 1],
    [3, 3],
    [-0.5, 3],
    [3, SIDE],
  ]);
  const wanted = (/** @type {number} */ row) => row !== 1;
  equal(lit(stamped(places, { wanted })), [0, 3 * SIDE + 3]);
});

test("a disc at the edge is cut off there", () => {
  const pixels = stamped([[0, 0]], { stamp: discStamp(1, 1) });
  equal(lit(pixels), [0, 1, SIDE, SIDE + 1]);
});
