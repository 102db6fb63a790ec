/* What a layer's cosine comes from and what leaving parts out does, in one or two sentences. */

import { AS_IT_IS } from "./journey.js";

/** @import { SpaceData, State } from "./types" */
/** @import { Journey } from "./journey.js" */

const LEAST_SHARE = 0.005; // a smaller one would be written as 0 %

/** @param {Journey} journey @param {number} layer @param {State} state */
export function sentence(journey, layer, state) {
  const { flow } = journey.data.layers[layer];
  const [before, now] = [AS_IT_IS, state].map((each) => journey.scores(each)[layer]);
  const made = source(journey, layer, state);
  const parts = leftOut(journey.space(layer, state).data, state);
  const isScored = !Number.isNaN(now.rho);
  const ofFlow = flow === null ? "" : `; the flow gives ${(100 * flow).toFixed(2)}`;
  if (!parts.length)
    return isScored ? `${made} Rho x 100 is ${(100 * now.rho).toFixed(2)}${ofFlow}.` : made;
  const cosine = changed("the random cosine", before.cosine, now.cosine, 3);
  const rho = changed("rho x 100", 100 * before.rho, 100 * now.rho, 2);
  return `${made} Without ${listed(parts)}, ${cosine}${isScored ? `, and ${rho}${ofFlow}` : ""}.`;
}

/** @param {Journey} journey @param {number} layer @param {State} state */
function source(journey, layer, state) {
  const { name, first_part } = journey.data.layers[layer];
  const { data } = journey.space(layer, state);
  const { chosen, shares } = data;
  if (!shares.length) return `In layer ${name}, two random sentences have no positive cosine.`;
  const [coordinates, share] = areTwo(data)
    ? [`coordinates ${chosen[0]} and ${chosen[1]} make`, shares[0] + shares[1]]
    : [`coordinate ${chosen[0]} makes`, shares[0]];
  const made = `In layer ${name}, ${coordinates} ${whole(share)} of the cosine of two random sentences`;
  if (state.isAfterFirst) return `${made}, without their first tokens.`;
  return first_part === null
    ? `${made}.`
    : `${made}; the first token accounts for ${whole(first_part)} of it.`;
}

/** Whether the second coordinate, too, makes a part of the cosine that is worth a word. @param {SpaceData} data */
function areTwo({ shares }) {
  return shares[1] >= LEAST_SHARE;
}

/** Name what a state leaves out. @param {SpaceData} data @param {State} state */
function leftOut(data, { out, isCentred, isAfterFirst }) {
  const ranks = [...out].sort((a, b) => a - b);
  const names = ranks.map((rank) => String(data.chosen[rank]));
  let coordinates = `coordinate${names.length > 1 ? "s" : ""} ${listed(names)}`;
  if (ranks.join() === "0,1" && areTwo(data)) coordinates = "these two coordinates";
  return [
    ...(isAfterFirst ? ["the first token"] : []),
    ...(names.length ? [coordinates] : []),
    ...(isCentred ? ["the mean"] : []),
  ];
}

/** @param {number} share */
function whole(share) {
  return `${Math.round(100 * share)} %`;
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
