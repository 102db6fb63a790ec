/* The address holds the sentences behind its #, which no browser sends to a server. */

/** Return the sentences, the calibrator and the names of what is hidden. */
export function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  return {
    sentences: asked.getAll("s"),
    calibrator: asked.get("calibrator") ?? "",
    hidden: new Set((asked.get("hide") ?? "").split(",")),
  };
}

/** Write them; what is hidden stays so. @param {string[]} sentences @param {string} calibrator */
export function writeAddress(sentences, calibrator) {
  const asked = new URLSearchParams(sentences.map((sentence) => ["s", sentence]));
  asked.set("calibrator", calibrator);
  const hidden = new URLSearchParams(location.hash.slice(1)).get("hide");
  if (hidden) asked.set("hide", hidden);
  history.replaceState(null, "", `#${asked}`);
}
