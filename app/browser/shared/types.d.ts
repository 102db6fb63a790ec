/* Types that the pictures share. */

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

export interface Point {
  x: number;
  y: number;
}

/** A rectangle by its upper left corner, in CSS pixels. */
export interface Box extends Point {
  w: number;
  h: number;
}

/** The colours and the font of the page. */
export interface Theme {
  background: Rgb;
  ink: Rgb;
  muted: Rgb;
  line: Rgb;
  dim: Rgb;
  missing: Rgb;
  primary: Rgb;
  dark: boolean;
  font: string;
}

/** The newest payload of a component, and the function that sends a value to the server. */
export type Send = (value: unknown) => void;

/** The argument with which Streamlit calls a component. */
export interface Call<Data> {
  data: Data;
  parentElement: ParentNode;
  setStateValue: (name: string, value: unknown) => void;
}

/** What a component shows in its element. */
export interface Shown<Data> {
  load(data: Data, send: Send): void;
  close?(): void;
}

/** What can be saved: its parts, and the function that draws them at the present density. */
export interface Drawn {
  parts: HTMLElement[];
  draw(): void;
}

/** What has a place that the address of a page keeps, such as its layer. */
export interface Placed {
  place: number;
}

/** A picture: the class of its element, the function that shows it there, and what each host needs. */
export interface Picture<Data, View extends Shown<Data> = Shown<Data>> {
  name: string;
  show: (root: HTMLElement) => View;
  /** In the app: the name of the state that it sends. */
  state: string;
  /** In a file: how its data are read from the file's bytes, if not as JSON, and what receives the values it sends. */
  file?: { data: (bytes: Uint8Array) => Data; told?: Send };
  /** In a notebook: the trait that holds its data, and the traits set from the values it sends. */
  cell?: {
    trait: string;
    data: (value: unknown) => Data;
    traits: (sent: unknown, view: View) => Record<string, unknown>;
  };
}

/** The values of a notebook's widget, shared with Python, as anywidget defines them. */
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, handle: () => void): void;
  off(event: string, handle: () => void): void;
}

/** One cell that shows a widget. */
export interface Cell {
  model: Model;
  el: HTMLElement;
}
