/* One wall: what the visitor set and selected, and what happens when either changes. */

import { grouped, make } from "../shared/dom.js";
import { hosted } from "../shared/hosts.js";
import { Announcer, Later } from "../shared/later.js";
import { readTheme } from "../shared/palette.js";
import { Beside, neighboursIn } from "./beside.js";
import { HOME } from "./camera.js";
import { colourBy, slotColours, valueText } from "./colouring.js";
import { Controls } from "./controls.js";
import { Keyboard } from "./keyboard.js";
import { showLegend } from "./legend.js";
import { meetingOf } from "./meeting.js";
import { Pane } from "./pane.js";
import { parsePayload, textOf } from "./payload.js";
import { listenToPointer } from "./pointer.js";
import { adaptedView, combine, count, reportOf, rowsWith } from "./selection.js";
import { Tooltip } from "./tooltip.js";

/** @import { Rgb, Send, Theme } from "../shared/types" */
/** @import { Camera, Colouring, Data, How, Meeting, Point, View } from "./types" */

const TELL_PAUSE_MS = 120;
const [WIDE, MIDDLE] = [900, 560];

/** Shows payloads in `root` and reports to the server what was selected and picked. */
export class Wall {
  #keyboard = new Keyboard(this);
  #telling = new Later(TELL_PAUSE_MS);
  #tooltip = new Tooltip();
  #frame = 0;
  #hovered = /** @type {number | null} */ (null);
  /** The pane of a gesture, and its outline. @type {{ pane: Pane | null, points: Point[] }} */
  #drawn = { pane: null, points: [] };
  /** The pane that keys act on. @type {Pane | null} */
  #keyed = null;
  /** @type {Meeting} */
  #meeting = { wall: null, lit: [], view: null, calls: 0 };
  /** @type {Send} */
  #send = () => {};
  #legend = make("div", { class: "legend", role: "group", "aria-label": "Legend" });
  #status = make("p", { class: "status", role: "status" });
  #beside = new Beside((row, pane) => this.pick(row, pane));
  #grid = make("div", { class: "panes" });
  #watcher = new ResizeObserver(() => this.#layOut());
  announcer = new Announcer();
  controls = new Controls(this);
  /** @type {Pane[]} */
  panes = [];
  // The shown data and view; set once a payload was loaded.
  data = /** @type {Data} */ (/** @type {unknown} */ (null));
  view = /** @type {View} */ (/** @type {unknown} */ (null));
  theme = /** @type {Theme} */ (/** @type {unknown} */ (null));
  colouring = /** @type {Colouring} */ (/** @type {unknown} */ (null));
  /** Colours by slot. @type {Rgb[]} */
  colours = [];

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const above = make("div", { class: "above" }, [this.#status, this.#legend]);
    const stage = make("div", { class: "stage" }, [this.#grid, this.#tooltip.element]);
    root.append(this.controls.element, above, stage, this.announcer.element, this.#beside.element);
  }

  /** Return the rows that are ringed, a list per pane: the rows that the payload or the server names. */
  get lit() {
    const { picked } = this.view;
    if (!this.data.neighbours.length) return this.#meeting.lit;
    return picked ? this.panes.map((_, i) => neighboursIn(this.data, i, picked.row)) : [];
  }

  /** @param {number} row */
  textOf(row) {
    return textOf(this.data, row);
  }

  /**
   * Show a payload; the visitor's settings stay while the rows are the same.
   * @param {Uint8Array} bytes
   * @param {Send} send
   */
  load(bytes, send) {
    this.#send = send;
    const data = parsePayload(bytes);
    if (this.data?.content !== data.content) this.#replace(data);
    this.theme = readTheme(this.root);
    this.#meeting.wall = this;
    this.#colour();
    this.#watcher.observe(this.#grid);
    this.root.dataset.ready = String(data.n);
  }

  /** @param {Data} data */
  #replace(data) {
    this.#meeting = meetingOf(data.key);
    const before = this.#meeting.view;
    this.data = data;
    this.view = this.#meeting.view = adaptedView(before, data);
    [this.#hovered, this.#keyed, this.#drawn] = [null, null, { pane: null, points: [] }];
    this.controls.say("");
    this.panes = data.panes.map((pane, index) => new Pane(pane, index, data.n));
    for (const pane of this.panes) this.#listen(pane);
    this.#grid.replaceChildren(...this.panes.map(({ element }) => element));
    // The server may know no selection, if the wall was removed, or a selection of old rows.
    if (before && (count(before.selected) || before.picked)) this.#tell();
  }

  /** @param {Pane} pane */
  #listen(pane) {
    listenToPointer(this, pane);
    /** @param {Pane | null} keyed */
    const show = (keyed) => {
      this.#keyed = keyed;
      this.#overlay();
    };
    const { canvas } = pane;
    canvas.addEventListener("pointerdown", () => show(null)); // a pointer needs no cross-hair
    canvas.addEventListener("focus", () => canvas.matches(":focus-visible") && show(pane));
    canvas.addEventListener("blur", () => show(null));
    canvas.addEventListener("keydown", (event) => {
      show(pane);
      this.#keyboard.press(pane, event);
    });
  }

  /** Go to a pane; after the last comes the first. @param {number} index */
  focusPane(index) {
    this.panes[(index + this.panes.length) % this.panes.length].canvas.focus();
  }

  /** @param {Partial<View>} changes */
  #change(changes) {
    this.view = this.#meeting.view = { ...this.view, ...changes };
  }

  /** Set what one of the controls changes. @param {Partial<View>} changes */
  set(changes) {
    this.#change(changes);
    if (changes.column === undefined) this.#show();
    else this.#colour();
  }

  /** Select the rows whose text holds a word. @param {string} word */
  search(word) {
    if (!word) {
      this.clear();
      return;
    }
    const rows = rowsWith(this.data, word);
    this.select(rows, "replace", word);
    this.controls.say(`${grouped(count(rows))} found`);
  }

  /** Stop everything when the page is removed; `load` may be called again. */
  close() {
    this.#watcher.disconnect();
    this.#telling.stop();
    this.announcer.stop();
    cancelAnimationFrame(this.#frame);
    if (this.#meeting.wall === this) this.#meeting.wall = null;
  }

  /** Select and pick nothing. */
  clear() {
    this.#change({ picked: null });
    this.select(new Uint8Array(this.view.n), "replace");
    this.announcer.say("Nothing is selected");
  }

  /**
   * Select rows. The last search is cleared, since it no longer describes them.
   * @param {Uint8Array} rows
   * @param {How} how
   */
  select(rows, how, search = "") {
    this.#change({ selected: combine(this.view.selected, rows, how), search });
    this.controls.say("");
    this.#show();
    this.#tell();
  }

  /** Pick a row of a pane, or none. @param {number | null} row @param {number} pane */
  pick(row, pane) {
    this.#change({ picked: row === null ? null : { row, pane } });
    this.#overlay();
    this.#tell();
    if (row !== null) this.announcer.say(`Picked: ${this.textOf(row)}`);
  }

  /** Show the row at a point of a pane, or none. @param {number | null} row @param {Pane} [pane] @param {Point} [point] */
  hover(row, pane, point) {
    if (row === null && this.#hovered === null) return;
    this.#hovered = row;
    if (row !== null && pane && point) {
      const { left, top } = pane.canvas.getBoundingClientRect();
      const place = { x: left + point.x, y: top + point.y };
      this.#tooltip.show(this.textOf(row), valueText(this.colouring, pane.index, row), place);
    } else this.#tooltip.hide();
    this.#overlay();
  }

  /** Show the outline of a gesture in a pane; none if it has no points. @param {Pane} pane @param {Point[]} points */
  outline(pane, points) {
    this.#drawn = { pane, points };
    this.#overlay();
  }

  /** Show every row of every pane again. */
  reset() {
    this.#change({ cameras: this.panes.map(() => HOME) });
    this.#project();
  }

  /** Change a pane's camera, and those of all panes if they are linked. @param {Pane} pane @param {Camera} camera */
  moveCamera({ index }, camera) {
    const { cameras, linked } = this.view;
    this.#change({ cameras: cameras.map((old, i) => (linked || i === index ? camera : old)) });
    this.hover(null);
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#project());
  }

  /** Ring the rows that the server lit, a list per pane. @param {number[][]} lit */
  light(lit) {
    this.#meeting.lit = lit;
    this.#overlay();
  }

  #colour() {
    const { columns, n } = this.data;
    const one = { name: "", unit: "", labels: [""], rows: [new Float32Array(n)] };
    const column = columns.find(({ name }) => name === this.view.column) ?? one;
    this.colouring = colourBy(column, this.panes.length);
    this.colours = slotColours(this.colouring.kind, this.theme);
    showLegend(this.#legend, this, (rows, how) => this.select(rows, how));
    this.#layOut();
  }

  /** Lay out the panes: as many side by side as fill the rows evenly, four as two by two. */
  #layOut() {
    const width = this.#grid.clientWidth;
    const n = this.panes.length;
    const most = width >= WIDE ? 3 : width >= MIDDLE ? 2 : 1;
    this.#grid.style.setProperty("--across", String(Math.ceil(n / Math.ceil(n / most))));
    this.#grid.classList.toggle("alone", n === 1);
    for (const pane of this.panes) pane.measure();
    this.#project();
  }

  /** The picked row. */
  get place() {
    return this.view.picked?.row ?? -1;
  }

  set place(row) {
    if (row >= 0 && row < this.data.n) this.pick(row, 0);
  }

  /** What is saved: the legend and the panes. */
  get parts() {
    return [this.#legend, this.#grid];
  }

  draw() {
    this.#show();
  }

  #project() {
    for (const pane of this.panes) pane.project(this.view.cameras[pane.index]);
    this.#show();
  }

  #show() {
    const { selected, n, column, mode } = this.view;
    const total = count(selected);
    this.controls.show(this.view, this.data);
    for (const pane of this.panes) pane.draw(this);
    this.#status.textContent = `${grouped(total)} of ${grouped(n)} rows selected`;
    Object.assign(this.root.dataset, { selected: total, colour: column, mode });
    this.#overlay();
  }

  #overlay() {
    const { lit } = this;
    for (const pane of this.panes)
      pane.overlay(this, {
        lit: lit[pane.index] ?? [],
        hovered: this.#hovered,
        outline: this.#drawn.pane === pane ? this.#drawn.points : [],
        cross: this.#keyed === pane ? this.#keyboard.cross(pane) : null,
      });
    this.root.dataset.picked = String(this.view.picked?.row ?? "");
    this.root.dataset.lit = lit.map((rows) => rows.length).join(" ");
    this.#beside.show(this.data, this.view);
  }

  #tell() {
    this.#telling.call(() => this.#send(reportOf(this.view)));
  }
}

export default hosted({
  name: "wall",
  show: (root) => new Wall(root),
  state: "report",
  file: { data: (bytes) => bytes },
  cell: {
    trait: "payload",
    data: (value) => {
      const { buffer, byteOffset, byteLength } = /** @type {DataView<ArrayBuffer>} */ (value);
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
    traits: (_, { view: { selected, picked } }) => ({
      selected: [...selected.keys()].filter((row) => selected[row]),
      picked: picked?.row ?? null,
    }),
  },
});
