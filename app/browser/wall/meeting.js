/*
 * Where the two components of a page meet, by the wall's key: the rows that the server lights,
 * the wall that shows them, and the view that a wall left when the page was.
 */

/** @import { Meeting } from "./types" */

/** Return the meeting place of a key. @param {string} key @returns {Meeting} */
export function meetingOf(key) {
  globalThis.bertflowWalls ??= new Map();
  const known = globalThis.bertflowWalls.get(key);
  if (known) return known;
  const meeting = { wall: null, lit: [], view: null, calls: 0 };
  globalThis.bertflowWalls.set(key, meeting);
  return meeting;
}
