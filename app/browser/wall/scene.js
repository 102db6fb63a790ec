/* All that is drawn: data, view, layout and theme, and the canvas that shows them. */

import { contextOf } from "../shared/dom.js";
import { readTheme } from "../shared/palette.js";
import { normalise, project, topicSpace } from "./camera.js";
import { colourBy } from "./colouring.js";
import { orderByDepth } from "./depth.js";
import { drawFurniture, stripHeight } from "./furniture.js";
import { layOut } from "./layout.js";
import { fileRows } from "./nearest.js";
import { discStamp, pixel, stampRows } from "./raster.js";
import { count } from "./selection.js";
import { slotColours } from "./slots.js";

/** @import { Box, Column, Data, Filed, Layout, Screen, View } from "./types" */
/** @import { Pass } from "./raster.js" */

/** What one wall draws. */
export class Scene {
  /** @type {(Filed | null)[]} */
  #filed = [];

  /**
   * @param {Data} data
   * @param {View} view
   * @param {Element} element
   * @param {number} width
   */
  constructor(data, view, element, width) {
    this.data = data;
    this.view = view;
    this.element = element;
    this.spaces = data.panes.map((pane) => normalise(pane.planes, pane.equal_scale));
    this.screens = data.panes.map(() => emptyScreen(data.n, data.dims));
    this.topicSpaces = data.panes.map(({ topics }, i) => topicSpace(topics, this.spaces[i]));
    this.topicScreens = data.panes.map(({ topics }) => emptyScreen(topics.length, data.dims));
    this.theme = readTheme(element);
    this.colouring = this.#colouring();
    this.colours = slotColours(this.colouring.kind, this.theme);
    this.layout = this.layoutFor(width, false);
    this.projectAll();
  }

  /** Colour by the view's column. */
  colourRows() {
    this.colouring = this.#colouring();
    this.readTheme();
  }

  #colouring() {
    const { columns, n, panes } = this.data;
    const column = columns.find(({ name }) => name === this.view.column) ?? oneColour(n);
    return colourBy(column, panes.length);
  }

  /** Take over the colours of the page. */
  readTheme() {
    this.theme = readTheme(this.element);
    this.colours = slotColours(this.colouring.kind, this.theme);
  }

  /** Find each thing's place for a width. @param {number} width */
  layOut(width) {
    this.layout = this.layoutFor(width, false);
    this.projectAll();
  }

  /** @param {number} width @param {boolean} isPicture */
  layoutFor(width, isPicture) {
    return layOut(width, this.data.panes.length, {
      dims: this.data.dims,
      hasTicks: this.spaces.some(({ isApart }) => isApart),
      hasBars: this.colouring.kind === "number" && this.colouring.perPane,
      strip: isPicture ? stripHeight(this.colouring, width) : 0,
    });
  }

  /** Find the rows' pixels after cameras or places changed. */
  projectAll() {
    this.screens.forEach((screen, pane) => {
      const [camera, { plot }] = [this.view.cameras[pane], this.layout.panes[pane]];
      project(this.spaces[pane], camera, plot, screen);
      project(this.topicSpaces[pane], camera, plot, this.topicScreens[pane]);
      if (screen.depth && screen.order) orderByDepth(screen.depth, screen.order);
    });
    this.#filed = this.screens.map(() => null);
  }

  /** Return the rows filed by place, made when first asked for. @param {number} pane */
  filed(pane) {
    const filed = this.#filed[pane] ?? fileRows(this.screens[pane], this.layout.panes[pane].plot);
    this.#filed[pane] = filed;
    return filed;
  }

  /**
   * Paint everything but what moves over it on a canvas, `ratio` pixels to a CSS pixel.
   * @param {HTMLCanvasElement} canvas
   * @param {Layout} layout
   * @param {number} ratio
   */
  paint(canvas, layout, ratio) {
    canvas.width = Math.round(layout.width * ratio);
    canvas.height = Math.round(layout.height * ratio);
    const context = contextOf(canvas);
    const image = new ImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(image.data.buffer).fill(pixel(this.theme.background));
    layout.panes.forEach(({ plot }, pane) => {
      this.#paintRows(pixels, canvas, bounded(plot, canvas, ratio), pane, ratio);
    });
    context.putImageData(image, 0, 0);
    context.scale(ratio, ratio);
    drawFurniture(context, { ...this, layout }, this.colouring);
  }

  /**
   * @param {Uint32Array} pixels
   * @param {HTMLCanvasElement} canvas
   * @param {Box} box
   * @param {number} pane
   * @param {number} ratio
   */
  #paintRows(pixels, canvas, box, pane, ratio) {
    const screen = this.screens[pane];
    const { radius, opacity } = dot(this.view, ratio);
    const { selected } = this.view;
    /** @param {Pass} pass */
    const stamp = (pass) => stampRows(pixels, canvas.width, box, screen, ratio, pass);
    const colours = Uint32Array.from(this.colours, pixel);
    const slots = this.colouring.slots[pane];
    if (!count(selected)) {
      stamp({ slots, colours, stamp: discStamp(radius, opacity) });
      return;
    }
    const dim = Uint32Array.of(pixel(this.theme.dim));
    const faint = discStamp(radius, opacity / 3);
    stamp({ colours: dim, stamp: faint, wanted: (row) => !selected[row] });
    // Drawn last and nearly opaque, so that a few lit rows show in a dense cloud.
    const lit = discStamp(radius, Math.max(opacity, 0.9));
    stamp({ slots, colours, stamp: lit, wanted: (row) => Boolean(selected[row]) });
  }
}

/** @param {number} n @param {number} dims @returns {Screen} */
function emptyScreen(n, dims) {
  return {
    x: new Float32Array(n),
    y: new Float32Array(n),
    depth: dims === 3 ? new Float32Array(n) : null,
    order: dims === 3 ? new Uint32Array(n) : null,
  };
}

/** Return what colours a wall without columns. @param {number} n @returns {Column} */
function oneColour(n) {
  return { name: "", unit: "", labels: [""], colours: [], rows: [new Float32Array(n)] };
}

/**
 * Return a row's disc: the more rows, the smaller and fainter, for density to show.
 * @param {Pick<View, "n" | "size">} view
 * @param {number} ratio
 */
export function dot({ n, size }, ratio) {
  const radius = Math.min(4, Math.max(0.9, 4 * (300 / n) ** 0.25)) * size;
  return {
    radius: radius * ratio,
    opacity: Math.min(0.9, Math.max(0.35, 0.9 * (2000 / n) ** 0.25)),
  };
}

/**
 * Return a plot in pixels of the canvas.
 * @param {Box} plot
 * @param {HTMLCanvasElement} canvas
 * @param {number} ratio
 */
function bounded(plot, canvas, ratio) {
  const [x, y] = [Math.round(plot.x * ratio), Math.round(plot.y * ratio)];
  return {
    x,
    y,
    w: Math.min(canvas.width - x, Math.round(plot.w * ratio)),
    h: Math.min(canvas.height - y, Math.round(plot.h * ratio)),
  };
}
