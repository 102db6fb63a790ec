/* The wall as a PNG file: panes, rings, legend and recipe at twice the size of the screen. */

import { contextOf, make, saveAs } from "../shared/dom.js";
import { css } from "../shared/palette.js";
import { drawRings } from "./overlay.js";

/** @import { Scene } from "./scene.js" */

const RATIO = 2;
const MARGIN = 16;
const SIZE = 11.5;
const LINE = 17;

/** Save the scene as it is selected and coloured now. @param {Scene} scene @param {number[][]} lit */
export function savePicture(scene, lit) {
  const drawn = make("canvas");
  const layout = scene.layoutFor(scene.layout.width, true);
  scene.paint(drawn, layout, RATIO);
  drawRings(contextOf(drawn), scene, { lit, hovered: null });
  framed(drawn, scene).toBlob((blob) => {
    if (blob) saveAs(blob, "wall.png");
  }, "image/png");
}

/**
 * Return what was drawn with a margin around it and the caption below.
 * @param {HTMLCanvasElement} drawn
 * @param {Scene} scene
 */
function framed(drawn, { data, theme }) {
  const canvas = make("canvas");
  const context = contextOf(canvas);
  const font = `${RATIO * SIZE}px ${theme.font}`;
  context.font = font;
  const lines = wrapped(context, data.caption, drawn.width);
  canvas.width = drawn.width + 2 * RATIO * MARGIN;
  canvas.height = drawn.height + RATIO * (2 * MARGIN + LINE * lines.length);
  context.fillStyle = css(theme.background);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, RATIO * MARGIN, RATIO * MARGIN);
  context.font = font; // forgotten when a canvas changes its size
  context.fillStyle = css(theme.muted);
  const below = RATIO * MARGIN + drawn.height;
  lines.forEach((line, i) => {
    context.fillText(line, RATIO * MARGIN, below + RATIO * LINE * (i + 1));
  });
  return canvas;
}

/**
 * Break a text into lines of at most `width` pixels, each with one word or more.
 * @param {Pick<CanvasRenderingContext2D, "measureText">} context
 * @param {string} text
 * @param {number} width
 */
export function wrapped(context, text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && context.measureText(longer).width <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}
