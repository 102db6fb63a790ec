"""Tables 2 to 5 and 8: agreement of cosine with gold scores, by encoder and calibrator."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import NamedTuple

from bertflow_core.calibrators.spec import BASELINE, Spec
from bertflow_core.errors import InputError
from bertflow_core.evaluation.significance import summarize_seeds
from bertflow_core.lab.comparable_scores import scores_of, scores_of_fits
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Value
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Row
from bertflow_core.report.result import Result
from bertflow_core.runtime import context
from bertflow_core.studies.lexical_baselines import above_published, lexical_results
from bertflow_core.studies.published import printed_table, published_rows
from bertflow_core.studies.reproduce.items import (
    CITATION,
    FIRST_LAST,
    FLOW,
    HEADINGS,
    PUBLISHED,
    PaperParams,
    times_100,
)
from bertflow_core.studies.sweep import chosen_row, prepare_splits, swept
from bertflow_core.wording import counted

KS = range(1, 21)
"""Values of k among which the paper chooses on the validation set."""

N_SEEDS = 5
"""Number of seeds in Table 8, and ours unless more are requested."""


class Method(NamedTuple):
    """The method of a row in a table."""

    label: str  # as published; "{}" is the encoder
    layers: str
    calibrator: str = BASELINE
    fit_on: str = "target"


_AVERAGE = "-last2avg"
"""Label suffix of the baseline that a flow is compared with."""

_QNLI = (
    Method("{}" + _AVERAGE, FIRST_LAST),
    Method("{}-flow (NLI*)", FIRST_LAST, "flow:preset=nli", "nli"),
    Method("{}-flow (target)", FIRST_LAST, FLOW),
)
_STS = (Method("{}", "last"), *_QNLI)
_SEEDS = (*_STS[:2], Method("{}" + _AVERAGE + " + flow-target", FIRST_LAST, FLOW))


def on_sts(params: PaperParams, lab: Lab) -> Result:
    """Score encoders on STS."""
    return _scored(params, lab, lambda _: _STS)


def table4(params: PaperParams, lab: Lab) -> Result:
    """Score question-answer pairs, with two rows for overlap of word pieces."""
    found = _scored(params, lab, lambda _: _QNLI, {"qnli": "AUC"}, split="dev")
    with suppress(InputError):  # data missing, as reported above, or a model without tokenizer
        recipe = Recipe(model=params.models[0], dataset="qnli", split="dev", aggregation="wmean")
        results = lexical_results(recipe, lab)
        rows = [params.row("no encoder", each.spec, times_100(each.score)) for each in results]
        above = remarks_of(Kind.METHOD, above_published(results))
        return Result([*found.rows, *rows], [*found.remarks, *above])
    return found


def table5(params: PaperParams, lab: Lab) -> Result:
    """Score simpler calibrators; the number of removed directions is chosen on dev."""
    found = _scored(params, lab, partial(_simpler, params, lab), {"stsb": "Correlation"})
    of_k = Remark(Kind.METHOD, "k is the value from 1 to 20 that maximises rho on dev.")
    return replace(found, remarks=[of_k, *found.remarks])


def _simpler(params: PaperParams, lab: Lab, model: str) -> Iterator[Method]:
    recipe = Recipe(dataset="stsb", layers="last", seed=params.seed, model=model)
    (splits,) = prepare_splits([recipe], lab)
    ks = [k for k in KS if k < splits.scored.x_fit.shape[1]]
    yield Method("{}", "last")
    yield Method("+ SN", "last", "standardize")
    for label, spec in (("+ NATSV", "null-top-k"), ("+ SN + NATSV", "standardize+null-top-k")):
        chosen = chosen_row(swept(splits, Spec(spec), "k", ks))
        for k in dict.fromkeys((1,) if chosen is None else (1, chosen["value"])):
            yield Method(f"{label} (k = {k})", "last", f"{spec}:k={k}")
    yield Method("{}-flow (target)", "last", FLOW)


def _scored(
    params: PaperParams,
    lab: Lab,
    methods_of: Callable[[str], Iterable[Method]],
    datasets: Mapping[str, str] = HEADINGS,
    split: str = "test",
) -> Result:
    """Return the published rows, then our rows with intervals, and report missing data."""
    rows = [*_published(params.item.removeprefix("table"), datasets)]
    remarks: list[Remark] = []
    recipe = Recipe(seed=params.seed, split=split, aggregation="wmean")
    recipes = {name: recipe.with_(dataset=name) for name in datasets}
    here = {name: each for name, each in recipes.items() if _is_readable(each, lab)}
    if lost := [name for name in datasets if name not in here]:
        titles = ", ".join(HEADINGS.get(name, name.upper()) for name in lost)
        remarks += remarks_of(
            Kind.MISSING,
            f"Not measured here: {titles}. The data folder has no readable files for this; "
            f"bertflow-lab data get {' '.join(lost)} fetches them.",
        )
    fits = "one fit per flow" if params.seeds == 1 else f"flows: mean of {params.seeds}"
    metric = "AUC" if "qnli" in datasets else "Spearman's rho"
    remarks += remarks_of(
        Kind.METHOD,
        f"{metric} x 100 of cosine, {split} split, aggregation {recipe.aggregation}; "
        f"{recipe.encoding}, {recipe.precision}; seed {recipe.seed}, {fits}.",
    )
    for model in params.models if here else ():
        methods = _named(methods_of(model), model)
        ours = {each.label: params.row(model, each.label) for each in methods}
        for place, (name, recipe) in enumerate(here.items()):
            evaluations: dict[str, list[Evaluation]] = {}
            for method, found in _fits(recipe.with_(model=model), methods, params.seeds, lab):
                if isinstance(found, InputError):
                    note = f"not measured: {found}"
                else:
                    evaluations[method.label] = found
                    seen = found[0].embedded
                    facts = f"{seen.corpus.description} {seen.seen_remark}", *found[0].notes
                    note = f"fitted on {'; '.join(facts)}"
                if method.fit_on != "target" and not place:  # reported once, for the first data
                    text = f"{method.label} is {note.rstrip('.')}."
                    remarks.append(Remark(Kind.MISSING, text))
            for label, cells in _cells(evaluations, recipe, datasets[name], params.bootstrap):
                ours[label] |= cells
        rows += ours.values()
    return Result(rows, remarks)


def _named(methods: Iterable[Method], encoder: str) -> list[Method]:
    return [each._replace(label=each.label.format(encoder)) for each in methods]


def _cells(
    evaluations: Mapping[str, Sequence[Evaluation]], recipe: Recipe, heading: str, n_draws: int
) -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield each method's label with its score, its interval and, for a flow, its change."""
    pairs = next(iter(evaluations.values()))[0].embedded.pairs
    similarities = {label: found[0].unit_values for label, found in evaluations.items()}
    of_first_seed = scores_of(similarities, pairs, recipe, n_draws)
    scores = scores_of_fits(evaluations, pairs, recipe)
    before = None
    for label, found in evaluations.items():
        score, ends = times_100(scores[label].value), of_first_seed[label].interval(n_draws)
        cells: dict[str, Value] = {heading: score}
        cells |= {f"{heading}_low": times_100(ends[0]), f"{heading}_high": times_100(ends[1])}
        if label.endswith(_AVERAGE):
            before = score
        elif found[0].spec != BASELINE and score is not None and before is not None:
            cells[f"{heading}_change"] = score - before
        yield label, cells


def _fits(
    recipe: Recipe, methods: Sequence[Method], n_seeds: int, lab: Lab
) -> Iterator[tuple[Method, list[Evaluation] | InputError]]:
    """Fit each method once per seed; yield an error if its fit corpus is missing."""
    asked = [recipe.with_(layers=each.layers, fit_on=each.fit_on) for each in methods]
    for place, (method, one) in enumerate(zip(methods, asked, strict=True)):
        evaluations: list[Evaluation] = []
        try:
            with context.repeating(place, len(methods), "methods"):
                if place == 0 or one.fit_on != asked[place - 1].fit_on:
                    on_same = [each for each in asked[place:] if each.fit_on == one.fit_on]
                    found = lab.embedded(on_same)
                if place == 0 or one != asked[place - 1]:
                    embedded = next(found)
                for seed in range(n_seeds if Spec(method.calibrator).takes_seed else 1):
                    seeded = embedded.recipe.with_(seed=recipe.seed + seed)
                    each = replace(embedded, recipe=seeded)
                    evaluations.append(each.under(method.calibrator, device=lab.device))
        except InputError as error:
            if method.fit_on == "target":
                raise
            yield method, error
        else:
            yield method, evaluations
    context.report(len(methods), len(methods), "methods")


def _published(table: str, datasets: Mapping[str, str]) -> Iterator[Row]:
    """Yield the published rows; a flow is compared with the row of averaged layers above it."""
    before: Mapping[str, float] = {}
    for row in published_rows():
        if (row.source, row.table) != (CITATION, table):
            continue
        # A label begins with the encoder; the note of a row by other authors names them.
        named = row.label.split(_AVERAGE)[0].split("-flow")[0].split(" ")[0]
        line: dict[str, Value] = {"by": PUBLISHED, "row": row.label}
        line["encoder"] = row.note if row.calibrator is None else named
        for name, heading in datasets.items():
            line[heading] = row.values[name]
            if row.calibrator == "flow" and before:
                line[f"{heading}_change"] = row.values[name] - before[name]
        if row.label.endswith(_AVERAGE):
            before = row.values
        yield line


def _is_readable(recipe: Recipe, lab: Lab) -> bool:
    try:
        lab.pairs(recipe)
    except InputError:
        return False
    return True


def table8(params: PaperParams, lab: Lab) -> Result:
    """Score several models if they are given, otherwise several seeds of the flow."""
    paper, models = printed_table(8), params.models
    rows = [
        _over_seeds(params, "BERT-NLI-large", row["label"], row, by=PUBLISHED)
        for row in paper["rows"]
    ]
    several = len(models) > 1
    n_seeds = 1 if several else max(params.seeds, N_SEEDS)
    varied = f"{len(models)} models" if several else f"{counted(n_seeds, 'seed')} of the flow"
    remarks = remarks_of(
        Kind.METHOD,
        "Spearman's rho x 100 on STS-B's test pairs, mean and standard deviation over "
        f"{varied} (published: {paper['n_seeds']} seeds of the fine-tuning).",
    )
    encoder = "ours" if several else models[0]
    methods = _named(_SEEDS, encoder)
    rhos: dict[str, list[float]] = {each.label: [] for each in methods}
    try:
        for model in models:
            recipe = Recipe(dataset="stsb", seed=params.seed, model=model)
            for method, evaluations in _fits(recipe, methods, n_seeds, lab):
                if not isinstance(evaluations, InputError):
                    rhos[method.label] += [100 * each.rho for each in evaluations]
    except InputError as error:
        remarks.append(Remark(Kind.MISSING, f"{encoder} is not measured: {error}."))
        return Result(rows, remarks)
    rows += (
        _over_seeds(params, encoder, label, asdict(summarize_seeds(found)))
        for label, found in rhos.items()
    )
    return Result(rows, remarks)


def _over_seeds(
    params: PaperParams, encoder: str, label: str, values: Mapping[str, Value], **by: str
) -> Row:
    """Return a row with its numbers written as in the paper; a single number has no spread."""
    mean, sd, median = (values[name] for name in ("mean", "sd", "median"))
    spread = "" if sd is None else f" ± {sd:.2f} (median: {median:.2f})"
    numbers = {"mean": mean, "sd": sd, "median": median}
    return {**params.row(encoder, label, f"{mean:.2f}{spread}", **by), **numbers}
