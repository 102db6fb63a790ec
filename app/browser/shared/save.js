/* A picture as PNG: its canvases at twice their size or more, and the texts around them. */

import { contextOf, density, enlarged, make, saveAs } from "./dom.js";
import { css, readTheme, shade } from "./palette.js";

/** @import { Context } from "./draw.js" */
/** @import { Drawn, Theme } from "./types" */

const STRIPES = 100;

/** Save what a picture shows. @param {Drawn} shown @param {string} name of the file, without ending */
export function savePicture(shown, name) {
  const canvas = enlarged(
    () => shown.draw(),
    () => composed(shown.parts),
  );
  canvas.toBlob((blob) => blob && saveAs(blob, `${name}.png`));
}

/** Return parts of the page one below the other. @param {HTMLElement[]} parts */
function composed(parts) {
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const scale = density();
  const width = scale * Math.max(...boxes.map((box) => box.width));
  const height = scale * boxes.reduce((sum, box) => sum + box.height, 0);
  const canvas = make("canvas", { width: Math.ceil(width), height: Math.ceil(height) });
  const [context, theme] = [contextOf(canvas), readTheme(parts[0])];
  context.fillStyle = css(theme.background);
  context.fillRect(0, 0, width, height);
  context.scale(scale, scale);
  let top = 0;
  parts.forEach((part, i) => {
    context.save();
    context.translate(-boxes[i].left, top - boxes[i].top);
    for (const each of [part, ...part.querySelectorAll("canvas, .swatch, .bar")])
      paint(context, theme, each);
    write(context, part);
    context.restore();
    top += boxes[i].height;
  });
  return canvas;
}

/** Paint a canvas, a colour of a legend, or a scale. @param {Context} context @param {Theme} theme @param {Element} element */
function paint(context, theme, element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (!width || !height) return;
  if (element instanceof HTMLCanvasElement) context.drawImage(element, left, top, width, height);
  else if (element.matches(".swatch")) {
    context.fillStyle = getComputedStyle(element).backgroundColor;
    context.fillRect(left, top, width, height);
  } else if (element.matches(".scale .bar"))
    for (let i = 0; i < STRIPES; i++) {
      context.fillStyle = css(shade(i / (STRIPES - 1), theme.dark));
      context.fillRect(left + (i * width) / STRIPES, top, width / STRIPES + 0.5, height);
    }
}

/** Write the words of a part where the page has them. @param {Context} context @param {HTMLElement} part */
function write(context, part) {
  const [texts, range] = [
    document.createTreeWalker(part, NodeFilter.SHOW_TEXT),
    document.createRange(),
  ];
  context.textAlign = "center";
  context.textBaseline = "middle";
  while (texts.nextNode()) {
    const node = /** @type {Text} */ (texts.currentNode);
    const style = getComputedStyle(/** @type {Element} */ (node.parentElement));
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.fillStyle = style.color;
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      if (!width || !height) continue;
      context.save();
      context.translate(left + width / 2, top + height / 2);
      if (style.writingMode.startsWith("vertical")) context.rotate(-Math.PI / 2);
      context.fillText(word, 0, 0);
      context.restore();
    }
  }
}
