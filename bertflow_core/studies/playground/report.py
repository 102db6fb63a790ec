"""The report of every pair of typed sentences."""

from collections.abc import Sequence

from bertflow_core.old_report import Record, Report
from bertflow_core.studies.playground.pairs import TypedPairs, pair_records
from bertflow_core.studies.playground.spaces import Playground
from bertflow_core.text_table import table_of

__all__ = ["pairs_report"]


def pairs_report(playground: Playground, pairs: TypedPairs) -> Report:
    """Report every pair of typed sentences; those that the calibrators rank most unlike first."""
    unit, caption = {"unit": pairs.unit}, playground.caption()

    def records() -> Sequence[Record]:
        return pair_records(pairs, pairs.by_disagreement())

    return Report(
        name="typed-pairs",
        tables=lambda: (table_of(records(), (caption,)),),
        records=records,
        shared=playground.columns() | unit,
        document=lambda: {"recipe": playground.to_dict() | unit, "records": list(records())},
        remarks=(caption, "The command fits the same calibrators on the same sentences."),
        command=playground.recipe.to_command(playground.specs),
    )
