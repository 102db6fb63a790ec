/* Types of the lesson's presenter view. */

/** The parts of a figure's layout that are changed; its axes are called xaxis, xaxis2 and so on. */
export interface Layout {
  height: number;
  font?: object;
  legend?: object;
  margin?: object;
  annotations?: { text: string; font?: object; showarrow?: boolean; bgcolor?: string }[];
  [name: string]: unknown;
}

/** The parts of an axis that matter here. */
export interface Axis {
  title?: { text?: string };
  domain?: number[];
  visible?: boolean;
}

/** The parts of a trace that are changed. */
export interface Trace {
  line?: { width?: number };
  marker?: { size?: unknown; sizeref?: number; opacity?: unknown };
}

/** A figure as Plotly's own JSON. */
export interface Figure {
  data: Trace[];
  layout: Layout;
}

declare global {
  const Plotly: {
    react: (place: Element, data: unknown[], layout: object, config: object) => void;
  };
}
