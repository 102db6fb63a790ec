"""The rule of a threshold as code, for programs that have the vectors but not this package."""

from bertflow_core.lab.saved_thresholds import Threshold

_PYTHON = '''\
import numpy as np

THRESHOLD = {value!r}  # {owner}


def are_alike(first, second):
    """Return whether the cosine of each pair of rows exceeds the threshold."""
    products = np.sum(np.multiply(first, second), axis=-1)
    lengths = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return products > THRESHOLD * lengths
'''
_TYPESCRIPT = """\
const THRESHOLD = {value!r}; // {owner}

/** Return whether the cosine of two vectors exceeds the threshold. */
export function areAlike(first: number[], second: number[]): boolean {{
  const product = (x: number[], y: number[]) =>
    x.reduce((sum, value, i) => sum + value * y[i], 0);
  const lengths = Math.sqrt(product(first, first) * product(second, second));
  return product(first, second) > THRESHOLD * lengths;
}}
"""


def python_rule(threshold: Threshold) -> str:
    """Return the rule of an entry of a profile as a function in Python."""
    return _filled(_PYTHON, threshold)


def typescript_rule(threshold: Threshold) -> str:
    """Return the rule of an entry of a profile as a function in TypeScript."""
    return _filled(_TYPESCRIPT, threshold)


def _filled(code: str, threshold: Threshold) -> str:
    owner = f"{threshold['model']}, layers {threshold['layers']}, {threshold['calibrator']}"
    return code.format(value=threshold["threshold"], owner=owner)
