/* Data of a wall as they are read of a payload, with nothing drawn. */

/**
 * @param {string[]} texts
 * @param {object} changes
 */
export function dataOf(texts, nPanes = 2, changes = {}) {
  const parts = texts.map((text) => new TextEncoder().encode(text));
  const ends = [0];
  for (const part of parts) ends.push(ends[ends.length - 1] + part.length);
  const axes = /** @type {[string, string]} */ (["x", "y"]);
  const pane = { badge: "", axes, planes: [], topics: [] };
  const column = { unit: "", labels: [], rows: [] };
  return {
    ...{ key: "wall", content: "", ids: "rows", n: texts.length, neighbours: [] },
    panes: ["raw", "flow", "whiten"].slice(0, nPanes).map((name) => ({ ...pane, name })),
    columns: ["a", "b"].map((name) => ({ ...column, name })),
    textOffsets: Uint32Array.from(ends),
    textBytes: Uint8Array.from(parts.flatMap((part) => [...part])),
    ...changes,
  };
}
