"""How well does cosine agree with people? Calibrators side by side on one data set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.evaluation import AGGREGATIONS, RANDOM_COSINE, RHO
from bertflow_core.layer_choices import encodings, layer_options
from bertflow_core.lexical_baselines import LEXICAL, LexicalResult, above_published
from bertflow_core.old_report import Report
from bertflow_core.recipe import COMMAND
from bertflow_core.remarks import why_unscored, with_command_remedy
from bertflow_core.space import Space
from bertflow_core.text_table import TextTable, change_text, percent

__all__ = ["ScoreRow", "fit_notes", "lexical_notes", "score_rows", "scores_report"]


@dataclass(frozen=True)
class ScoreRow:
    """A calibrator beside the others; rho and Pearson's r in [-1, 1], AUC in [0, 1].

    Attributes:
        layers: Its layer set; `none` of a baseline without vectors.
        calibrator: Its spec, or the name of the baseline.
        score: Rho, or AUC of labels, under the recipe's aggregation; None where undefined.
        before: The score of the first row of this layer set; None in that row.
        pearson: Pearson's r under the same aggregation.
        random_cosine: Mean cosine of 10,000 random pairs of the scored sentences; None without
            vectors.
        fit_seconds: Time to fit, without what is loaded once for all fits; None where nothing is.
    """

    layers: str
    calibrator: str
    score: float | None
    before: float | None
    pearson: float | None
    random_cosine: float | None
    fit_seconds: float | None

    @property
    def change(self) -> str:
        """The change x 100 from `before`, as `change_text` writes it; empty where there is none."""
        if self.score is None or self.before is None:
            return ""
        return change_text(self.before, self.score)


def score_rows(results: Sequence[Space], lexical: Sequence[LexicalResult] = ()) -> list[ScoreRow]:
    """Return one row per result; the first of each layer set is the baseline of its changes.

    Args:
        results: Of calibrators.
        lexical: Of the baselines without vectors, whose changes are against the first result.
    """
    first: dict[str, Space] = {}
    for result in results:
        first.setdefault(result.recipe.layers, result)
    baselines = [first[result.recipe.layers] for result in results]
    rows = [
        ScoreRow(
            layers=result.recipe.layers,
            calibrator=result.spec,
            score=result.score,
            before=None if result is baseline else baseline.score,
            pearson=result.pearson,
            random_cosine=result.random_cosine,
            fit_seconds=result.seconds["fit"],
        )
        for result, baseline in zip(results, baselines, strict=True)
    ]
    return rows + [
        ScoreRow(
            layers="none",
            calibrator=each.spec,
            score=each.score,
            before=results[0].score,
            pearson=each.pearson,
            random_cosine=None,
            fit_seconds=None,
        )
        for each in lexical
    ]


def scores_report(
    results: Sequence[Space], lexical: Sequence[LexicalResult] = (), *, pairs: bool = False
) -> Report:
    """Report the scores of calibrators on one data set.

    Args:
        results: As `Lab.evaluate` returns them.
        lexical: As `lexical_results` returns them, if they are to stand beside.
        pairs: Whether the JSON also holds each pair's cosine.
    """
    specs = list(dict.fromkeys(result.spec for result in results))
    return Report(
        name="results",
        tables=lambda: (_table(results, lexical),),
        records=lambda: [*map(_record, results), *map(_lexical_record, lexical)],
        document=lambda: {"results": _documents([*results, *lexical], pairs=pairs)},
        remarks=_remarks(results, lexical),
        command=_command(results, specs, with_lexical=bool(lexical)),
    )


def _table(results: Sequence[Space], lexical: Sequence[LexicalResult]) -> TextTable:
    """Return one row per result, with a column of layer sets where there are several."""
    several = len(_layers(results)) > 1
    metric = results[0].metric
    graded = metric is RHO
    rows = tuple(
        (
            *((row.layers,) if several else ()),
            row.calibrator,
            percent(row.score),
            row.change,
            *((percent(row.pearson),) if graded else ()),
            "-" if row.random_cosine is None else f"{row.random_cosine:.3f}",
            "-" if row.fit_seconds is None else f"{row.fit_seconds:.2f}",
        )
        for row in score_rows(results, lexical)
    )
    header = (
        *(("layers",) if several else ()),
        *("calibrator", metric.header, "change"),
        *(("Pearson",) if graded else ()),
        *("random cos", "fit s"),
    )
    return TextTable(header, rows, _remarks(results, lexical), n_labels=1 + several)


def _command(results: Sequence[Space], specs: Sequence[str], *, with_lexical: bool) -> str:
    recipe, layers = results[0].recipe, _layers(results)
    command = f"{COMMAND} --lexical" if with_lexical else COMMAND
    if len(layers) == 1:
        return recipe.to_command(specs, command=command)
    options = layer_options([result.recipe for result in results])
    return recipe.without("layers").to_command(specs, command=command, options=options)


def _encoding(results: Sequence[Space]) -> str:
    """Say where the vectors come from: a network, or files, which their digest names."""
    recipe = results[0].recipe
    if recipe.is_static:
        return recipe.encoder_caption
    tokens = encodings([result.recipe for result in results])
    return f"{recipe.model}, {', '.join(_layers(results))}, {tokens}, {recipe.precision}"


def _layers(results: Sequence[Space]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(result.recipe.layers for result in results))


def _remarks(results: Sequence[Space], lexical: Sequence[LexicalResult]) -> tuple[str, ...]:
    """Say what the numbers depend on, what is missing or was cut, and what a fit noted."""
    first = results[0]
    prepared, recipe, layers = first.prepared, first.recipe, _layers(results)
    same = "" if len(layers) == 1 else " at the same layers"
    remarks = [
        f"{recipe.dataset} {recipe.split}, {prepared.pairs.size}, aggregation "
        f"{recipe.aggregation}; {_encoding(results)}; seed {recipe.seed}.",
        f"Fitted on {prepared.corpus.description}",
        prepared.seen_remark,
        f"{prepared.cut_remark}.",
        *_departures(results),
        *([] if first.metric is RHO else [f"{first.metric.title} x 100 {first.metric.meaning}."]),
        f"change: {first.metric.header} less that of {first.spec}{same}.",
        f"random cos: {RANDOM_COSINE}.",
    ]
    if prepared.pairs.judged is None:
        remarks.append(why_unscored(prepared.pairs))
    elif doubt := first.doubt:
        remarks.append(doubt)
    noted = with_command_remedy(fit_notes(results), recipe)
    return (*remarks, *noted, *lexical_notes(lexical))


def _departures(results: Sequence[Space]) -> list[str]:
    """Say once that vectors are not those that the model's makers declare."""
    return list(dict.fromkeys(filter(None, (each.prepared.departs_remark for each in results))))


def lexical_notes(lexical: Sequence[LexicalResult]) -> tuple[str, ...]:
    """Say what the baselines without vectors are, and whether they beat what was published."""
    if not lexical:
        return ()
    meanings = "; ".join(f"{each.spec}: {LEXICAL[each.spec]}" for each in lexical)
    pieces = (
        f"{meanings} (sets of the tokens of {lexical[0].recipe.model}'s tokenizer, none cut off; "
        "no vectors, nothing fitted)."
    )
    return tuple(filter(None, (pieces, above_published(lexical))))


def fit_notes(results: Sequence[Space], kind: type[str] = str) -> tuple[str, ...]:
    """Return what the user should know about each fit, one sentence each.

    Args:
        results: Of calibrators.
        kind: Of the notes: `TooFew` for those on too little data, else all.
    """
    several = len(_layers(results)) > 1
    return tuple(
        f"{f'{result.recipe.layers} ' if several else ''}{result.spec}: {note}."
        for result in results
        for note in result.notes
        if isinstance(note, kind)
    )


def _documents(results: Sequence[Space | LexicalResult], *, pairs: bool) -> list[dict[str, Any]]:
    if not pairs:
        return [each.to_dict() for each in results]
    return [
        each.to_dict() | {"similarity": np.round(each.similarity, 6).tolist()} for each in results
    ]


def _record(result: Space) -> dict[str, Any]:
    """Return every aggregation and subset, then the recipe, one key per field."""
    row = _measures(result)
    row |= {"random_cosine": result.random_cosine, "n_cut": result.prepared.n_cut}
    row |= {f"seconds_{stage}": seconds for stage, seconds in result.seconds.items()}
    return row | result.recipe.columns()


def _lexical_record(result: LexicalResult) -> dict[str, Any]:
    return _measures(result) | result.recipe.columns()


def _measures(result: Space | LexicalResult) -> dict[str, Any]:
    scores = result.scores
    row: dict[str, Any] = {"spec": result.spec, "n_pairs": scores.n_pairs}
    for name, values in scores.measures.items():
        row |= {f"{name}_{how}": getattr(values, how) for how in AGGREGATIONS}
        row |= {f"{name}_subset_{subset}": value for subset, value in values.subsets.items()}
    return row
