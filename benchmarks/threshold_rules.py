"""How each threshold of the advice comes from the measurements: the rules as data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .crossing import find_crossing

__all__ = ["RULES", "Row", "Rule", "Tables", "derive", "facts", "rounded"]

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]

_DIGITS = 5


@dataclass(frozen=True)
class Rule:
    """How one threshold comes from a table of measurements.

    Attributes:
        name: Of the threshold: question, number, and the verdict it opens.
        table: The measurements.
        x: What the threshold is of.
        y: What crosses the level.
        level: In the units of y.
        rises: y is above the level at large x.
        groups: Columns that name a group of the bootstrap.
        share: The chance of being above the level at the threshold.
        only: Values of columns that a measurement must have.
        above: The least x that is looked at.
        unit: Of the threshold.
        meaning: What the threshold says, for people.
    """

    name: str
    table: str
    x: str
    y: str
    level: float
    rises: bool
    groups: tuple[str, ...]
    unit: str
    meaning: str
    share: float = 0.5
    only: Mapping[str, Any] | None = None
    above: float = -np.inf

    def keeps(self, row: Row) -> bool:
        """Tell whether a measurement counts."""
        wanted = (self.only or {}).items()
        return row[self.x] >= self.above and all(row[key] == value for key, value in wanted)


def _pair(name: str, rises: bool, unit: str, groups: tuple[str, ...]) -> tuple[Rule, Rule]:
    """Return the two rules of a number, named TABLE.X, on which a gain depends."""
    table, _, x = name.partition(".")
    side = "above" if rises else "below"

    def rule(verdict: str, share: float, meaning: str) -> Rule:
        return Rule(
            f"{name}.{verdict}",
            table,
            x,
            "gain",
            level=0.0,
            rises=rises,
            share=share,
            groups=groups,
            unit=unit,
            meaning=f"{side} it {meaning}",
        )

    return (
        rule("stop", 0.5, "the median gain is positive"),
        rule("go", 0.9, "nine of ten gains are positive"),
    )


def _size(name: str, y: str, level: float, rises: bool, meaning: str, **options: Any) -> Rule:  # noqa: ANN401 - fields of Rule
    """Return the rule of a number, named size.X.VERDICT, on which whitening depends."""
    x = name.split(".")[1]
    return Rule(
        name,
        "size",
        x,
        y,
        level,
        rises,
        groups=("space", "dataset"),
        unit={"held_out": "variance", "n_per_d": "sentences a feature"}[x],
        meaning=meaning,
        **{"only": {"calibrator": "whiten"}, **options},
    )


_WITHIN = "it whiten's median gain is within 1 point of the whole corpus's"

RULES = (
    *_pair("cone.random_cosine", True, "cosine", ("space",)),
    *_pair("cone.top_share", True, "share of variance", ("space",)),
    *_pair("cone.effective_rank", False, "directions", ("space",)),
    _size("size.held_out.stop", "gain", 0.0, False, "above it whiten's median gain is negative"),
    _size("size.held_out.go", "cost", 1.0, True, f"below {_WITHIN}"),
    _size(
        "size.n_per_d.stop",
        "gain",
        0.0,
        True,
        "from one sentence a feature up to it whiten's median gain is negative",
        above=0.99,
    ),
    _size("size.n_per_d.go", "cost", 1.0, False, f"above {_WITHIN}"),
    _size(
        "size.held_out.null-top-k",
        "gain",
        0.0,
        False,
        "above it null-top-k:k=6's median gain is negative",
        only={"calibrator": "null-top-k:k=6"},
    ),
    *_pair("shift.auc", False, "area under the curve", ("source", "dataset")),
    Rule(
        "linear.variance_lost.stop",
        "probe",
        "variance_lost",
        "gain",
        -1.0,
        False,
        ("space",),
        "share of variance",
        "above it the median accuracy in telling genres apart falls by more than 1 point",
        only={"task": "genre"},
    ),
)
"""Every threshold that is derived."""


def derive(tables: Tables) -> dict[str, dict[str, Any]]:
    """Apply every rule; return its threshold by name, JSON-able."""
    return {rule.name: _threshold(rule, tables[rule.table]) for rule in RULES}


def facts(tables: Tables) -> dict[str, dict[str, float]]:
    """Return medians and ranges that the advice quotes, by name."""
    lossless = [row for row in tables["probe"] if row["calibrator"] in ("standardize", "whiten")]
    return {
        "linear.lossless_gain_genre": _summary(r["gain"] for r in lossless if r["task"] == "genre"),
        "linear.lossless_gain_snli": _summary(r["gain"] for r in lossless if r["task"] == "snli"),
        "size.null_top_k_gain": _summary(_size_gains(tables, "null-top-k:k=6")),
        "size.ledoit_wolf_gain": _summary(_size_gains(tables, "ledoit-wolf")),
        "shift.cost": _summary(row["cost"] for row in tables["shift"]),
    }


def _size_gains(tables: Tables, calibrator: str) -> list[float]:
    return [row["gain"] for row in tables["size"] if row["calibrator"] == calibrator]


def _threshold(rule: Rule, rows: Sequence[Row]) -> dict[str, Any]:
    kept = [row for row in rows if rule.keeps(row)]
    crossing = find_crossing(
        [row[rule.x] for row in kept],
        [row[rule.y] for row in kept],
        [" ".join(str(row[column]) for column in rule.groups) for row in kept],
        level=rule.level,
        rises=rule.rises,
        share=rule.share,
    )
    derivation = {
        key: value
        for key, value in asdict(rule).items()
        if key not in ("name", "unit", "meaning", "above") and value is not None
    }
    if np.isfinite(rule.above):
        derivation["from_x"] = rule.above
    return {
        "unit": rule.unit,
        "meaning": rule.meaning,
        **rounded(asdict(crossing)),
        "derivation": derivation,
    }


def _summary(numbers: Iterable[float]) -> dict[str, float]:
    values = np.array(list(numbers))
    found = {"median": np.median(values), "smallest": values.min(), "largest": values.max()}
    return {**rounded(found), "n": len(values)}


def rounded(row: Row) -> dict[str, Any]:
    """Round the numbers of a mapping to five decimals."""
    return {
        key: round(float(value), _DIGITS) if isinstance(value, float) else value
        for key, value in row.items()
    }
