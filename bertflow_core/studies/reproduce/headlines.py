"""The headline of a reproduced table: at most two numbers, published ones where none is ours."""

from collections.abc import Callable, Mapping, Sequence

from bertflow_core.report.report import Row
from bertflow_core.studies.reproduce.items import ITEMS, OURS, PUBLISHED

_TITLES = {"AUC": "QNLI"}
"""Data sets of columns that do not name theirs."""

_FLOW, _TARGET = "flow", "(target)"
"""The parts of a label that name a flow, and its fit on the scored sentences."""


def headline(item: str, rows: Sequence[Row]) -> str:
    """Return the headline of a table; empty if a table has none or its numbers are missing."""
    make = _HEADLINES.get(item)
    if make is None:
        return ""
    first = next((row["encoder"] for row in rows if row["by"] == OURS), "")
    ours = [row for row in rows if row["by"] == OURS and row["encoder"] == first]
    printed = [row for row in rows if row["by"] == PUBLISHED]
    return make(ours, printed, ITEMS[item].columns)


Headline = Callable[[Sequence[Row], Sequence[Row], Sequence[str]], str]


def _norms(ours: Sequence[Row], printed: Sequence[Row], columns: Sequence[str]) -> str:
    """Compare the norms of the rarest words with those of the most frequent."""
    frequent, rare = columns[0], columns[-1]
    (published, *_), (found, *_) = printed, ours
    theirs = published[rare] / published[frequent]
    text = "The rarest words have {:.2f} times the norm of the most frequent"
    if not found[frequent] or not found[rare]:
        return f"{text.format(theirs)} (published)."
    return f"{text.format(found[rare] / found[frequent])} (published: {theirs:.2f})."


def _change(ours: Sequence[Row], printed: Sequence[Row], columns: Sequence[str]) -> str:
    """Return the change by a flow fitted on the scored sentences, ours beside the published one."""
    for heading in columns:
        found, theirs = (_of_target(rows, f"{heading}_change") for rows in (ours, printed))
        if found is not None and theirs is not None:
            return (
                f"On {_TITLES.get(heading, heading)}, BERT-flow changes the score by {found:+.2f} "
                f"(published: {theirs:+.2f})."
            )
    heading = columns[0]
    theirs = _of_target(printed, f"{heading}_change")
    title = _TITLES.get(heading, heading)
    return f"On {title}, BERT-flow changes the score by {theirs:+.2f} (published)."


def _of_target(rows: Sequence[Row], key: str) -> float | None:
    """Return the first known value of a key among the flows fitted on the scored sentences."""
    values = (row.get(key) for row in rows if row["row"].endswith(_TARGET))
    return next((value for value in values if value is not None), None)


def _simpler(ours: Sequence[Row], printed: Sequence[Row], columns: Sequence[str]) -> str:
    """Compare the flow with the best simpler calibrator."""
    (key,) = columns
    is_measured = _of_target(ours, key) is not None
    rows = ours if is_measured else printed
    # A simpler calibrator has a label such as "BERT_base + SN".
    best = max(row[key] for row in rows if "+" in row["row"] and row[key] is not None)
    whose = "" if is_measured else "Published: "
    text = f"{whose}BERT-flow scores {_of_target(rows, key):.2f}"
    return f"{text}, the best simpler calibrator {best:.2f}."


def _words(ours: Sequence[Row], printed: Sequence[Row], columns: Sequence[str]) -> str:
    """Say how closely cosine follows edit distance before and after the flow."""
    distances, whose = [row[columns[0]] for row in ours], "Rho"
    if not distances or None in distances:
        distances, whose = [row[columns[0]] for row in printed], "Published rho"
    _, raw, flow = distances
    about = f"{whose} x 100 of cosine and edit distance"
    return f"{about}: {raw:.2f}, under BERT-flow {flow:.2f}."


def _preset(ours: Sequence[Row], printed: Sequence[Row], columns: Sequence[str]) -> str:
    """Count the hyper-parameters of the paper that the preset has."""
    (key,) = columns
    n_alike = sum(_agrees(mine[key], each[key]) for mine, each in zip(ours, printed, strict=True))
    return f"The preset has {n_alike} of the paper's {len(printed)} hyper-parameters."


def _agrees(value: str, printed: str) -> bool:
    """Tell whether a parameter is as printed, as a number or in the text before a comma."""
    try:
        return float(value) == float(printed)
    except ValueError:
        return value.split(",")[0] == printed


def _seeds(ours: Sequence[Row], printed: Sequence[Row], columns: Sequence[str]) -> str:
    """Return the spread of the flow's score, over our seeds and over the published ones."""
    found, theirs = (_spread(rows) for rows in (ours, printed))
    if found is None:
        return f"Published standard deviation of the flow's score over fine-tunings: {theirs:.2f}."
    return (
        f"Standard deviation of the flow's score over seeds: {found:.2f} "
        f"(published, over fine-tunings: {theirs:.2f})."
    )


def _spread(rows: Sequence[Row]) -> float | None:
    return next((row.get("sd") for row in rows if _FLOW in row["row"]), None)


_HEADLINES: Mapping[str, Headline] = {
    "table1": _norms,
    **dict.fromkeys(("table2", "table3", "table4"), _change),
    "table5": _simpler,
    "table6": _words,
    "figure2": _words,
    "table7": _preset,
    "table8": _seeds,
}
