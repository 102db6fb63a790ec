"""The text form of a calibrator: `name[:key=value,...]`, steps of a pipeline joined by `+`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bertflow_core.errors import InputError, check_type
from bertflow_core.wording import quoted

__all__ = ["BASELINE", "StepSpec", "baseline_first", "parse_spec"]

BASELINE = "identity"
"""What every comparison begins with: the vectors as they are."""

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_MAX_LENGTH = 500


@dataclass(frozen=True)
class StepSpec:
    """One step: a calibrator's name and its options, still as text."""

    name: str
    options: tuple[tuple[str, str], ...]


def baseline_first(specs: Iterable[str]) -> tuple[str, ...]:
    """Return specs, each once, with `BASELINE` before them whether it is named or not.

    Example:
        >>> from bertflow_core.calibrators.spec import baseline_first
        >>> baseline_first(["flow", "identity", "flow"])
        ('identity', 'flow')
    """
    return tuple(dict.fromkeys((BASELINE, *specs)))


def parse_spec(text: str) -> tuple[StepSpec, ...]:
    """Split a spec into steps; whether names and values are known is the catalogue's matter.

    Raises:
        InputError: Not of this form, or an option given twice.

    Example:
        >>> from bertflow_core.calibrators.spec import parse_spec
        >>> parse_spec("standardize+null-top-k:k=6")[1]
        StepSpec(name='null-top-k', options=(('k', '6'),))
    """
    check_type(text, str, "a calibrator", "a text such as 'whiten' or 'null-top-k:k=6'")
    if len(text) > _MAX_LENGTH:
        raise InputError(f"calibrator text is longer than {_MAX_LENGTH} characters")
    # A plus sign before a letter joins steps; one before a digit belongs to a number (1e+3).
    return tuple(_parse_step(step, text) for step in re.split(r"\+(?!\d)", text))


def _parse_step(step: str, text: str) -> StepSpec:
    name, colon, rest = step.partition(":")
    pairs = [item.partition("=") for item in rest.split(",")] if colon else []
    keys = [key for key, _, _ in pairs]
    if not _NAME.fullmatch(name) or any(
        not _KEY.fullmatch(key) or not equals or not value for key, equals, value in pairs
    ):
        raise InputError(
            f"calibrator {quoted(text)} is not of the form name or name:key=value,key=value "
            "(steps joined by +), for example null-top-k:k=6 or standardize+flow:lr=1e-3"
        )
    if len(set(keys)) < len(keys):
        raise InputError(f"calibrator {quoted(text)} gives an option twice: give each once")
    return StepSpec(name, tuple((key, value) for key, _, value in pairs))
