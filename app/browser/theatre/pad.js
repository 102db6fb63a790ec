/* A square to draw points on: each stroke scatters some about its way, and the server gets them. */

import { make } from "../shared/dom.js";
import { css, readTheme } from "../shared/palette.js";

const SIZE = 300;
const REACH = 3;
const SPREAD = 0.12;
const A_DROP = 4;
const STEP = 0.15;
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

class Pad {
  points = [];
  cursor = null;

  constructor(root, most) {
    this.most = most;
    this.canvas = make("canvas", {
      width: 2 * SIZE,
      height: 2 * SIZE,
      tabindex: 0,
      role: "application",
      "aria-label":
        "Drawing pad: drag to scatter points. With keys: arrows move, Space drops points.",
      onpointerdown: (event) => this.begin(event),
      onpointermove: (event) => this.drag(event),
      onpointerup: () => this.end(),
      onkeydown: (event) => this.key(event),
    });
    this.text = make("output", {});
    const clear = make("button", {
      type: "button",
      text: "Clear",
      title: "Take all points away",
      onclick: () => this.clear(),
    });
    root.replaceChildren(this.canvas, make("div", { class: "row" }, [clear, this.text]));
    this.root = root;
  }

  begin(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.isDown = true;
    this.drag(event);
  }

  drag(event) {
    if (!this.isDown) return;
    this.drop((event.offsetX / SIZE - 0.5) * 2 * REACH, (0.5 - event.offsetY / SIZE) * 2 * REACH);
  }

  drop(x, y) {
    for (let i = 0; i < A_DROP && this.points.length < this.most; i++) {
      const radius = SPREAD * Math.sqrt(-2 * Math.log(1 - Math.random()));
      const angle = 2 * Math.PI * Math.random();
      this.points.push(
        [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map(
          (value) => Math.round(1e3 * value) / 1e3,
        ),
      );
    }
    this.draw();
  }

  end() {
    this.isDown = false;
    this.send(this.points);
  }

  clear() {
    this.points = [];
    this.end();
    this.draw();
  }

  key(event) {
    const way = MOVES[event.key];
    if (!way && event.key !== " ") return;
    event.preventDefault();
    this.cursor ??= [0, 0];
    if (way)
      this.cursor = this.cursor.map((value, i) =>
        Math.max(-REACH, Math.min(REACH, value + STEP * way[i])),
      );
    else {
      this.drop(...this.cursor);
      this.end();
    }
    this.draw();
  }

  draw() {
    const theme = readTheme(this.root);
    const context = this.canvas.getContext("2d");
    const pixel = (value) => SIZE + (SIZE * value) / REACH;
    context.clearRect(0, 0, 2 * SIZE, 2 * SIZE);
    context.fillStyle = css(theme.ink);
    for (const [x, y] of this.points) context.fillRect(pixel(x) - 2, pixel(-y) - 2, 4, 4);
    if (this.cursor) {
      context.strokeStyle = css(theme.primary);
      context.lineWidth = 3;
      context.strokeRect(pixel(this.cursor[0]) - 9, pixel(-this.cursor[1]) - 9, 18, 18);
    }
    this.text.textContent = `${this.points.length.toLocaleString("en")} of at most ${this.most.toLocaleString("en")} points`;
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".pad");
  root.pad ??= new Pad(root, data.most);
  root.pad.send = (points) => setStateValue("points", points);
  root.pad.draw();
}
