/* What a layer's cosine comes from and what leaving parts out does, in one or two sentences. */

import { AS_IT_IS } from "./journey.js";

/** @import { State } from "./types" */
/** @import { Journey } from "./journey.js" */

/** @param {Journey} journey @param {number} layer @param {State} state */
export function sentence(journey, layer, state) {
  const { name, flow } = journey.data.layers[layer];
  const { chosen, shares } = journey.space(layer, state).data;
  const [before, now] = [AS_IT_IS, state].map((each) => journey.scores(each)[layer]);
  const percent = (100 * (shares[0] + shares[1])).toFixed(0);
  const tokens = state.isAfterFirst ? ", without their first tokens" : "";
  const made = shares.length
    ? `In layer ${name}, coordinates ${chosen[0]} and ${chosen[1]} make ${percent} % of the cosine of two random sentences${tokens}.`
    : `In layer ${name}, two random sentences have no positive cosine.`;
  const ranks = [...state.out].sort((a, b) => a - b);
  const out = ranks.map((rank) => chosen[rank]);
  const parts = [
    ...(state.isAfterFirst ? ["the first token"] : []),
    ...(out.length ? [`coordinate${out.length > 1 ? "s" : ""} ${listed(out.map(String))}`] : []),
    ...(state.isCentred ? ["the mean"] : []),
  ];
  const isScored = !Number.isNaN(now.rho);
  const ofFlow = flow === null ? "" : `; the flow gives ${(100 * flow).toFixed(2)}`;
  if (!parts.length)
    return isScored ? `${made} Rho x 100 is ${(100 * now.rho).toFixed(2)}${ofFlow}.` : made;
  const cosine = changed("the random cosine", before.cosine, now.cosine, 3);
  const rho = changed("rho x 100", 100 * before.rho, 100 * now.rho, 2);
  return `${made} Without ${listed(parts)}, ${cosine}${isScored ? `, and ${rho}${ofFlow}` : ""}.`;
}

/** @param {string} what @param {number} before @param {number} now @param {number} digits */
function changed(what, before, now, digits) {
  const [from, to] = [before, now].map((value) => value.toFixed(digits));
  if (from === to) return `${what} stays at ${to}`;
  return `${what} ${now > before ? "rises" : "falls"} from ${from} to ${to}`;
}

/** @param {string[]} parts */
function listed(parts) {
  const [last, others] = [parts.at(-1) ?? "", parts.slice(0, -1)];
  return others.length ? `${others.join(", ")} and ${last}` : last;
}
