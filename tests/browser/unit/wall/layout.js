import { clamped, layOut, paneAt } from "../../../../app/browser/wall/layout.js";
import { equal, test } from "../harness.js";

const FLAT = { dims: 2, hasBars: false, hasTicks: false, strip: 0 };

/** @param {number} width @param {number} nPanes */
function across(width, nPanes) {
  const { panes } = layOut(width, nPanes, FLAT);
  return panes.filter(({ cell }) => cell.y === panes[0].cell.y).length;
}

test("as many panes stand side by side as fill the rows evenly", () => {
  equal(
    [1, 2, 3, 4, 5, 6].map((nPanes) => across(900, nPanes)),
    [1, 2, 3, 2, 3, 3],
  );
  equal(
    [1, 2, 3, 4, 5, 6].map((nPanes) => across(899, nPanes)),
    [1, 2, 2, 2, 2, 2],
  );
  equal(across(559, 6), 1);
});

test("two flat panes have room for titles above, axes below and at the left", () => {
  const { panes, height, strip } = layOut(820, 2, FLAT);
  // A cell is (820 - 20) / 2 wide, and a plot 0.78 as high as wide.
  equal(panes[0].plot, { x: 20, y: 42, w: 380, h: 296 });
  equal(panes[1].cell, { x: 420, y: 0, w: 400, h: 42 + 296 + 20 });
  equal([height, strip, panes[0].bar], [358, null, null]);
});

test("three dimensions need no room at the left, ticks need more", () => {
  const left = (/** @type {object} */ changes) =>
    layOut(820, 2, { ...FLAT, ...changes }).panes[0].plot.x;
  equal([left({ dims: 3 }), left({}), left({ hasTicks: true })], [0, 20, 54]);
});

test("bars stand below their plots, and a strip below all panes", () => {
  const { panes, height, strip } = layOut(820, 2, { ...FLAT, hasBars: true, strip: 30 });
  equal(panes[0].bar, { x: 20, y: 42 + 296 + 20 + 6, w: 380, h: 28 });
  equal(strip, { x: 0, y: 392 + 20, w: 820 });
  equal(height, 392 + 20 + 30);
});

test("a pane alone may be taller, and none is lower than 220 pixels", () => {
  equal(layOut(2000, 1, FLAT).panes[0].plot.h, 620);
  equal(layOut(2000, 2, FLAT).panes[0].plot.h, 440);
  equal(layOut(250, 1, FLAT).panes[0].plot.h, 220);
});

test("the second row begins a gap below the first", () => {
  const { panes, height } = layOut(820, 4, FLAT);
  equal([panes[2].cell.x, panes[2].cell.y, height], [0, 358 + 20, 2 * 358 + 20]);
});

test("a point belongs to the pane whose plot holds it", () => {
  const layout = layOut(820, 2, FLAT);
  equal(paneAt(layout, { x: 20, y: 42 }), 0);
  equal(paneAt(layout, { x: 820, y: 338 }), 1);
  equal(paneAt(layout, { x: 19, y: 100 }), -1);
  equal(paneAt(layout, { x: 100, y: 339 }), -1);
});

test("a point outside is moved to the nearest edge", () => {
  const box = { x: 10, y: 20, w: 30, h: 40 };
  equal(clamped({ x: 0, y: 100 }, box), { x: 10, y: 60 });
  equal(clamped({ x: 100, y: 0 }, box), { x: 40, y: 20 });
  equal(clamped({ x: 11, y: 21 }, box), { x: 11, y: 21 });
});
