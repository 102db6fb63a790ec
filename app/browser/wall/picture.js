/* The wall as a PNG file at twice the size of the screen: legend, panes, rings and the recipe. */

import { contextOf, make, saveAs } from "../shared/dom.js";
import { css, shade } from "../shared/palette.js";

/** @import { Theme } from "./types" */
/** @import { Wall } from "./wall.js" */

/** @typedef {CanvasRenderingContext2D} Context */

const RATIO = 2;
const MARGIN = 16;
const LINE = 17;
const LABELS = ".legend, .pane :is(.name, .badge, .axis, .own-scale)";

/** Save the wall as it is selected and coloured now. @param {Wall} wall */
export function savePicture(wall) {
  pictureOf(wall).toBlob((blob) => {
    if (blob) saveAs(blob, "wall.png");
  }, "image/png");
}

/** @param {Wall} wall */
function pictureOf(wall) {
  const { root, theme, data, panes, lit } = wall;
  const canvas = make("canvas");
  const context = contextOf(canvas);
  const font = `11.5px ${theme.font}`;
  context.font = font;
  const whole = union([...root.querySelectorAll(".panes, .legend:not([hidden])")]);
  const lines = wrapped(context, data.caption, whole.width);
  canvas.width = RATIO * (whole.width + 2 * MARGIN);
  canvas.height = RATIO * (whole.height + 2 * MARGIN + LINE * lines.length);
  context.fillStyle = css(theme.background);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(RATIO, RATIO);
  context.translate(MARGIN - whole.left, MARGIN - whole.top);
  for (const pane of panes) {
    const drawn = make("canvas");
    pane.paint(drawn, wall, RATIO);
    const still = { lit: lit[pane.index] ?? [], hovered: null, outline: [], cross: null };
    pane.drawMoving(contextOf(drawn), wall, still);
    const { left, top, width, height } = pane.canvas.getBoundingClientRect();
    context.drawImage(drawn, left, top, width, height);
    context.strokeStyle = css(theme.line);
    context.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
  }
  for (const label of root.querySelectorAll(LABELS)) drawLabel(context, theme, label);
  context.font = font; // forgotten when a canvas changes its size
  context.fillStyle = css(theme.muted);
  lines.forEach((line, i) => {
    context.fillText(line, whole.left, whole.top + whole.height + LINE * (i + 1));
  });
  return canvas;
}

/** @param {Element[]} elements */
function union(elements) {
  const boxes = elements.map((each) => each.getBoundingClientRect());
  const [left, top] = [boxes.map((box) => box.left), boxes.map((box) => box.top)];
  const [right, bottom] = [boxes.map((box) => box.right), boxes.map((box) => box.bottom)];
  const corner = { left: Math.min(...left), top: Math.min(...top) };
  const [width, height] = [Math.max(...right) - corner.left, Math.max(...bottom) - corner.top];
  return { ...corner, width, height };
}

/** Draw a label as the page shows it. @param {Context} context @param {Theme} theme @param {Element} label */
function drawLabel(context, theme, label) {
  const isUp = getComputedStyle(label).writingMode !== "horizontal-tb";
  for (const each of [label, ...label.querySelectorAll("*")]) {
    const { left, top, width, height } = each.getBoundingClientRect();
    const { font, color, backgroundColor, textAlign } = getComputedStyle(each);
    context.save();
    if (each.matches(".bar, .swatch")) {
      const scale = () => scaleAcross(context, theme, left, width);
      context.fillStyle = each.matches(".bar") ? scale() : backgroundColor;
      context.fillRect(left, top, width, height);
    } else if (!each.childElementCount) {
      const isCentred = textAlign === "center";
      Object.assign(context, { font, fillStyle: color, textBaseline: "middle" });
      context.textAlign = isCentred ? "center" : "left";
      context.translate(left + (isCentred ? width / 2 : 0), top + height / 2);
      if (isUp) context.rotate(-Math.PI / 2);
      context.fillText(shortened(context, each.textContent ?? "", isUp ? height : width), 0, 0);
    }
    context.restore();
  }
}

/** @param {Context} context @param {Theme} theme @param {number} left @param {number} width */
function scaleAcross(context, theme, left, width) {
  const scale = context.createLinearGradient(left, 0, left + width, 0);
  for (let i = 0; i <= 12; i++) scale.addColorStop(i / 12, css(shade(i / 12, theme.dark)));
  return scale;
}

/**
 * Return a text, or as much of its start as fits with an ellipsis.
 * @param {Pick<Context, "measureText">} context
 * @param {string} text
 * @param {number} width
 */
export function shortened(context, text, width) {
  const room = width + 1; // boxes are rounded
  if (context.measureText(text).width <= room) return text;
  let end = text.length - 1;
  while (end > 0 && context.measureText(`${text.slice(0, end)}…`).width > room) end--;
  return `${text.slice(0, end)}…`;
}

/**
 * Break a text into lines of at most `width` pixels, each with one word or more.
 * @param {Pick<Context, "measureText">} context
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
