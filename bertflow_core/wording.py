"""Names, numbers, reasons, counts, sizes, ranks, sides and remedies as text."""

from pathlib import PurePath

MAX_QUOTED = 80
"""Largest number of characters of a quoted name or value."""

_MAX_REASON = 200

QUERY, DOCUMENT = "query", "document"
SIDES = {"": "texts of neither side", QUERY: "queries", DOCUMENT: "documents"}
"""The sides of a search, which a model may embed differently; most texts are of neither."""

ROLES = {
    f"{QUERY},{DOCUMENT}": (QUERY, DOCUMENT),
    f"{DOCUMENT},{QUERY}": (DOCUMENT, QUERY),
    "symmetric": (),
}
"""The sides of a pair's first and second sentence, by their names in `--roles`."""


def quoted(value: object) -> str:
    """Return a name or value in Python's notation, shortened in the middle."""
    is_text = isinstance(value, str | PurePath)
    return repr(shortened(str(value))) if is_text else shortened(repr(value))


def shortened(text: str, at_most: int = MAX_QUOTED) -> str:
    """Return a text, shortened in the middle."""
    if len(text) <= at_most:
        return text
    head = (at_most - 3) // 2
    return f"{text[:head]}...{text[head + 3 - at_most :]}"


def counted(number: float, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1.

    Example:
        >>> from bertflow_core.wording import counted
        >>> counted(1, "epoch"), counted(0.5, "epoch"), counted(2_000, "step")
        ('1 epoch', '0.5 epochs', '2,000 steps')
    """
    text = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{text} {noun}" if number == 1 else f"{text} {noun}s"


def percent(value: float | None) -> str:
    """Write a correlation times 100 with two decimals; a dash where it is undefined."""
    return "-" if value is None else f"{100 * value:.2f}"


def change_text(before: float, after: float) -> str:
    """Write the change of a correlation times 100, computed from the rounded numbers.

    Example:
        >>> from bertflow_core.wording import change_text
        >>> change_text(-0.70096, -0.62544)  # -70.10 to -62.54
        '+7.56'
    """
    return difference_text(100 * before, 100 * after, digits=2)


def difference_text(before: float, after: float, *, digits: int) -> str:
    """Write the difference of two rounded numbers with its sign."""
    return f"{shown_difference(before, after, digits=digits):+z.{digits}f}"


def shown_difference(before: float, after: float, *, digits: int) -> float:
    """Return the difference of two rounded numbers, as a reader would compute it."""
    return round(round(after, digits) - round(before, digits), digits)


def p_text(p: float) -> str:
    """Write a p-value with three decimals, below 0.01 as "< 0.01".

    How small the p-value of a resampling test can get depends on its number of resamples.
    """
    return "< 0.01" if p < 0.01 else f"{p:.3f}"


def ranks_text(low: int, high: int) -> str:
    """Return the ranks in [low, high), counted from 0, as text that counts from 1.

    Example:
        >>> from bertflow_core.wording import ranks_text
        >>> ranks_text(500, 5000)
        '501 to 5,000'
    """
    return f"{low + 1:,} to {high:,}"


def reason(error: BaseException) -> str:
    """Return the first line of a library's error, or the error's type if it has no text."""
    lines = str(error).strip().splitlines()
    return shortened(lines[0].rstrip(".") if lines else type(error).__name__, _MAX_REASON)


def size_text(n_bytes: float) -> str:
    """Return a size in MB, or in GiB if it is at least 1 GiB."""
    if n_bytes < 1 << 30:
        return f"{n_bytes / 1e6:,.{int(n_bytes < 1e7)}f} MB"
    return f"{n_bytes / (1 << 30):,.2f}".removesuffix(".00") + " GiB"


FIT_ON_MORE = "fit on more sentences"
"""The advice in every note that a fit had too few rows, or took too few steps over them.

Reports show such a note before their numbers; `remarks.with_remedy` adds how to follow it.
"""
