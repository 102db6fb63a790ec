/*
 * Rows whose text holds a word or fits an expression. It runs in a worker with a time limit: some
 * short expressions take years on a short text, and nothing else can stop them.
 */

export const MAX_PATTERN = 200;
const MAX_SECONDS = 3;

/** One search at a time; a new one ends the last. */
export class Search {
  #worker = null;
  #timer = 0;

  /** Look for `pattern` and call `found({ rows })` or `found({ problem })`, a sentence. */
  start({ textBytes, textOffsets }, pattern, isExpression, found) {
    this.stop();
    if (pattern.length > MAX_PATTERN) {
      found({ problem: `Search for at most ${MAX_PATTERN} characters.` });
      return;
    }
    const done = (result) => {
      this.stop();
      found(result);
    };
    const source = `onmessage = ({ data }) => postMessage((${matchRows})(data));`;
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.#worker.onmessage = ({ data }) => done(data);
    this.#worker.onerror = () => done({ problem: "The search failed: try a simpler one." });
    this.#worker.postMessage({
      bytes: textBytes.slice(),
      offsets: textOffsets.slice(),
      pattern,
      isExpression,
    });
    const problem = `The search took over ${MAX_SECONDS} seconds: try a simpler expression.`;
    this.#timer = setTimeout(() => done({ problem }), 1000 * MAX_SECONDS);
  }

  /** End the search that runs, if one does. */
  stop() {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** The worker's part, sent to it as text: it may use nothing from outside. */
function matchRows({ bytes, offsets, pattern, isExpression }) {
  let expression = null;
  try {
    expression = isExpression && new RegExp(pattern, "iu");
  } catch (error) {
    const why = error.message.split(": ").pop();
    return { problem: `This is not a regular expression: ${why.toLowerCase()}.` };
  }
  const decoder = new TextDecoder();
  const word = pattern.toLowerCase();
  const rows = new Uint8Array(offsets.length - 1);
  for (let row = 0; row < rows.length; row++) {
    const text = decoder.decode(bytes.subarray(offsets[row], offsets[row + 1]));
    rows[row] = expression ? expression.test(text) : text.toLowerCase().includes(word);
  }
  return { rows };
}
