/* What Streamlit calls: once when a component is mounted, and again for new data or a theme. */

/** @import { Call, Shown } from "./types" */

/**
 * Return the function that ends a call. Streamlit also ends a call that a newer one overtook: only
 * the newest call of an owner closes.
 * @param {{ calls: number }} owner
 * @param {() => void} close
 */
export function ending(owner, close) {
  owner.calls += 1;
  const call = owner.calls;
  return () => {
    if (owner.calls === call) close();
  };
}

/**
 * Return a component that shows its data in the element that `selector` names and reports the
 * value `state`.
 * @template Data
 * @param {string} selector
 * @param {string} state
 * @param {(root: HTMLElement) => Shown<Data>} make
 */
export function component(selector, state, make) {
  /** @type {WeakMap<HTMLElement, { shown: Shown<Data>, calls: number }>} */
  const all = new WeakMap();
  /** @param {Call<Data>} call */
  return ({ data, parentElement, setStateValue }) => {
    const root = /** @type {HTMLElement} */ (parentElement.querySelector(selector));
    const owner = all.get(root) ?? { shown: make(root), calls: 0 };
    all.set(root, owner);
    owner.shown.load(data, (value) => setStateValue(state, value));
    return ending(owner, () => owner.shown.close?.());
  };
}
