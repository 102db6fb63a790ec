/* What the visitor has set and selected; it outlives reruns as long as the rows are the same. */

import { HOME } from "./camera.js";

/** @import { Data, View } from "./types" */

/**
 * Return what of a view still holds for these data; with other rows nothing does.
 * @param {View | null} view
 * @param {Data} data
 * @returns {View}
 */
export function adaptedView(view, data) {
  const first = data.columns[0]?.name ?? "";
  if (!view || view.ids !== data.ids || view.n !== data.n)
    return {
      ids: data.ids,
      n: data.n,
      cameras: data.panes.map(() => HOME),
      linked: true,
      named: true,
      mode: "lasso",
      column: first,
      selected: new Uint8Array(data.n),
      picked: null,
      search: "",
    };
  const { cameras, linked, picked, column } = view;
  return {
    ...view,
    cameras: data.panes.map((_, pane) => cameras[pane] ?? (linked ? cameras[0] : HOME)),
    column: data.columns.some(({ name }) => name === column) ? column : first,
    picked: picked && { ...picked, pane: picked.pane < data.panes.length ? picked.pane : 0 },
  };
}
