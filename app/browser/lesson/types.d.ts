/* Types of the lesson's presenter view. */

/** The parts of a figure's layout that are changed; its axes are called xaxis, xaxis2 and so on. */
export interface Layout {
  height: number;
  font?: object;
  legend?: object;
  margin?: object;
  annotations?: { text: string; font?: object }[];
  [name: string]: unknown;
}

/** A figure as Plotly's own JSON. */
export interface Figure {
  data: unknown[];
  layout: Layout;
}

declare global {
  const Plotly: {
    react: (place: Element, data: unknown[], layout: object, config: object) => void;
  };
}
