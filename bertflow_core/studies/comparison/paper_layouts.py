"""The rows and columns of the paper's tables, to set one's own numbers beside the printed ones."""

from dataclasses import dataclass

__all__ = ["PAPER_LAYOUTS", "PaperLayout"]

YEARS = ("sts12", "sts13", "sts14", "sts15", "sts16")


@dataclass(frozen=True)
class PaperLayout:
    """The rows and columns of a table of Li et al. (2020), without its encoders.

    Attributes:
        table: Its number there.
        title: What it compares.
        layers: Layer sets; the paper's `-last2avg` is `first-last` (see `LayerSet`).
        calibrators: Specs.
        datasets: Columns, in the order printed.
        aggregation: Over subsets.
    """

    table: str
    title: str
    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    datasets: tuple[str, ...]
    aggregation: str = "wmean"


_LAYOUTS = (
    PaperLayout(
        "2",
        "Table 2: encoders without supervision",
        ("last", "first-last"),
        ("identity", "flow"),
        ("stsb", "sickr", *YEARS),
    ),
    PaperLayout(
        "3",
        "Table 3: encoders trained on NLI",
        ("last", "first-last"),
        ("identity", "flow"),
        ("stsb", "sickr", *YEARS),
    ),
    PaperLayout(
        "5",
        "Table 5: simpler calibrators",
        ("last",),
        (
            "identity",
            "standardize",
            "null-top-k:k=1",
            "null-top-k:k=10",
            "standardize+null-top-k:k=1",
            "standardize+null-top-k:k=6",
            "flow",
        ),
        ("stsb",),
    ),
)
PAPER_LAYOUTS = {layout.table: layout for layout in _LAYOUTS}
