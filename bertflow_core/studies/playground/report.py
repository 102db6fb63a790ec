"""The reports of the playground: pairs of typed sentences, a walk, and samples."""

from collections.abc import Callable, Mapping, Sequence

from bertflow_core.report import Record, Report
from bertflow_core.studies.playground.pairs import TypedPairs, pair_records
from bertflow_core.studies.playground.samples import Samples, sample_records
from bertflow_core.studies.playground.spaces import Playground
from bertflow_core.studies.playground.walk import Walk, walk_records
from bertflow_core.text_table import table_of

__all__ = ["pairs_report", "samples_report", "walk_report"]


def pairs_report(playground: Playground, pairs: TypedPairs) -> Report:
    """Report every pair of typed sentences; those that the calibrators rank most unlike first."""
    unit = {"unit": pairs.unit}
    return _report(
        playground,
        "typed-pairs",
        lambda: pair_records(pairs, pairs.by_disagreement()),
        shared=playground.columns() | unit,
        header={"recipe": playground.to_dict() | unit},
    )


def walk_report(playground: Playground, walk: Walk) -> Report:
    """Report every step of a walk."""
    ends = {"from": walk.ends[0], "to": walk.ends[1], "metric": walk.metric}
    return _report(
        playground,
        "walk",
        lambda: walk_records(walk),
        shared=playground.columns(walk.spec) | ends,
        header={"recipe": playground.to_dict(walk.spec), **ends, "said": walk.remarks()},
    )


def samples_report(playground: Playground, samples: Samples) -> Report:
    """Report every sample with the nearest real sentences."""
    spec, metric = samples.spec, {"metric": "l2"}
    return _report(
        playground,
        "samples",
        lambda: sample_records(samples),
        shared=playground.columns(spec) | metric,
        header={"recipe": playground.to_dict(spec), **metric, "said": samples.remarks()},
    )


def _report(
    playground: Playground,
    name: str,
    records: Callable[[], Sequence[Record]],
    *,
    shared: Record,
    header: Mapping[str, object],
) -> Report:
    return Report(
        name=name,
        tables=lambda: (table_of(records(), (playground.caption(),)),),
        records=records,
        shared=shared,
        document=lambda: {**header, "records": list(records())},
        remarks=(
            playground.caption(),
            "The command fits the same calibrators on the same sentences.",
        ),
        command=playground.recipe.to_command(playground.specs),
    )
