/* One wall: what the visitor set and selected, and what happens when either changes. */

import { homeCamera } from "./camera.js";
import { valueText } from "./colouring.js";
import { Controls } from "./controls.js";
import { grouped, make } from "../shared/dom.js";
import { Keyboard } from "./keyboard.js";
import { showLegend } from "./legend.js";
import { parsePayload, textOf } from "./payload.js";
import { savePicture } from "./picture.js";
import { listenToPointer } from "./pointer.js";
import { entryOf } from "./registry.js";
import { Scene } from "./scene.js";
import { REPLACE, combine, count, reportOf } from "./selection.js";
import { Search } from "./search.js";
import { Stage } from "./stage.js";
import { Later } from "./later.js";
import { adaptedView } from "./view.js";

const TELL_PAUSE_MS = 120;
const ANNOUNCE_PAUSE_MS = 300;

/** Shows payloads in `root` and reports to the server what was selected and picked. */
export class Wall {
  #search = new Search();
  #keyboard = new Keyboard(this);
  #telling = new Later(TELL_PAUSE_MS);
  #announcing = new Later(ANNOUNCE_PAUSE_MS);
  #moving = { outline: null, hovered: null };
  #focused = -1;
  #listening = null;
  #frame = 0;

  constructor(root) {
    this.root = root;
    this.stage = new Stage();
    this.controls = new Controls(this);
    this.legend = make("div", { class: "legend", role: "group", "aria-label": "Legend" });
    this.status = make("p", { class: "status", role: "status" });
    this.spoken = make("p", { class: "spoken", "aria-live": "polite" });
    const above = make("div", { class: "above" }, [this.status, this.legend]);
    root.append(this.controls.element, above, this.stage.element, this.spoken);
  }

  get view() {
    return this.scene.view;
  }

  get nPanes() {
    return this.scene.data.panes.length;
  }

  textOf(row) {
    return textOf(this.scene.data, row);
  }

  /** Show a payload; what the visitor set stays while the rows are the same. */
  load(bytes, send) {
    this.send = send;
    const data = parsePayload(bytes);
    if (this.scene?.data.content === data.content) this.scene.readTheme();
    else this.#replace(data);
    this.entry.wall = this;
    this.#listen();
    this.#showAll();
    this.root.dataset.ready = data.n;
  }

  #replace(data) {
    this.entry = entryOf(data.key);
    const before = this.entry.view;
    this.#moving = { outline: null, hovered: null };
    this.#search.stop();
    this.controls.say("");
    this.scene = new Scene(data, adaptedView(before, data), this.root, this.stage.width);
    this.#change({});
    this.stage.setPanes(data, (pane, event) => this.#keyboard.press(pane, event), this.#focus);
    // The server may know of nothing, where the wall was away, or of rows that are gone.
    if (before && (count(before.selected) || before.picked)) this.#tell();
  }

  #change(changes) {
    this.scene.view = { ...this.view, ...changes };
    this.entry.view = this.view;
  }

  #listen() {
    if (this.#listening) return;
    this.#listening = new AbortController();
    listenToPointer(this, this.#listening.signal);
    const observer = new ResizeObserver(() => {
      if (this.stage.width !== this.scene.layout.width) this.#showAll();
    });
    observer.observe(this.stage.element);
    this.#listening.signal.addEventListener("abort", () => observer.disconnect());
  }

  /** Stop all that runs when the page goes; `load` may come again. */
  close() {
    this.#listening?.abort();
    this.#listening = null;
    this.#search.stop();
    this.#telling.stop();
    this.#announcing.stop();
    cancelAnimationFrame(this.#frame);
    if (this.entry.wall === this) this.entry.wall = null;
  }

  // What the controls call.

  setMode = (mode) => {
    this.#change({ mode });
    this.#showControls();
  };

  setLinked = (linked) => this.#change({ linked });

  setColumn = (column) => {
    this.#change({ column });
    this.scene.colourRows();
    this.#showAll();
  };

  setSize = (size) => {
    this.#change({ size });
    this.#draw();
  };

  resetAll = () => {
    this.#change({ cameras: this.view.cameras.map(() => homeCamera(this.view.dims)) });
    this.#showAll();
  };

  clear = () => {
    this.#change({ picked: null });
    this.select(new Uint8Array(this.view.n), REPLACE);
    this.announce("Nothing is selected");
  };

  search = (text, isExpression) => {
    this.#change({ search: { text, isExpression } });
    if (!text) {
      this.#search.stop();
      this.clear();
      return;
    }
    this.controls.say("Searching");
    this.#search.start(this.scene.data, text, isExpression, ({ rows, problem }) => {
      if (rows) this.select(rows, REPLACE, { text, isExpression });
      this.controls.say(problem ?? `${grouped(count(rows))} found`);
    });
  };

  save = () => savePicture(this.scene, this.entry.lit);

  // What pointer, keyboard, legend and server call.

  /** Select rows; what was searched for before no longer says which. */
  select(rows, how, search = { ...this.view.search, text: "" }) {
    if (!search.text) this.#search.stop();
    this.#change({ selected: combine(this.view.selected, rows, how), search });
    this.controls.say("");
    this.#showControls();
    this.#draw();
    this.#tell();
  }

  pick(picked) {
    this.#change({ picked });
    this.#overlay();
    this.#tell();
    if (picked) this.announce(`Picked: ${this.textOf(picked.row)}`);
  }

  hover(found) {
    if (found === null && this.#moving.hovered === null) return;
    this.#moving.hovered = found && found.row;
    if (found) {
      const { colouring, layout } = this.scene;
      const value = valueText(colouring, found.pane, found.row);
      this.stage.tooltip.show(this.textOf(found.row), value, found.point, layout);
    } else this.stage.tooltip.hide();
    this.#overlay();
  }

  /** Show the outline of a gesture `{ pane, points }`, or none. */
  outline(outline) {
    this.#moving.outline = outline;
    this.#overlay();
  }

  resetView(pane) {
    this.moveCamera(pane, homeCamera(this.view.dims));
  }

  /** Look at a pane through another camera, and at all of them where they are linked. */
  moveCamera(pane, camera) {
    const isMoved = (i) => this.view.linked || i === pane;
    this.#change({ cameras: this.view.cameras.map((old, i) => (isMoved(i) ? camera : old)) });
    this.hover(null);
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const start = performance.now();
      this.scene.projectAll();
      this.#draw();
      this.measure("frameMs", start);
    });
  }

  /** Ring the rows that the server lit, a list a pane. */
  light(lit) {
    this.entry.lit = lit;
    this.#overlay();
  }

  /** Say something to those who listen to the page, once the keys rest. */
  announce(text) {
    this.#announcing.call(() => (this.spoken.textContent = text));
  }

  /** Note how long it took since `start`, for tests and benchmarks. */
  measure(name, start) {
    this.root.dataset[name] = (performance.now() - start).toFixed(1);
  }

  #focus = (pane) => {
    this.#focused = this.stage.outlineKeyed(pane) ? pane : -1;
    this.#overlay();
  };

  #showControls() {
    this.controls.show(this.view, this.scene.data);
    this.root.dataset.mode = this.view.mode;
  }

  #showAll() {
    this.#showControls();
    showLegend(this.legend, this.scene, (rows, how) => this.select(rows, how));
    this.scene.layOut(this.stage.width);
    this.stage.place(this.scene.layout);
    this.#draw();
  }

  #draw() {
    this.stage.draw(this.scene);
    this.#overlay();
    const { selected, n, column } = this.view;
    const total = count(selected);
    this.status.textContent = `${grouped(total)} of ${grouped(n)} rows selected`;
    Object.assign(this.root.dataset, { selected: total, colour: column });
  }

  #overlay() {
    const { lit } = this.entry;
    const cross = this.#focused >= 0 ? this.#keyboard.cross(this.#focused) : null;
    this.stage.overlay(this.scene, { ...this.#moving, lit, cross });
    this.root.dataset.picked = this.view.picked?.row ?? "";
    this.root.dataset.lit = lit.map((rows) => rows.length).join(" ");
  }

  #tell() {
    this.#telling.call(() => this.send(reportOf(this.view)));
  }
}
