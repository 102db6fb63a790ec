/*
 * Rows whose text holds a word or fits an expression. It runs in a worker with a time limit: some
 * short expressions take years on a short text, and nothing else can stop them.
 */

/** @import { Data } from "./types" */

export const MAX_PATTERN = 200;
const MAX_SECONDS = 3;

/**
 * Rows, one byte each, or a sentence that says why there are none.
 * @typedef {{ rows: Uint8Array, problem?: undefined } | { rows?: undefined, problem: string }} Result
 */

/**
 * What a worker is asked.
 * @typedef {object} Question
 * @property {Uint8Array} bytes
 * @property {Uint32Array} offsets
 * @property {string} pattern
 * @property {boolean} isExpression
 */

/** One search at a time; a new one ends the last. */
export class Search {
  /** @type {Worker | null} */
  #worker = null;
  #timer = 0;

  /**
   * Look for `pattern` and call `report` with the result.
   * @param {Data} data
   * @param {string} pattern
   * @param {boolean} isExpression
   * @param {(result: Result) => void} report
   */
  start({ textBytes, textOffsets }, pattern, isExpression, report) {
    this.stop();
    if (pattern.length > MAX_PATTERN) {
      report({ problem: `Search for at most ${MAX_PATTERN} characters.` });
      return;
    }
    /** @param {Result} result */
    const done = (result) => {
      this.stop();
      report(result);
    };
    this.#worker = makeWorker();
    this.#worker.onmessage = ({ data }) => done(data);
    this.#worker.onerror = () => done({ problem: "The search failed: try a simpler one." });
    const [bytes, offsets] = [textBytes.slice(), textOffsets.slice()];
    this.#worker.postMessage({ bytes, offsets, pattern, isExpression });
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

function makeWorker() {
  const source = `onmessage = ({ data }) => postMessage((${matchRows})(data));`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}

/**
 * The worker's part, sent to it as text: it may use nothing from outside.
 * @param {Question} question
 * @returns {Result}
 */
export function matchRows({ bytes, offsets, pattern, isExpression }) {
  let expression = null;
  try {
    expression = isExpression && new RegExp(pattern, "iu");
  } catch (error) {
    const why = String(error).split(": ").pop() ?? "";
    return { problem: `This is not a regular expression: ${why.toLowerCase()}.` };
  }
  const decoder = new TextDecoder();
  const word = pattern.toLowerCase();
  const rows = new Uint8Array(offsets.length - 1);
  for (let row = 0; row < rows.length; row++) {
    const text = decoder.decode(bytes.subarray(offsets[row], offsets[row + 1]));
    const fits = expression ? expression.test(text) : text.toLowerCase().includes(word);
    rows[row] = Number(fits);
  }
  return { rows };
}
