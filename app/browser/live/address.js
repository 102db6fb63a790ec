/* The address holds the sentences behind its #, which no browser sends to a server. */

const asked = () => new URLSearchParams(location.hash.slice(1));

/** Return the sentences, the calibrator, and the hidden parts separated by commas. */
export function readAddress() {
  const words = asked();
  return {
    sentences: words.getAll("s"),
    calibrator: words.get("calibrator") ?? "",
    hidden: words.get("hide") ?? "",
  };
}

/** Write the sentences and the calibrator; hidden parts stay hidden. @param {string[]} sentences @param {string} calibrator */
export function writeAddress(sentences, calibrator) {
  const words = new URLSearchParams(sentences.map((sentence) => ["s", sentence]));
  words.set("calibrator", calibrator);
  const hidden = asked().get("hide");
  if (hidden) words.set("hide", hidden);
  history.replaceState(null, "", `#${words}`);
}
