/* One wall: what the visitor set and selected, and what happens when either changes. */

import { Announcer } from "../shared/announcer.js";
import { grouped, make } from "../shared/dom.js";
import { Later } from "../shared/later.js";
import { actionsOn } from "./actions.js";
import { Beside, neighboursIn } from "./beside.js";
import { homeCamera } from "./camera.js";
import { valueText } from "./colouring.js";
import { Controls } from "./controls.js";
import { Keyboard } from "./keyboard.js";
import { showLegend } from "./legend.js";
import { meetingOf } from "./meeting.js";
import { parsePayload, textOf } from "./payload.js";
import { listenToPointer } from "./pointer.js";
import { Scene } from "./scene.js";
import { Search } from "./search.js";
import { combine, count, REPLACE, reportOf, selectionOf } from "./selection.js";
import { Stage } from "./stage.js";
import { adaptedView } from "./view.js";

/** @import { Send } from "../shared/types" */
/** @import { Camera, Data, How, Meeting, Outline, Picked, Point, View } from "./types" */

const TELL_PAUSE_MS = 120;

/** Shows payloads in `root` and reports to the server what was selected and picked. */
export class Wall {
  #keyboard = new Keyboard(this);
  #telling = new Later(TELL_PAUSE_MS);
  #focused = -1;
  #frame = 0;
  /** @type {{ outline: Outline | null, hovered: number | null }} */
  #moving = { outline: null, hovered: null };
  /** @type {AbortController | null} */
  #listening = null;
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Meeting} */
  #meeting = { wall: null, lit: [], asked: null, view: null, calls: 0 };
  /** @type {Send} */
  #send = () => {};
  stage = new Stage();
  search = new Search();
  announcer = new Announcer();
  controls = new Controls(actionsOn(this));
  #beside = new Beside((picked) => this.pick(picked));
  #legend = make("div", { class: "legend", role: "group", "aria-label": "Legend" });
  #status = make("p", { class: "status", role: "status" });

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const above = make("div", { class: "above" }, [this.#status, this.#legend]);
    const { controls, stage, announcer } = this;
    root.append(controls.element, above, stage.element, announcer.element, this.#beside.element);
  }

  /** Return what is drawn; there is something once a payload was loaded. */
  get scene() {
    return /** @type {Scene} */ (this.#scene);
  }

  get view() {
    return this.scene.view;
  }

  get nPanes() {
    return this.scene.data.panes.length;
  }

  /** Return the rows that are ringed, a list per pane: those the payload or the server names. */
  get lit() {
    const { data, view } = this.scene;
    const { picked } = view;
    if (!data.neighbours.length) return this.#meeting.lit;
    return picked ? data.panes.map((_, pane) => neighboursIn(data, pane, picked.row)) : [];
  }

  /** @param {number} row */
  textOf(row) {
    return textOf(this.scene.data, row);
  }

  /**
   * Show a payload; what the visitor set stays while the rows are the same.
   * @param {Uint8Array} bytes
   * @param {Send} send
   */
  load(bytes, send) {
    this.#send = send;
    const data = parsePayload(bytes);
    if (this.#scene?.data.content === data.content) this.#scene.readTheme();
    else this.#replace(data);
    this.#meeting.wall = this;
    this.#listen();
    this.showAll();
    this.takeAsked();
    this.root.dataset.ready = String(data.n);
  }

  /** Select the rows that the server asks for, once, if they are of this wall. */
  takeAsked() {
    const { asked } = this.#meeting;
    if (asked?.ids !== this.view.ids) return;
    this.#meeting.asked = null;
    this.select(selectionOf(asked.rows, this.view.n), REPLACE);
  }

  /** @param {Data} data */
  #replace(data) {
    this.#meeting = meetingOf(data.key);
    const before = this.#meeting.view;
    this.#moving = { outline: null, hovered: null };
    this.search.stop();
    this.controls.say("");
    this.#scene = new Scene(data, adaptedView(before, data), this.root, this.stage.width);
    this.change({});
    this.stage.setPanes(data, (pane, event) => this.#keyboard.press(pane, event), this.#focus);
    // The server may know of nothing, where the wall was away, or of rows that are gone.
    if (before && (count(before.selected) || before.picked)) this.#tell();
  }

  /** Change what the visitor has set; who calls this shows it. @param {Partial<View>} changes */
  change(changes) {
    this.scene.view = { ...this.view, ...changes };
    this.#meeting.view = this.view;
  }

  #listen() {
    if (this.#listening) return;
    this.#listening = new AbortController();
    listenToPointer(this, this.#listening.signal);
    const observer = new ResizeObserver(() => {
      if (this.stage.width !== this.scene.layout.width) this.showAll();
    });
    observer.observe(this.stage.element);
    this.#listening.signal.addEventListener("abort", () => observer.disconnect());
  }

  /** Stop all that runs when the page goes; `load` may come again. */
  close() {
    this.#listening?.abort();
    this.#listening = null;
    this.search.stop();
    this.#telling.stop();
    this.announcer.stop();
    cancelAnimationFrame(this.#frame);
    if (this.#meeting.wall === this) this.#meeting.wall = null;
  }

  /** Select and pick nothing. */
  clear() {
    this.change({ picked: null });
    this.select(new Uint8Array(this.view.n), REPLACE);
    this.announcer.say("Nothing is selected");
  }

  /**
   * Select rows; what was searched for before no longer says which.
   * @param {Uint8Array} rows
   * @param {How} how
   */
  select(rows, how, search = { ...this.view.search, text: "" }) {
    if (!search.text) this.search.stop();
    this.change({ selected: combine(this.view.selected, rows, how), search });
    this.controls.say("");
    this.showControls();
    this.draw();
    this.#tell();
  }

  /** @param {Picked | null} picked */
  pick(picked) {
    this.change({ picked });
    this.#overlay();
    this.#tell();
    if (picked) this.announcer.say(`Picked: ${this.textOf(picked.row)}`);
  }

  /** Show the row at a point of a pane, or none. @param {Picked & { point: Point } | null} place */
  hover(place) {
    if (place === null && this.#moving.hovered === null) return;
    this.#moving.hovered = place?.row ?? null;
    if (place) {
      const { colouring, layout } = this.scene;
      const value = valueText(colouring, place.pane, place.row);
      this.stage.tooltip.show(this.textOf(place.row), value, place.point, layout);
    } else this.stage.tooltip.hide();
    this.#overlay();
  }

  /** Show the outline of a gesture, or none. @param {Outline | null} outline */
  outline(outline) {
    this.#moving.outline = outline;
    this.#overlay();
  }

  /** @param {number} pane */
  resetView(pane) {
    this.moveCamera(pane, homeCamera(this.view.dims));
  }

  /**
   * Look at a pane through another camera, and at all of them where they are linked.
   * @param {number} pane
   * @param {Camera} camera
   */
  moveCamera(pane, camera) {
    const { cameras, linked } = this.view;
    this.change({ cameras: cameras.map((old, i) => (linked || i === pane ? camera : old)) });
    this.hover(null);
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const start = performance.now();
      this.scene.projectAll();
      this.draw();
      this.measure("frameMs", start);
    });
  }

  /** Ring the rows that the server lit, a list per pane. @param {number[][]} lit */
  light(lit) {
    this.#meeting.lit = lit;
    this.#overlay();
  }

  /**
   * Note how long it took since `start`, for tests and benchmarks.
   * @param {string} name
   * @param {number} start
   */
  measure(name, start) {
    this.root.dataset[name] = (performance.now() - start).toFixed(1);
  }

  /** @param {number} pane */
  #focus = (pane) => {
    this.#focused = this.stage.outlineKeyed(pane) ? pane : -1;
    this.#overlay();
  };

  showControls() {
    this.controls.show(this.view, this.scene.data);
    this.root.dataset.mode = this.view.mode;
  }

  showAll() {
    this.showControls();
    showLegend(this.#legend, this.scene, (rows, how) => this.select(rows, how));
    this.scene.layOut(this.stage.width);
    this.stage.place(this.scene.layout);
    this.draw();
  }

  draw() {
    this.stage.draw(this.scene);
    this.#overlay();
    const { selected, n, column } = this.view;
    const total = count(selected);
    this.#status.textContent = `${grouped(total)} of ${grouped(n)} rows selected`;
    Object.assign(this.root.dataset, { selected: total, colour: column });
  }

  #overlay() {
    const { lit } = this;
    const cross = this.#focused >= 0 ? this.#keyboard.cross(this.#focused) : null;
    this.stage.overlay(this.scene, { ...this.#moving, lit, cross });
    this.root.dataset.picked = String(this.view.picked?.row ?? "");
    this.root.dataset.lit = lit.map((rows) => rows.length).join(" ");
    this.#beside.show(this.scene.data, this.view);
  }

  #tell() {
    this.#telling.call(() => this.#send(reportOf(this.view)));
  }
}
