/* The states of a fit as they came, and what lies between two of them. */

/** A fit's states by number; they are mixed so that the picture moves instead of jumping. */
export class Film {
  run = null;
  states = [];

  /** Take up a message; return whether states before its first one are missing. */
  add(message) {
    if (message.run !== this.run) [this.run, this.states] = [message.run, []];
    if (message.first > this.states.length) return true;
    message.states.forEach((state, i) => (this.states[message.first + i] = state));
    return false;
  }

  get last() {
    return this.states.length - 1;
  }

  /** Return the state at a position, a whole number or a place between two. */
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

/** Return rows of `size` numbers at a place between two layers of a stack of them. */
export function between(stack, size, position) {
  const from = Math.floor(position);
  const row = (layer) => stack.subarray(layer * size, (layer + 1) * size);
  return position === from ? row(from) : mixed(row(from), row(from + 1), position - from);
}

function mixed(a, b, share) {
  return a.map((value, i) => value + share * (b[i] - value));
}
