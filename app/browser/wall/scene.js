/* All that is drawn: data, view, layout and theme, and the canvas that shows them. */

import { normalise, project } from "./camera.js";
import { colourBy } from "./colouring.js";
import { orderByDepth } from "./depth.js";
import { drawFurniture, stripHeight } from "./furniture.js";
import { layOut } from "./layout.js";
import { fileRows } from "./nearest.js";
import { readTheme, slotColours } from "../shared/palette.js";
import { discStamp, pixel, stampRows } from "./raster.js";
import { count } from "./selection.js";

/** What one wall draws. */
export class Scene {
  constructor(data, view, element, width) {
    this.data = data;
    this.view = view;
    this.element = element;
    this.spaces = data.panes.map((pane) => normalise(pane.planes, pane.equal_scale));
    this.screens = data.panes.map(() => ({
      x: new Float32Array(data.n),
      y: new Float32Array(data.n),
      depth: data.dims === 3 ? new Float32Array(data.n) : null,
      order: data.dims === 3 ? new Uint32Array(data.n) : null,
    }));
    this.colourRows();
    this.layOut(width);
  }

  /** Colour by the view's column; a wall without columns has one colour. */
  colourRows() {
    const column = this.data.columns.find(({ name }) => name === this.view.column) ?? {
      name: "",
      unit: "",
      labels: [""],
      colours: [],
      rows: [new Float32Array(this.data.n)],
    };
    this.colouring = colourBy(column, this.data.panes.length);
    this.readTheme();
  }

  /** Take over the colours of the page. */
  readTheme() {
    this.theme = readTheme(this.element);
    this.colours = slotColours(this.colouring.kind, this.theme);
  }

  /** Find each thing's place for a width. */
  layOut(width) {
    this.layout = this.layoutFor(width, false);
    this.projectAll();
  }

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
      project(this.spaces[pane], this.view.cameras[pane], this.layout.panes[pane].plot, screen);
      if (screen.depth) orderByDepth(screen.depth, screen.order);
      screen.filed = null;
    });
  }

  /** Return the rows filed by place, made when first asked for. */
  filed(pane) {
    const screen = this.screens[pane];
    screen.filed ??= fileRows(screen, this.layout.panes[pane].plot);
    return screen.filed;
  }

  /** Paint everything but what moves over it on a canvas, `ratio` pixels to a CSS pixel. */
  paint(canvas, layout, ratio) {
    canvas.width = Math.round(layout.width * ratio);
    canvas.height = Math.round(layout.height * ratio);
    const context = canvas.getContext("2d");
    const image = new ImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(image.data.buffer).fill(pixel(this.theme.background));
    layout.panes.forEach(({ plot }, pane) => this.paintRows(pixels, canvas, plot, pane, ratio));
    context.putImageData(image, 0, 0);
    context.scale(ratio, ratio);
    drawFurniture(context, { ...this, layout }, this.colouring);
  }

  paintRows(pixels, canvas, plot, pane, ratio) {
    const box = bounded(plot, canvas, ratio);
    const screen = this.screens[pane];
    const { radius, opacity } = this.dot(ratio);
    const { selected } = this.view;
    const stamp = (pass) => stampRows(pixels, canvas.width, box, screen, ratio, pass);
    const colours = Uint32Array.from(this.colours, pixel);
    const slots = this.colouring.slots[pane];
    if (!count(selected)) {
      stamp({ slots, colours, stamp: discStamp(radius, opacity) });
      return;
    }
    const dim = { colours: pixel(this.theme.dim), stamp: discStamp(radius, opacity / 3) };
    stamp({ ...dim, wanted: (row) => !selected[row] });
    // Drawn last and nearly opaque, so that a few lit rows show in a dense cloud.
    const lit = { slots, colours, stamp: discStamp(radius, Math.max(opacity, 0.9)) };
    stamp({ ...lit, wanted: (row) => selected[row] });
  }

  /** Return a row's disc: the more rows, the smaller and fainter, for density to show. */
  dot(ratio) {
    const { n, size } = this.view;
    const radius = Math.min(4, Math.max(0.9, 4 * (300 / n) ** 0.25)) * size;
    return {
      radius: radius * ratio,
      opacity: Math.min(0.9, Math.max(0.35, 0.9 * (2000 / n) ** 0.25)),
    };
  }
}

function bounded(plot, canvas, ratio) {
  const [x, y] = [Math.round(plot.x * ratio), Math.round(plot.y * ratio)];
  return {
    x,
    y,
    w: Math.min(canvas.width - x, Math.round(plot.w * ratio)),
    h: Math.min(canvas.height - y, Math.round(plot.h * ratio)),
  };
}
