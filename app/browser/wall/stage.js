/* The canvas, the focusable frames of the panes over it, and the tooltip. */

import { contextOf, grouped, make } from "../shared/dom.js";
import { KEYS } from "./keyboard.js";
import { drawCross, drawOutline, drawRings } from "./overlay.js";
import { Tooltip } from "./tooltip.js";

/** @import { Cross, Data, Layout, Outline, Topic } from "./types" */
/** @import { Scene } from "./scene.js" */

/**
 * What moves over the rows.
 * @typedef {object} Moving
 * @property {number[][]} lit
 * @property {number | null} hovered
 * @property {Outline | null} outline
 * @property {Cross | null} cross
 */

const NARROWEST = 240;

/** Say the names of a pane's regions as it is first seen. @param {Topic[]} topics */
function describedTopics(topics) {
  const names = topics.filter(({ zoom }) => zoom === 1).map(({ text }) => text);
  return names.length ? `Topics: ${names.join("; ")}` : null;
}

/** Shows a scene. */
export class Stage {
  // What moves is drawn over a copy of what stands, so that a hover paints no row anew.
  #base = make("canvas");
  #isPressed = false;
  /** @type {(pane: number) => void} */
  #focus = () => {};
  canvas = make("canvas", { "aria-hidden": "true" });
  frames = make("div", { class: "frames" });
  tooltip = new Tooltip();
  element = make("div", { class: "stage" }, [this.canvas, this.frames, this.tooltip.element]);

  /** Return the CSS pixels there are across. */
  get width() {
    return Math.max(NARROWEST, Math.floor(this.element.getBoundingClientRect().width));
  }

  /**
   * Make a focusable frame per pane; `press` hears its keys, `focus` which has the focus, or -1.
   * @param {Data} data
   * @param {(pane: number, event: KeyboardEvent) => void} press
   * @param {(pane: number) => void} focus
   */
  setPanes({ panes, n }, press, focus) {
    this.#focus = focus;
    const frames = panes.map(({ name, badge, topics }, pane) =>
      make("div", {
        class: "frame",
        tabindex: "0",
        role: "application",
        "aria-label": `${name}. ${badge}. ${grouped(n)} rows. ${KEYS}`,
        "aria-description": describedTopics(topics),
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
      }),
    );
    this.frames.replaceChildren(...frames);
  }

  /** @param {number} pane */
  #frame(pane) {
    return /** @type {HTMLElement} */ (this.frames.children[pane]);
  }

  /**
   * Give a pane the focus, by key or by a press of the pointer.
   * @param {number} pane
   */
  focusPane(pane, { isPressed = false } = {}) {
    this.#isPressed = isPressed;
    this.#frame(pane).focus({ preventScroll: isPressed });
    this.#focus(pane);
  }

  /**
   * Outline the pane that keys act on, and tell whether one is: a press needs no cross-hair.
   * @param {number} pane
   */
  outlineKeyed(pane) {
    const isKeyed = pane >= 0 && !this.#isPressed;
    [...this.frames.children].forEach((frame, i) => {
      frame.classList.toggle("keyed", isKeyed && i === pane);
    });
    return isKeyed;
  }

  /** Lay the frames over their plots. @param {Layout} layout */
  place({ panes }) {
    panes.forEach(({ plot }, pane) => {
      Object.assign(this.#frame(pane).style, {
        left: `${plot.x}px`,
        top: `${plot.y}px`,
        width: `${plot.w}px`,
        height: `${plot.h}px`,
      });
    });
  }

  /** Paint all that stands still. @param {Scene} scene */
  draw(scene) {
    const { layout } = scene;
    scene.paint(this.#base, layout, globalThis.devicePixelRatio || 1);
    Object.assign(this.canvas, { width: this.#base.width, height: this.#base.height });
    this.canvas.style.width = `${layout.width}px`;
    this.canvas.style.height = `${layout.height}px`;
  }

  /** Draw what moves: rings, outline and cross-hair. @param {Scene} scene @param {Moving} moving */
  overlay(scene, { lit, hovered, outline, cross }) {
    const context = contextOf(this.canvas);
    const ratio = this.canvas.width / scene.layout.width;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#base, 0, 0);
    context.scale(ratio, ratio);
    drawRings(context, scene, { lit, hovered });
    if (outline) drawOutline(context, scene, outline);
    if (cross) drawCross(context, scene, cross);
  }
}
