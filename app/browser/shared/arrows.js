/* The arrow keys as steps in the plane: to the right and up. */

/** @type {Record<string, readonly [number, number]>} */
export const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
