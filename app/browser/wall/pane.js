/* One pane: its titles and scale as HTML, and its rows on a canvas that takes the keys. */

import { contextOf, density, grouped, make } from "../shared/dom.js";
import { clipped, strokeWithHalo } from "../shared/draw.js";
import { css } from "../shared/palette.js";
import { project, spaceOf } from "./camera.js";
import { KEYS } from "./keyboard.js";
import { scaleOf } from "./legend.js";
import { discStamp, dot, pixel, stampRows } from "./raster.js";
import { count } from "./selection.js";
import { drawNames } from "./topics.js";

/** @import { Rgb } from "../shared/types" */
/** @import { Camera, Look, Moving, PaneData, Screen, Topic } from "./types" */
/** @import { Pass } from "./raster.js" */

const HALO = 2.5;

/** Shows the rows of one space. */
export class Pane {
  // Moving marks are drawn over a copy of the still picture, so that a hover repaints no row.
  #base = make("canvas");
  size = { w: 1, h: 1 };

  /** @param {PaneData} data @param {number} index @param {number} n */
  constructor(data, index, n) {
    this.data = data;
    this.index = index;
    this.space = spaceOf(data.planes);
    const planes = [0, 1].map((d) => Float32Array.from(data.topics, ({ place }) => place[d]));
    this.topicSpace = { ...this.space, planes };
    /** @type {Screen} */
    this.screen = { x: new Float32Array(n), y: new Float32Array(n) };
    this.topicScreen = this.screen;
    const [across, up] = data.axes;
    this.canvas = make("canvas", {
      tabindex: 0,
      role: "application",
      "aria-label": `${data.name}. ${data.badge}. ${grouped(n)} rows. ${KEYS}`,
      "aria-description": describedTopics(data.topics),
    });
    this.plot = make("div", { class: "plot" }, [this.canvas]);
    this.scale = make("div", { class: "own-scale" });
    this.element = make("figure", { class: "pane" }, [
      make("figcaption", {}, [
        make("strong", { class: "name", text: data.name, title: data.name }),
        make("span", { class: "badge", text: data.badge, title: data.badge }),
      ]),
      make("div", { class: "axis up", text: up }),
      this.plot,
      make("div", { class: "axis", text: across }),
      this.scale,
    ]);
  }

  /** Adopt the size that the page gives the plot. */
  measure() {
    this.size = { w: Math.max(1, this.plot.clientWidth), h: Math.max(1, this.plot.clientHeight) };
  }

  /** Find the rows' pixels after the camera or the size changed. @param {Camera} camera */
  project(camera) {
    this.screen = project(this.space, camera, this.size);
    this.topicScreen = project(this.topicSpace, camera, this.size);
  }

  /** Paint the still picture: the rows, the names of regions, the pane's own scale. @param {Look} look */
  draw(look) {
    const { view, theme, colouring } = look;
    const ratio = density();
    const image = new ImageData(Math.round(this.size.w * ratio), Math.round(this.size.h * ratio));
    for (const canvas of [this.#base, this.canvas])
      Object.assign(canvas, { width: image.width, height: image.height });
    const pixels = new Uint32Array(image.data.buffer).fill(pixel(theme.background));
    this.#stamp(pixels, image.width, look, ratio);
    const context = contextOf(this.#base);
    context.putImageData(image, 0, 0);
    context.scale(ratio, ratio);
    const { zoom } = view.cameras[this.index];
    if (view.named) drawNames(context, theme, this.data.topics, zoom, this.topicScreen, this.size);
    const hasOwn = colouring.perPane && colouring.kind === "number";
    this.scale.replaceChildren(...(hasOwn ? scaleOf(colouring, theme, this.index) : []));
  }

  /** @param {Uint32Array} pixels @param {number} width @param {Look} look @param {number} ratio */
  #stamp(pixels, width, { view, theme, colouring, colours }, ratio) {
    const { radius, opacity } = dot(view, ratio);
    const { selected } = view;
    /** @param {Pass} pass */
    const stamp = (pass) => stampRows(pixels, width, this.screen, ratio, pass);
    const coloured = {
      slots: colouring.panes[this.index].slots,
      colours: Uint32Array.from(colours, pixel),
    };
    if (!count(selected)) {
      stamp({ ...coloured, stamp: discStamp(radius, opacity) });
      return;
    }
    const dim = Uint32Array.of(pixel(theme.dim));
    const faint = discStamp(radius, opacity / 3);
    stamp({ colours: dim, stamp: faint, wanted: (row) => !selected[row] });
    // Drawn last and nearly opaque, so that a few lit rows show in a dense cloud.
    const lit = discStamp(radius, Math.max(opacity, 0.9));
    stamp({ ...coloured, stamp: lit, wanted: (row) => Boolean(selected[row]) });
  }

  /**
   * Draw the moving marks over the still picture: rings around lit rows, the picked row and the row
   * under the pointer, the outline of a lasso, and the cross-hair of the keyboard.
   * @param {Pick<Look, "theme" | "view">} look
   * @param {Moving} moving
   */
  overlay({ theme, view }, { lit, hovered, outline, cross }) {
    const context = contextOf(this.canvas);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#base, 0, 0);
    context.scale(this.canvas.width / this.size.w, this.canvas.width / this.size.w);
    const { x, y } = this.screen;
    /** @type {(row: number, radius: number, width: number, colour: Rgb) => void} */
    const ring = (row, radius, width, colour) =>
      strokeWithHalo(context, theme, { colour, width, halo: HALO }, () => {
        context.arc(x[row], y[row], radius, 0, 2 * Math.PI);
      });
    clipped(context, { x: 0, y: 0, ...this.size }, () => {
      for (const row of lit) if (row < view.n) ring(row, 6, 2, theme.primary);
      if (view.picked) ring(view.picked.row, 9, 2.5, theme.ink);
      if (hovered !== null) ring(hovered, 7, 1.5, theme.ink);
      context.beginPath();
      for (const place of outline) context.lineTo(place.x, place.y);
      context.closePath();
      context.fillStyle = css(theme.primary, 0.12);
      context.strokeStyle = css(theme.primary);
      context.lineWidth = 1.5;
      context.fill();
      context.stroke();
      if (!cross) return;
      context.strokeStyle = css(theme.ink);
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(cross.x - cross.radius - 6, cross.y);
      context.lineTo(cross.x + cross.radius + 6, cross.y);
      context.moveTo(cross.x, cross.y - cross.radius - 6);
      context.lineTo(cross.x, cross.y + cross.radius + 6);
      context.moveTo(cross.x + cross.radius, cross.y);
      context.arc(cross.x, cross.y, cross.radius, 0, 2 * Math.PI);
      context.stroke();
    });
  }
}

/** Return the names of a pane's regions before any zoom. @param {Topic[]} topics */
function describedTopics(topics) {
  const names = topics.filter(({ zoom }) => zoom === 1).map(({ text }) => text);
  return names.length ? `Topics: ${names.join("; ")}` : null;
}
