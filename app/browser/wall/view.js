/* What the visitor has set and selected; it outlives reruns as long as the rows are the same. */

import { homeCamera } from "./camera.js";

/** @import { Data, View } from "./types" */

/**
 * Return a view of these rows with nothing set or selected.
 * @param {Data} data
 * @returns {View}
 */
export function freshView(data) {
  return {
    ids: data.ids,
    n: data.n,
    dims: data.dims,
    cameras: data.panes.map(() => homeCamera(data.dims)),
    linked: true,
    named: true,
    mode: "lasso",
    column: data.columns[0]?.name ?? "",
    size: 1,
    selected: new Uint8Array(data.n),
    picked: null,
    search: { text: "", isExpression: false },
  };
}

/**
 * Return what of a view still holds for these data; with other rows nothing does.
 * @param {View | null} view
 * @param {Data} data
 * @returns {View}
 */
export function adaptedView(view, data) {
  const fresh = freshView(data);
  if (!view || view.ids !== data.ids || view.n !== data.n) return fresh;
  const isTurned = view.dims !== data.dims;
  const isPane = view.picked && view.picked.pane < data.panes.length;
  return {
    ...view,
    dims: data.dims,
    mode: isTurned && view.mode === "rotate" ? "lasso" : view.mode,
    cameras: fresh.cameras.map(
      (home, pane) =>
        (!isTurned && (view.cameras[pane] ?? (view.linked && view.cameras[0]))) || home,
    ),
    column: data.columns.some(({ name }) => name === view.column) ? view.column : fresh.column,
    picked: view.picked && (isPane ? view.picked : { ...view.picked, pane: 0 }),
  };
}
