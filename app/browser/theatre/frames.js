/* The states of a fit as they came, and what lies between two of them. */

/** @import { Payload, State } from "./types" */

/** A fit's states by number; they are mixed so that the picture moves instead of jumping. */
export class Frames {
  /** @type {string | null} */
  run = null;
  /** @type {State[]} */
  states = [];

  /**
   * Take up a payload; return whether states before its first one are missing.
   * @param {Pick<Payload, "run" | "first" | "states">} payload
   */
  add({ run, first, states }) {
    if (run !== this.run) [this.run, this.states] = [run, []];
    if (first > this.states.length) return true;
    states.forEach((state, i) => {
      this.states[first + i] = state;
    });
    return false;
  }

  get last() {
    return this.states.length - 1;
  }

  /**
   * Return the state at a position, a whole number or a place between two.
   * @param {number} position
   * @returns {State}
   */
  at(position) {
    const from = Math.min(this.last, Math.floor(position));
    const share = position - from;
    const [a, b] = [this.states[from], this.states[Math.min(this.last, from + 1)]];
    if (share <= 0 || a === b) return a;
    return {
      step: Math.round(a.step + share * (b.step - a.step)),
      bits: a.bits + share * (b.bits - a.bits),
      density: mixed(a.density, b.density, share),
      latent: mixed(a.latent, b.latent, share),
      lines: mixed(a.lines, b.lines, share),
    };
  }
}

/**
 * Return rows of `size` numbers at a place between two layers of a stack of them.
 * @param {Float32Array} stack
 * @param {number} size
 * @param {number} position
 */
export function between(stack, size, position) {
  const from = Math.floor(position);
  /** @param {number} layer */
  const row = (layer) => stack.subarray(layer * size, (layer + 1) * size);
  return position === from ? row(from) : mixed(row(from), row(from + 1), position - from);
}

/** @param {Float32Array} a @param {Float32Array} b @param {number} share */
function mixed(a, b, share) {
  return a.map((value, i) => value + share * (b[i] - value));
}
