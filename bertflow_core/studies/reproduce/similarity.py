"""Tables 2, 3 and 4: encoders and the flow, on STS and on QNLI, in the layout of the paper."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from bertflow_core.datasets import Split
from bertflow_core.errors import InputError
from bertflow_core.lexical_baselines import LexicalResult, above_published, lexical_results
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison import Comparison, Grid, Row, compare
from bertflow_core.studies.comparison.paper_layouts import PAPER_LAYOUTS, PaperLayout
from bertflow_core.studies.reproduce.intervals import intervals_of, percent_of
from bertflow_core.studies.reproduce.items import ITEMS, Item
from bertflow_core.studies.reproduce.published import printed_lines
from bertflow_core.studies.reproduce.request import FLOW, Request, encoders_of
from bertflow_core.studies.reproduce.result import (
    MISSING,
    Cell,
    Line,
    Origin,
    Reproduction,
    number,
)

__all__ = ["table2", "table3", "table4"]

HEADINGS = {
    "stsb": "STS-B",
    "sickr": "SICK-R",
    "qnli": "AUC",
    **{f"sts{year}": f"STS-{year}" for year in range(12, 17)},
}
_TITLES = {"qnli": "QNLI"}


@dataclass(frozen=True)
class Method:
    """A method of these tables, whichever the encoder is.

    Attributes:
        suffix: After the encoder's name, as printed.
        layers: Layer set.
        calibrator: Spec.
        fit_on: Fit corpus.
    """

    suffix: str
    layers: str
    calibrator: str
    fit_on: str = "target"


_LAST = (Method("", "last", "identity"),)
_TARGET = (
    Method("-last2avg", "first-last", "identity"),
    Method("-flow (target)", "first-last", FLOW),
)
_NLI = (Method("-flow (NLI*)", "first-last", "flow:preset=nli", "nli"),)
_BASELINE = _TARGET[0].suffix
_AS_PRINTED = ("", "-last2avg", "-flow (NLI*)", "-flow (target)")

Parts = tuple[tuple[Method, ...], ...]
"""Methods, those together that share layers and fit corpus."""

STS: Parts = (_LAST, _TARGET, _NLI)
QNLI: Parts = (_TARGET, _NLI)
_QNLI_LAYOUT = PaperLayout("4", "Table 4: QNLI", ("first-last",), ("identity", "flow"), ("qnli",))

Numbers = dict[tuple[str, str], Cell]
"""By method's suffix and data set."""


def table2(request: Request) -> Reproduction:
    """Make Table 2 again."""
    return _table(ITEMS["table2"], PAPER_LAYOUTS["2"], STS, Split.TEST, request)


def table3(request: Request) -> Reproduction:
    """Make Table 3 again."""
    return _table(ITEMS["table3"], PAPER_LAYOUTS["3"], STS, Split.TEST, request)


def table4(request: Request) -> Reproduction:
    """Make Table 4 again, with two rows that count shared word pieces."""
    return _table(ITEMS["table4"], _QNLI_LAYOUT, QNLI, Split.DEV, request)


def _table(
    item: Item, layout: PaperLayout, parts: Parts, split: Split, request: Request
) -> Reproduction:
    models, unlike = encoders_of(item, request)
    protocol = Recipe(
        dataset=layout.datasets[0],
        split=str(split),
        seed=request.seed,
        aggregation=layout.aggregation,
    )
    datasets = _present(layout, protocol, request)
    missing = _missing(layout, datasets)
    lines = printed_lines(layout)
    for model in models:
        numbers, lost = _measured(model, parts, protocol, datasets, request)
        missing += lost
        lines += _lines(model, parts, numbers, layout.datasets)
    counted: tuple[LexicalResult, ...] = ()
    if "qnli" in datasets:
        counted = lexical_results(protocol.with_(model=models[0]), request.lab)
        lines += _lexical(counted)
    return Reproduction(
        columns=tuple(HEADINGS[name] for name in layout.datasets),
        lines=tuple(lines),
        recipe=(_recipe(protocol, request), *filter(None, [above_published(counted)])),
        missing=(*unlike, *dict.fromkeys(missing)),
        is_best_bold=True,
    )


def _recipe(protocol: Recipe, request: Request) -> str:
    """Say what every row shares."""
    metric = "AUC" if protocol.dataset == "qnli" else "Spearman's rho"
    fits = "one fit of a flow" if request.n_seeds == 1 else f"flows: mean of {request.n_seeds}"
    return (
        f"{metric} x 100 of cosine, {protocol.split} split, aggregation {protocol.aggregation}; "
        f"{protocol.pooling}, {protocol.length}, {protocol.precision}; seed {protocol.seed}, "
        f"{fits}."
    )


def _present(layout: PaperLayout, protocol: Recipe, request: Request) -> tuple[str, ...]:
    """Return the data sets that can be read here."""
    here = []
    for name in layout.datasets:
        with suppress(InputError):  # `_missing` names the others
            request.lab.pairs(protocol.with_(dataset=name))
            here.append(name)
    return tuple(here)


def _missing(layout: PaperLayout, datasets: Sequence[str]) -> list[str]:
    lost = [name for name in layout.datasets if name not in datasets]
    if not lost:
        return []
    titles = ", ".join(_TITLES.get(name, HEADINGS[name]) for name in lost)
    return [
        f"Not measured, since the data folder has no readable files of it: {titles} "
        f"(bertflow-lab data get {' '.join(lost)})."
    ]


def _measured(
    model: str, parts: Parts, protocol: Recipe, datasets: tuple[str, ...], request: Request
) -> tuple[Numbers, list[str]]:
    """Measure every method on every data set; say which could not be, and what NLI was here."""
    comparisons: dict[Method, Comparison] = {}
    missing = []
    for methods in parts if datasets else ():
        grid = Grid(
            protocol=protocol.with_(fit_on=methods[0].fit_on, dataset=datasets[0]),
            models=(model,),
            layers=(methods[0].layers,),
            calibrators=tuple(method.calibrator for method in methods),
            datasets=datasets,
            n_seeds=request.n_seeds,
        )
        try:
            found = compare(grid, request.lab)
        except InputError as error:
            if methods[0].fit_on == "target":
                raise
            missing.append(f"{model}{methods[0].suffix} is not measured: {error}.")
        else:
            comparisons |= dict.fromkeys(methods, found)
            missing += _fit_of(methods[0], found)
    numbers: Numbers = {}
    for dataset in datasets:
        numbers |= _numbers(model, dataset, comparisons, request)
    return numbers, missing


def _fit_of(method: Method, found: Comparison) -> list[str]:
    """Say what a flow on NLI was fitted on, since seldom all of SNLI and MNLI is here."""
    if method.fit_on == "target":
        return []
    cell = found.fits(found.grid.rows[-1], found.grid.datasets[0])[0]
    facts = "; ".join((cell.fitted_on, *cell.notes))
    return [f"{method.suffix.removeprefix('-')} is fitted on {facts}."]


def _numbers(
    model: str, dataset: str, comparisons: dict[Method, Comparison], request: Request
) -> Numbers:
    """Return the numbers of one data set, with intervals and what each flow changes."""
    rows = {
        method: Row(model, method.layers, Recipe.tokens, method.calibrator)
        for method in comparisons
    }
    first = next(iter(comparisons.values()))
    similarities = {
        method.suffix: comparisons[method].fits(row, dataset)[0].similarity
        for method, row in rows.items()
    }
    ends = intervals_of(similarities, first.pairs[dataset], first.grid.protocol, request)
    scores = {
        method.suffix: percent_of(comparisons[method].score(row, dataset))
        for method, row in rows.items()
    }
    return {
        (method.suffix, dataset): number(
            scores[method.suffix],
            interval=ends[method.suffix],
            baseline=None if method.calibrator == "identity" else scores[_BASELINE],
        )
        for method in rows
    }


def _lines(model: str, parts: Parts, numbers: Numbers, datasets: Sequence[str]) -> list[Line]:
    suffixes = {method.suffix for methods in parts for method in methods}
    return [
        Line(
            Origin.OURS,
            model,
            f"{model}{suffix}",
            tuple(numbers.get((suffix, name), MISSING) for name in datasets),
        )
        for suffix in sorted(suffixes, key=_AS_PRINTED.index)
    ]


def _lexical(results: Sequence[LexicalResult]) -> list[Line]:
    """Return the rows without vectors: word pieces that question and answer share."""
    return [
        Line(Origin.OURS, "no encoder", each.spec, (number(percent_of(each.score)),))
        for each in results
    ]
