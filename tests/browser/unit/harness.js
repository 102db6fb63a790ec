/* Named cases, and comparisons that say what differed. */

/** @type {{ name: string, run: () => void | Promise<void> }[]} */
let cases = [];

/** @param {string} name @param {() => void | Promise<void>} run */
export function test(name, run) {
  cases.push({ name, run });
}

/** Compare values by their parts; a typed array equals the list of its numbers. @param {unknown} actual @param {unknown} expected */
export function equal(actual, expected) {
  const [got, wanted] = [written(actual), written(expected)];
  if (got !== wanted) throw new Error(`expected ${wanted}, got ${got}`);
}

/**
 * Compare two lists of numbers, or two numbers.
 * @param {number | ArrayLike<number>} actual
 * @param {number | ArrayLike<number>} expected
 */
export function near(actual, expected, tolerance = 1e-6) {
  const [got, wanted] = [actual, expected].map((each) =>
    typeof each === "number" ? [each] : Array.from(each),
  );
  const isNear = (/** @type {number} */ value, /** @type {number} */ i) =>
    Math.abs(value - wanted[i]) <= tolerance;
  if (got.length !== wanted.length || !got.every(isNear))
    throw new Error(`expected about ${wanted}, got ${got}`);
}

/** Return what went wrong in each case of a file, null where nothing did. @param {string} path */
export async function outcomesOf(path) {
  cases = [];
  await import(path);
  /** @type {Record<string, string | null>} */
  const outcomes = {};
  for (const { name, run } of cases) outcomes[name] = await outcomeOf(run);
  return outcomes;
}

/** @param {() => void | Promise<void>} run */
async function outcomeOf(run) {
  try {
    await run();
    return null;
  } catch (error) {
    return String(error);
  }
}

/** @param {unknown} value */
function written(value) {
  return JSON.stringify(value, (_, part) => {
    if (ArrayBuffer.isView(part)) return Array.from(/** @type {Uint8Array} */ (part));
    if (typeof part === "number" && !Number.isFinite(part)) return String(part);
    return part === undefined ? "undefined" : part;
  });
}
