/* Random numbers from a seed, since the browser's own generator cannot be seeded. */

/**
 * Return a source of numbers from 0 to below 1 (mulberry32 by Tommy Ettinger, public domain).
 * @param {number} seed
 */
export function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Return a source of draws from N(0, 1), by Box and Muller. @param {() => number} uniform */
export function normals(uniform) {
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Return 0 to n - 1 in a random order. @param {number} n @param {() => number} uniform */
export function shuffled(n, uniform) {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(uniform() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
