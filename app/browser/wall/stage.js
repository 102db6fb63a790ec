/* The canvas, the focusable frames of the panes over it, and the tooltip. */

import { grouped, make } from "../shared/dom.js";
import { KEYS } from "./keyboard.js";
import { drawCross, drawOutline, drawRings } from "./overlay.js";
import { Tooltip } from "./tooltip.js";

const NARROWEST = 240;

/** Shows a scene. */
export class Stage {
  // What moves is drawn over a copy of what stands, so that a hover paints no row anew.
  #base = document.createElement("canvas");
  #isPressed = false;
  #focus = () => {};

  constructor() {
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.tooltip = new Tooltip();
    this.frames = make("div", { class: "frames" });
    this.element = make("div", { class: "stage" }, [
      this.canvas,
      this.frames,
      this.tooltip.element,
    ]);
  }

  /** Return the CSS pixels there are across. */
  get width() {
    return Math.max(NARROWEST, Math.floor(this.element.getBoundingClientRect().width));
  }

  /** Make a focusable frame a pane; `press` hears its keys, `focus` which has the focus, or -1. */
  setPanes({ panes, n }, press, focus) {
    this.#focus = focus;
    const frame = ({ title, badge }, pane) =>
      make("div", {
        class: "frame",
        tabindex: "0",
        role: "application",
        "aria-label": `${title}. ${badge}. ${grouped(n)} rows. ${KEYS}`,
        onkeydown: (event) => {
          this.#isPressed = false;
          focus(pane);
          press(pane, event);
        },
        onfocus: () => focus(pane),
        onblur: ({ relatedTarget }) => {
          if (!this.frames.contains(relatedTarget)) this.#isPressed = false;
          focus(-1);
        },
      });
    this.frames.replaceChildren(...panes.map(frame));
  }

  /** Give a pane the focus, by key or by a press of the pointer. */
  focusPane(pane, { isPressed = false } = {}) {
    this.#isPressed = isPressed;
    this.frames.children[pane].focus({ preventScroll: isPressed });
    this.#focus(pane);
  }

  /** Outline the pane that keys act on, and tell whether one is: a press needs no cross-hair. */
  outlineKeyed(pane) {
    const isKeyed = pane >= 0 && !this.#isPressed;
    [...this.frames.children].forEach((frame, i) =>
      frame.classList.toggle("keyed", isKeyed && i === pane),
    );
    return isKeyed;
  }

  /** Lay the frames over their plots. */
  place({ panes }) {
    panes.forEach(({ plot }, pane) => {
      const place = { left: plot.x, top: plot.y, width: plot.w, height: plot.h };
      for (const [name, value] of Object.entries(place)) {
        this.frames.children[pane].style[name] = `${value}px`;
      }
    });
  }

  /** Paint all that stands still. */
  draw(scene) {
    const { layout } = scene;
    scene.paint(this.#base, layout, globalThis.devicePixelRatio || 1);
    Object.assign(this.canvas, { width: this.#base.width, height: this.#base.height });
    this.canvas.style.width = `${layout.width}px`;
    this.canvas.style.height = `${layout.height}px`;
  }

  /** Draw what moves: rings, outline and cross-hair. */
  overlay(scene, { lit, hovered, outline, cross }) {
    const context = this.canvas.getContext("2d");
    const ratio = this.canvas.width / scene.layout.width;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#base, 0, 0);
    context.scale(ratio, ratio);
    drawRings(context, scene, { lit, hovered });
    if (outline) drawOutline(context, scene, outline);
    if (cross) drawCross(context, scene, cross);
  }
}
