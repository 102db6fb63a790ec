/* Where the two squares stand, in CSS pixels: side by side, or one below the other. */

/** @import { Box } from "../shared/types" */

const [LEFT, GAP, BELOW, WIDEST] = [34, 48, 22, 460];
const NARROW = 560;

/**
 * Return the height of the canvas and its plots.
 * @param {number} width
 * @returns {{ height: number, plots: [Box, Box] }}
 */
export function layOut(width) {
  const isWide = width > NARROW;
  const size = Math.min(WIDEST, isWide ? (width - LEFT - GAP) / 2 : width - LEFT - 2);
  const first = { x: LEFT, y: 0, w: size, h: size };
  const second = isWide ? { ...first, x: LEFT + size + GAP } : { ...first, y: size + BELOW };
  return { height: (isWide ? 1 : 2) * (size + BELOW), plots: [first, second] };
}
