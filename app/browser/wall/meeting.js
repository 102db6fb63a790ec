/*
 * The state that the two components of a page share, by the wall's key: the rows that the server
 * rings, the wall that shows them, and the last view of a wall that was removed from the page.
 */

/** @import { Meeting } from "./types" */

/** Return the shared state of a key. @param {string} key @returns {Meeting} */
export function meetingOf(key) {
  globalThis.bertflowWalls ??= new Map();
  const known = globalThis.bertflowWalls.get(key);
  if (known) return known;
  const meeting = { wall: null, lit: [], view: null, calls: 0 };
  globalThis.bertflowWalls.set(key, meeting);
  return meeting;
}
