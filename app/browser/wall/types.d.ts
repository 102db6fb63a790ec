/* Types that the wall's modules share. */

import type { Point, Rgb, Theme } from "../shared/types";
import type { Wall } from "./wall.js";

export type { Point, Rgb, Theme } from "../shared/types";

/** Width and height in CSS pixels. */
export interface Size {
  w: number;
  h: number;
}

/** A named region of a pane at one zoom, about a place in the pane's coordinates. */
export interface Topic {
  zoom: number;
  text: string;
  place: number[];
}

/** One plot as the server sends it; a plane holds one coordinate of every row. */
export interface PaneData {
  name: string;
  badge: string;
  axes: [string, string];
  planes: Float32Array[];
  topics: Topic[];
}

/** What rows can be coloured by: one array for all panes or one per pane; NaN is missing. */
export interface Column {
  name: string;
  unit: string;
  labels: string[];
  rows: Float32Array[];
}

/** The nearest rows of every row in one pane's full space, k each, and how near they are. */
export interface Neighbours {
  k: number;
  rows: Uint32Array;
  values: Float32Array;
}

/** A decoded payload; it has no `neighbours` if a server finds them. */
export interface Data {
  key: string;
  content: string;
  ids: string;
  n: number;
  panes: PaneData[];
  columns: Column[];
  neighbours: Neighbours[];
  textOffsets: Uint32Array;
  textBytes: Uint8Array<ArrayBuffer>;
}

/** A pane's rows, their middle and unit; `half` is what the plot must hold to each side, in units. */
export interface Space {
  planes: Float32Array[];
  centres: number[];
  unit: number;
  half: number[];
}

/** Zoom, and shift in units of a space. */
export interface Camera {
  zoom: number;
  x: number;
  y: number;
}

/** The pixel of every row. */
export interface Screen {
  x: Float32Array;
  y: Float32Array;
}

/** The rows of a pane as its plot shows them. */
export interface Plotted {
  screen: Screen;
  size: Size;
}

/** A category of the legend: its text, and the slot that colours it. */
export interface Entry {
  slot: number;
  text: string;
}

/** A column in a pane: values and slots of all rows, and for numbers the ends of their scale. */
export interface Coloured {
  values: Float32Array;
  slots: Uint8Array;
  low: number;
  high: number;
  nMissing: number;
}

/** A column as colours; `perPane` if the panes have different values. */
export interface Colouring {
  kind: "number" | "category";
  name: string;
  unit: string;
  labels: string[];
  perPane: boolean;
  panes: Coloured[];
  entries: Entry[];
}

export type Mode = "lasso" | "pan";
export type How = "replace" | "add" | "remove";

export interface Picked {
  row: number;
  pane: number;
}

/** What the visitor has set and selected; `selected` holds a byte per row. */
export interface View {
  ids: string;
  n: number;
  cameras: Camera[];
  linked: boolean;
  named: boolean;
  mode: Mode;
  column: string;
  selected: Uint8Array;
  picked: Picked | null;
  search: string;
}

/** The data from which a pane is drawn. */
export interface Look {
  view: View;
  theme: Theme;
  colouring: Colouring;
  /** Colours by slot. */
  colours: Rgb[];
}

/** The moving marks over a pane's rows: ringed rows, the outline of a gesture, the cross-hair. */
export interface Moving {
  lit: number[];
  hovered: number | null;
  outline: Point[];
  cross: (Point & { radius: number }) | null;
}

/** The state that the two components of a page share; `calls` counts calls of the marks. */
export interface Meeting {
  calls: number;
  wall: Pick<Wall, "light"> | null;
  lit: number[][];
  view: View | null;
}

declare global {
  var bertflowWalls: Map<string, Meeting> | undefined;
}
