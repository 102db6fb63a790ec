/* In 3-D near rows are drawn over far ones: rows in the order of their depth, by counting. */

const N_BUCKETS = 1024;

/**
 * Write the rows into `order`, far ones first; depths lie within -1..1.
 * @param {Float32Array} depth
 * @param {Uint32Array} order
 */
export function orderByDepth(depth, order) {
  const starts = new Uint32Array(N_BUCKETS + 1);
  /** @param {number} z */
  const bucket = (z) => Math.min(N_BUCKETS - 1, Math.max(0, Math.floor(((z + 1) / 2) * N_BUCKETS)));
  for (const z of depth) starts[bucket(z) + 1] += 1;
  for (let b = 0; b < N_BUCKETS; b++) starts[b + 1] += starts[b];
  for (let row = 0; row < depth.length; row++) order[starts[bucket(depth[row])]++] = row;
}
