"""Labels in words, such as entailment and not_entailment: which of two means belonging together."""

from collections.abc import Collection

from bertflow_core.errors import InputError, listed
from bertflow_core.wording import quoted

TOGETHER = frozenset(
    "entailment duplicate paraphrase equivalent match relevant positive related similar same yes "
    "true".split()
)
NEGATIONS = ("not", "non", "no")


def label_values(name: str, column: str, labels: Collection[str]) -> dict[str, float]:
    """Return 1 for the label that means that a pair belongs together, and 0 for the other.

    The other one is its negation (`not_entailment`), or is not a well-known word for it.

    Args:
        name: The table, for the error.
        column: Its column of labels, for the error.
        labels: Two different labels.
    """
    first, second = labels
    for one, other in ((first, second), (second, first)):
        if _is_negation(other, of=one) or (_is_known(one) and not _is_known(other)):
            return {one: 1.0, other: 0.0}
    raise InputError(
        f"{quoted(name)}: column {quoted(column)} holds {listed(sorted(labels))}, and it is not "
        "clear which of them means that a pair belongs together: write 1 and 0 in their place, and "
        "choose the metric auc"
    )


def _is_negation(label: str, *, of: str) -> bool:
    text = label.casefold()
    return any(text in (f"{no}{gap}{of.casefold()}" for gap in "_- ") for no in NEGATIONS)


def _is_known(label: str) -> bool:
    return label.casefold() in TOGETHER
