"""What edit distance owes to length: Table 6 with raw, normalised and partial correlations.

Long pairs can be more edits apart than short ones. Whatever follows length, such as the kind of
text, then hides or feigns a relation with the words; two columns hold length fixed.
"""

from bertflow_core.evaluation.rank_matrix import Estimate
from bertflow_core.remarks import FEW_PAIRS
from bertflow_core.studies.lexical.bias import DISTANCE, GOLD, LENGTH, NORMALISED, LexicalBias
from bertflow_core.studies.lexical.estimates import estimate_text, size_change_text
from bertflow_core.text_table import TextTable, percent

__all__ = ["length_conclusions", "length_table"]


def length_table(bias: LexicalBias) -> TextTable:
    """Return one row per similarity: rho x 100 with edit distance, and with length out of it."""
    header = ("similarity", "edits", "edits / longer side", "edits, length fixed", "length")
    names = (*([GOLD] if bias.pairs.gold is not None else []), *bias.specs)
    rows = tuple(
        (
            name,
            estimate_text(bias.every.rho(name, DISTANCE)),
            estimate_text(bias.every.rho(name, NORMALISED)),
            estimate_text(bias.given_length(name)),
            estimate_text(bias.every.rho(name, LENGTH)),
        )
        for name in names
    )
    return TextTable(header, rows, (_COLUMNS, *length_conclusions(bias)))


_COLUMNS = (
    "Length: tokens of the longer side, the largest edit distance that a pair can have. Edits / "
    "longer side: the normalised distance, from 0 to 1. Length fixed: the partial rank correlation "
    "(r_ab - r_ac r_bc) / sqrt((1 - r_ac^2) (1 - r_bc^2)) of Kendall (1942), a the similarity, b "
    "the edits, c the length."
)


def length_conclusions(bias: LexicalBias) -> tuple[str, ...]:
    """Say what becomes of Table 6 when length is taken out of the distance, in sentences.

    Nothing without gold, for too few pairs, and where a correlation is undefined.
    """
    if bias.pairs.gold is None or len(bias.pairs) < FEW_PAIRS:
        return ()
    excess = filter(None, (_excess(bias, spec) for spec in bias.specs))
    return (*_growth(bias), _people(bias), *excess)


def _growth(bias: LexicalBias) -> tuple[str, ...]:
    """Say whether long pairs are more edits apart."""
    length = bias.every.rho(DISTANCE, LENGTH)
    if length.value is None or length.low is None or length.high is None:
        return ()
    if length.low <= 0 <= length.high:
        return (
            f"Edit distance does not significantly follow length: rho {percent(length.value)}.",
        )
    verb = "grows" if length.low > 0 else "falls"
    return (f"Edit distance {verb} with length: rho {percent(length.value)}.",)


def _people(bias: LexicalBias) -> str:
    """Say whether people's scores follow the words more closely once length is out of them."""
    edits, share = (bias.every.rho(to, GOLD) for to in (DISTANCE, NORMALISED))
    more = bias.every.change_in_size(NORMALISED, DISTANCE, GOLD)
    if more.low is None or more.high is None or more.low <= 0 <= more.high:
        meaning = "length makes no significant difference"
    else:
        meaning = f"length {'hides' if more.low > 0 else 'feigns'} a part of it"
    return (
        f"People's own scores and the words: rho {percent(edits.value)} with edits, "
        f"{percent(share.value)} with edits / length: {meaning}."
    )


def _excess(bias: LexicalBias, spec: str) -> str:
    """Compare how closely cosine and people follow the words, with and without length."""
    plain, normalised = (_against_people(bias, spec, to) for to in (DISTANCE, NORMALISED))
    if not plain or not normalised:
        return ""
    return f"{spec} against people's scores: {plain} with edits, {normalised} with edits / length."


def _against_people(bias: LexicalBias, spec: str, to: str) -> str:
    own, people = (bias.every.rho(name, to) for name in (spec, GOLD))
    more = bias.every.change_in_size(spec, GOLD, to)
    if None in (own.value, people.value, more.low, more.high):
        return ""
    change = size_change_text(people, own).lstrip("+-")
    return f"{percent(own.value)} against {percent(people.value)} ({_meaning(more, change)})"


def _meaning(more: Estimate, change: str) -> str:
    if more.low is None or more.high is None or more.low <= 0 <= more.high:
        return "as closely: the difference is not significant"
    side = "more" if more.low > 0 else "less"
    return f"{side} closely than people, by {change}"
