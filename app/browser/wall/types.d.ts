/* What the wall's modules hand each other. */

import type { Box, Point, Rgb, Theme } from "../shared/types";
import type { Wall } from "./wall.js";

export type { Box, Point, Rgb, Theme } from "../shared/types";

/** The values at the two ends of an axis. */
export type Range = readonly [number, number];

/** A named region of a pane at one zoom, about a place in the pane's coordinates. */
export interface Topic {
  zoom: number;
  text: string;
  place: number[];
}

/** One plot as the server sends it; a plane holds one coordinate of every row. */
export interface Pane {
  name: string;
  badge: string;
  axes: string[];
  equal_scale: boolean;
  planes: Float32Array[];
  topics: Topic[];
}

/** What rows can be coloured by: one array for all panes or one per pane; NaN is missing. */
export interface Column {
  name: string;
  unit: string;
  labels: string[];
  colours: number[];
  rows: Float32Array[];
}

/** The nearest rows of every row in one pane's full space, k each, and how near they are. */
export interface Neighbours {
  k: number;
  rows: Uint32Array;
  values: Float32Array;
}

/** A payload, read; no `neighbours` where a server looks for them. */
export interface Data {
  key: string;
  content: string;
  ids: string;
  caption: string;
  n: number;
  dims: number;
  panes: Pane[];
  columns: Column[];
  neighbours: Neighbours[];
  textOffsets: Uint32Array;
  textBytes: Uint8Array<ArrayBuffer>;
}

/** A pane's rows about the origin within 1; `half` is what the plot must hold to each side. */
export interface Space {
  isApart: boolean;
  centres: number[];
  units: number[];
  planes: Float32Array[];
  half: number[];
}

/** Zoom, shift in units of a space, and rotation as a 3 x 3 matrix by rows. */
export interface Camera {
  zoom: number;
  x: number;
  y: number;
  turn: number[];
}

/** The pixel of every row and, in 3-D, its depth and the order to draw in. */
export interface Screen {
  x: Float32Array;
  y: Float32Array;
  depth: Float32Array | null;
  order: Uint32Array | null;
}

/** The rows of a plot by cells of the screen. */
export interface Filed {
  across: number;
  down: number;
  starts: Uint32Array;
  rows: Uint32Array;
  plot: Box;
  screen: Screen;
}

/** Where things stand. */
export interface Layout {
  width: number;
  height: number;
  panes: { cell: Box; plot: Box; bar: Box | null }[];
  strip: { x: number; y: number; w: number } | null;
}

export interface ValueRange {
  low: number;
  high: number;
  nMissing: number;
}

export interface Entry {
  slot: number;
  text: string;
}

/** A column as colour slots: `values`, `slots` and `ranges` have one item per pane. */
export interface Colouring {
  kind: "number" | "category";
  name: string;
  unit: string;
  labels: string[];
  perPane: boolean;
  values: Float32Array[];
  slots: Uint8Array[];
  ranges: ValueRange[];
  entries: Entry[];
}

export type Mode = "lasso" | "box" | "pan" | "rotate";
export type How = "replace" | "add" | "remove";

export interface Picked {
  row: number;
  pane: number;
}

/** What the visitor has set and selected; `selected` holds a byte per row. */
export interface View {
  ids: string;
  n: number;
  dims: number;
  cameras: Camera[];
  linked: boolean;
  named: boolean;
  mode: Mode;
  column: string;
  size: number;
  selected: Uint8Array;
  picked: Picked | null;
  search: { text: string; isExpression: boolean };
}

/** Where the two components of a page meet; `calls` counts those of the marks. */
export interface Meeting {
  calls: number;
  wall: Pick<Wall, "light" | "takeAsked"> | null;
  lit: number[][];
  asked: Asked | null;
  view: View | null;
}

/** Rows that the server asks to select, as those of an address: of which wall, a bit per row. */
export interface Asked {
  ids: string;
  rows: string;
}

export interface Outline {
  pane: number;
  points: Point[];
}

export interface Cross extends Point {
  pane: number;
  radius: number;
}

/** What drawing needs to know of a scene. */
export interface Drawn {
  data: Data;
  view: View;
  layout: Layout;
  theme: Theme;
  spaces: Space[];
  screens: Screen[];
  topicScreens: Screen[];
  colours: Rgb[];
}

declare global {
  var bertflowWalls: Map<string, Meeting> | undefined;
}
