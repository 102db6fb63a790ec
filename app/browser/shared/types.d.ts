/* The shapes of what the wall and the flow view share. */

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

/** What Streamlit calls a component with. */
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
