"""Tables 2 to 5 and 8: how well cosine agrees with people under encoders and calibrators."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.registry import BASELINE, takes_seed
from bertflow_core.contrasts import changes_of_rho
from bertflow_core.errors import InputError
from bertflow_core.evaluation.inference import summarize_seeds
from bertflow_core.lab import Lab
from bertflow_core.lexical_baselines import above_published, lexical_results
from bertflow_core.published import printed_table, published_rows
from bertflow_core.recipe import Recipe
from bertflow_core.report import Row
from bertflow_core.space import Space
from bertflow_core.studies.reproduce.items import (
    CITATION,
    FIRST_LAST,
    FLOW,
    HEADINGS,
    OURS,
    PUBLISHED,
    Asked,
    Missing,
    Part,
    percent,
)
from bertflow_core.studies.sweep import chosen_row, prepare_splits, swept
from bertflow_core.wording import counted

__all__ = ["on_sts", "table4", "table5", "table8"]

KS = range(1, 21)
"""Among which the paper chooses k on the validation set."""

N_SEEDS = 5
"""Of the paper's Table 8, and ours where fewer are asked for."""


@dataclass(frozen=True)
class Method:
    """A method of a table."""

    label: str  # as printed; "{}" stands for the encoder
    layers: str
    calibrator: str = BASELINE
    fit_on: str = "target"


_AVERAGE = "-last2avg"
"""At the end of a label: what a flow's arrow compares it with."""

_QNLI = (
    Method("{}" + _AVERAGE, FIRST_LAST),
    Method("{}-flow (NLI*)", FIRST_LAST, "flow:preset=nli", "nli"),
    Method("{}-flow (target)", FIRST_LAST, FLOW),
)
_STS = (Method("{}", "last"), *_QNLI)
_SEEDS = (
    *(Method("{}", "last"), _QNLI[0]),
    Method("{}" + _AVERAGE + " + flow-target", FIRST_LAST, FLOW),
)


def on_sts(asked: Asked) -> Iterator[Part]:
    """Score encoders on STS."""
    yield from _correlations(asked, lambda _: _STS)


def table4(asked: Asked) -> Iterator[Part]:
    """Score question and answer pairs, with two rows that count shared word pieces."""
    yield from _correlations(asked, lambda _: _QNLI, datasets={"qnli": "AUC"}, split="dev")
    with suppress(InputError):  # no data, which is said above, or no word pieces
        recipe = Recipe(model=asked.models[0], dataset="qnli", split="dev", aggregation="wmean")
        results = lexical_results(recipe, asked.lab)
        yield from (asked.row("no encoder", each.spec, percent(each.score)) for each in results)
        yield from filter(None, [above_published(results)])


def table5(asked: Asked) -> Iterator[Part]:
    """Score simpler calibrators; the number of removed directions is chosen on dev."""
    yield "k is that of the highest rho on dev, among 1 to 20."
    datasets = {"stsb": "Correlation"}
    yield from _correlations(asked, partial(_simpler, asked), datasets=datasets)


def _simpler(asked: Asked, model: str) -> Iterator[Method]:
    recipe = Recipe(dataset="stsb", layers="last", seed=asked.params.seed, model=model)
    splits = prepare_splits(recipe, asked.lab)
    ks = [k for k in KS if k < splits.scored.x_fit.shape[1]]
    yield Method("{}", "last")
    yield Method("+ SN", "last", "standardize")
    for label, spec in (("+ NATSV", "null-top-k"), ("+ SN + NATSV", "standardize+null-top-k")):
        chosen = chosen_row(swept(splits, spec, "k", ks))
        for k in dict.fromkeys((1,) if chosen is None else (1, chosen["value"])):
            yield Method(f"{label} (k = {k})", "last", f"{spec}:k={k}")
    yield Method("{}-flow (target)", "last", FLOW)


def _correlations(
    asked: Asked,
    methods_of: Callable[[str], Iterable[Method]],
    *,
    datasets: Mapping[str, str] = HEADINGS,
    split: str = "test",
) -> Iterator[Part]:
    """Score methods on data sets, a column each, with intervals; data that are missing are said."""
    yield from _published(asked.item.name.removeprefix("table"), datasets)
    protocol = Recipe(
        dataset=next(iter(datasets)), split=split, seed=asked.params.seed, aggregation="wmean"
    )
    here = [name for name in datasets if _is_readable(protocol.with_(dataset=name), asked.lab)]
    if lost := [name for name in datasets if name not in here]:
        titles = ", ".join(HEADINGS.get(name, name.upper()) for name in lost)
        yield Missing(
            f"Not measured, since the data folder has no readable files of it: {titles} "
            f"(bertflow-lab data get {' '.join(lost)})."
        )
    seeds = asked.params.seeds
    metric = "AUC" if "qnli" in datasets else "Spearman's rho"
    yield (
        f"{metric} x 100 of cosine, {split} split, "
        f"aggregation {protocol.aggregation}; {protocol.pooling}, {protocol.length}, "
        f"{protocol.precision}; seed {protocol.seed}, "
        f"{'one fit of a flow' if seeds == 1 else f'flows: mean of {seeds}'}."
    )
    for model in asked.models if here else ():
        methods = [*methods_of(model)]
        labels = [each.label.format(model) for each in methods]
        blank = [None] * len(asked.item.columns)
        rows = {label: dict(asked.row(model, label, *blank)) for label in labels}
        for name in here:
            recipe = protocol.with_(model=model, dataset=name)
            for part in _scored(asked, recipe, methods, datasets[name]):
                if not isinstance(part, Missing):
                    rows[part["row"]] |= part
                elif name == here[0]:  # mostly the same of the others
                    yield part
        yield from rows.values()


def _scored(
    asked: Asked, recipe: Recipe, methods: Sequence[Method], heading: str
) -> Iterator[Row | Missing]:
    """Yield a row of each method on one data set, under one heading."""
    spaces: dict[str, list[Space]] = {}
    for method, found in _fits(recipe, methods, asked.params.seeds, asked.lab):
        label = method.label.format(recipe.model)
        if isinstance(found, InputError):
            yield Missing(f"{label} is not measured: {found}.")
            continue
        spaces[label] = found
        if method.fit_on != "target":  # seldom all of SNLI and MNLI is here
            prepared = found[0].prepared
            facts = f"{prepared.corpus.description} {prepared.seen_remark}", *found[0].notes
            yield Missing(f"{label} is fitted on {'; '.join(facts)}.")
    draws = changes_of_rho(
        {label: found[0].similarity for label, found in spaces.items()},
        next(iter(spaces.values()))[0].prepared.pairs,
        recipe,
        baseline=next(iter(spaces)),
        n_draws=asked.params.bootstrap,
    )
    scores = {label: _mean([each.score for each in found]) for label, found in spaces.items()}
    before = scores.get(f"{recipe.model}{_AVERAGE}")
    for label, score in scores.items():
        ends = draws.interval(label)
        row = {"row": label, heading: score}
        row |= {f"{heading}_low": 100 * ends.low, f"{heading}_high": 100 * ends.high}
        if spaces[label][0].spec != BASELINE and score is not None and before is not None:
            row[f"{heading}_change"] = score - before
        yield row


def _fits(
    recipe: Recipe, methods: Sequence[Method], n_seeds: int, lab: Lab
) -> Iterator[tuple[Method, list[Space] | InputError]]:
    """Fit each method, once for every seed; the error of one whose fit corpus is not here."""
    lab = replace(lab, ahead=tuple(recipe.with_(layers=each.layers) for each in methods))
    groups = groupby(enumerate(methods), key=lambda each: (each[1].layers, each[1].fit_on))
    for (layers, fit_on), group in groups:
        first, *others = group
        try:
            with context.repeating(first[0], len(methods), "methods"):
                prepared = lab.prepare(recipe.with_(layers=layers, fit_on=fit_on))
        except InputError as error:
            if fit_on == "target":
                raise
            yield first[1], error
            continue
        for place, method in (first, *others):
            with context.repeating(place, len(methods), "methods"):
                seeds = range(n_seeds if takes_seed(method.calibrator) else 1)
                recipes = [prepared.recipe.with_(seed=recipe.seed + seed) for seed in seeds]
                each = [replace(prepared, recipe=seeded) for seeded in recipes]
                spaces = [one.under(method.calibrator, device=lab.device) for one in each]
            yield method, spaces
    context.report(len(methods), len(methods), "methods")


def _published(table: str, datasets: Mapping[str, str]) -> Iterator[Row]:
    """Yield the printed rows; a flow is compared with the average of layers above it."""
    before: dict[str, float] = {}
    for row in published_rows():
        if (row.source, row.table) != (CITATION, table):
            continue
        # The encoder stands before the method; rows of others say who measured them.
        named = row.label.split(_AVERAGE)[0].split("-flow")[0].split(" ")[0]
        line: dict[str, Any] = {"by": PUBLISHED, "row": row.label}
        line["encoder"] = row.note if row.calibrator is None else named
        for name, heading in datasets.items():
            line[heading] = row.values[name]
            if row.calibrator == "flow" and before:
                line[f"{heading}_change"] = row.values[name] - before[name]
        if row.label.endswith("last2avg"):
            before = dict(row.values)
        yield line


def _is_readable(recipe: Recipe, lab: Lab) -> bool:
    try:
        lab.pairs(recipe)
    except InputError:
        return False
    return True


def _mean(scores: Sequence[float | None]) -> float | None:
    known = [100 * each for each in scores if each is not None]
    return float(np.mean(known)) if len(known) == len(scores) else None


def table8(asked: Asked) -> Iterator[Part]:
    """Score over models where several are named, else over seeds of the flow."""
    paper, models = printed_table(8), asked.models
    for row in paper["rows"]:
        yield _over_seeds(asked, "BERT-NLI-large", row["label"], row, by=PUBLISHED)
    several = len(models) > 1
    n_seeds = 1 if several else max(asked.params.seeds, N_SEEDS)
    varied = f"{len(models)} models" if several else f"{counted(n_seeds, 'seed')} of the flow"
    yield (
        "Spearman's rho x 100 on STS-B's test pairs, mean and standard deviation over "
        f"{varied} (published: {paper['n_seeds']} seeds of the fine-tuning)."
    )
    encoder = "ours" if several else models[0]
    recipe = Recipe(dataset="stsb", seed=asked.params.seed)
    found: dict[str, list[float]] = {}
    try:
        for model in models:
            for method, spaces in _fits(recipe.with_(model=model), _SEEDS, n_seeds, asked.lab):
                rhos = [] if isinstance(spaces, InputError) else [each.rho for each in spaces]
                found.setdefault(method.label, []).extend(100 * rho for rho in rhos)
    except InputError as error:
        yield Missing(f"{encoder} is not measured: {error}.")
        return
    for label, rhos in found.items():
        summary = summarize_seeds(rhos)
        values = {"mean": summary.mean, "sd": summary.sd, "median": summary.median}
        yield _over_seeds(asked, encoder, label.format(encoder), values)


def _over_seeds(
    asked: Asked, encoder: str, label: str, values: dict[str, Any], *, by: str = OURS
) -> Row:
    """Return a row with its numbers; they are written as printed, a single one without spread."""
    mean, sd, median = numbers = [values[name] for name in ("mean", "sd", "median")]
    spread = "" if sd is None else f" ± {sd:.2f} (median: {median:.2f})"
    row = asked.row(encoder, label, f"{mean:.2f}{spread}", by=by)
    return {**row, **dict(zip(("mean", "sd", "median"), numbers, strict=True))}
