/*
 * Where the two components of a page meet, by the wall's key: the rows that the server lights, the
 * wall that shows them, and the view that a wall left when the page was. marks.js makes the same.
 */

/** Return the entry of a key. */
export function entryOf(key) {
  const entries = (globalThis.bertflowWalls ??= new Map());
  if (!entries.has(key)) entries.set(key, { wall: null, lit: [], view: null });
  return entries.get(key);
}
