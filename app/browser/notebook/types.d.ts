/* What a notebook's front end hands a widget, as anywidget defines it. */

/** The widget's values, the same in Python. */
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
