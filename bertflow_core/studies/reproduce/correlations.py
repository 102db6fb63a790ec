"""Tables 2 to 5 and 8: agreement of cosine with gold scores, by encoder and calibrator."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from itertools import chain
from typing import NamedTuple

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets.corpus import NLI_CORPUS, TARGET
from bertflow_core.errors import InputError
from bertflow_core.evaluation import Comparison, Score
from bertflow_core.evaluation.significance import summarize_seeds
from bertflow_core.lab.grid import fits_of, scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.splits import chosen_on_dev
from bertflow_core.params import Value
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Row
from bertflow_core.report.result import Result
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
    fit_on: str = TARGET
    model: str = ""

    def under(self, recipe: Recipe) -> Recipe:
        """Return a recipe with this method."""
        _, *own = self._fields
        return recipe.with_(**{name: getattr(self, name) for name in own})


_AVERAGE = "-last2avg"
"""Label suffix of the baseline that a flow is compared with."""

_QNLI = (
    Method("{}" + _AVERAGE, FIRST_LAST),
    Method("{}-flow (NLI*)", FIRST_LAST, "flow:preset=nli", NLI_CORPUS),
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
    dev = Recipe(dataset="stsb", split="dev", layers="last", seed=params.seed, model=model)
    ks = KS[: lab.encoder(dev).dim - 1]
    families = {"+ NATSV": "null-top-k", "+ SN + NATSV": "standardize+null-top-k"}
    every = [f"{spec}:k={k}" for spec in families.values() for k in ks]
    cells = scored(dev.each(calibrators=every), lab).cells
    yield Method("{}", "last")
    yield Method("+ SN", "last", "standardize")
    for label, spec in families.items():
        rhos = {k: cells[dev.with_(calibrator=f"{spec}:k={k}")].score for k in ks}
        for k in dict.fromkeys((1, chosen_on_dev(rhos) or 1)):
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
    base = Recipe(seed=params.seed, split=split, aggregation="wmean")
    here = [name for name in datasets if not _fault(lab.data, base.with_(dataset=name))]
    remarks = _about(params, base, datasets, here)
    if not here:
        return Result(rows, remarks)
    methods = [each for model in params.models for each in _named(methods_of(model), model)]
    nli = base.with_(dataset=here[0], fit_on=NLI_CORPUS)
    fault = _fault(lab.corpus, nli) if any(each.fit_on == NLI_CORPUS for each in methods) else ""
    fitted = [each for each in methods if not (fault and each.fit_on == NLI_CORPUS)]
    points = {
        (each, name): fits_of(each.under(base.with_(dataset=name)), params.seeds)
        for each in fitted
        for name in here
    }
    grid = scored(chain(*points.values()), lab)
    ours = {each: params.row(each.model, each.label) for each in methods}
    for name in here:
        scores = grid.scores({each: points[each, name] for each in fitted})
        for each in fitted:
            ours[each] |= _cells(each, scores, datasets[name])
    for each in methods:
        if each.fit_on == NLI_CORPUS and fault:
            remarks.append(Remark(Kind.MISSING, f"{each.label} is not measured: {fault}."))
        elif each.fit_on == NLI_CORPUS:  # reported once, for the first data
            cell = grid.cells[points[each, here[0]][0]]
            texts = cell.about["fitted"], cell.about["seen"], *(f"{note}." for note in cell.notes)
            remarks.append(Remark(Kind.METHOD, f"{each.label}: {' '.join(texts)}"))
    return Result([*rows, *ours.values()], remarks)


def _cells(method: Method, scores: Mapping[Method, Score], heading: str) -> dict[str, Value]:
    """Return a method's score, its interval and, for a flow, its change from averaged layers."""
    score = scores[method]
    low, high = map(times_100, score.interval())
    cells: dict[str, Value] = {heading: times_100(score.value)}
    cells |= {f"{heading}_low": low, f"{heading}_high": high}
    of_model = {each.label: found for each, found in scores.items() if each.model == method.model}
    before = next((of for label, of in of_model.items() if label.endswith(_AVERAGE)), None)
    if before and method.calibrator != BASELINE:
        change = Comparison(before.value, score.value).difference
        cells[f"{heading}_change"] = times_100(change)
    return cells


def _about(
    params: PaperParams, base: Recipe, datasets: Mapping[str, str], here: Sequence[str]
) -> list[Remark]:
    """Say which data are missing, and under which choices the others are scored."""
    lost, missing = [name for name in datasets if name not in here], ""
    if lost:
        titles = ", ".join(HEADINGS.get(name, name.upper()) for name in lost)
        missing = (
            f"Not measured here: {titles}. The data folder has no readable files for this; "
            f"bertflow-lab data get {' '.join(lost)} fetches them."
        )
    fits = "one fit per flow" if params.seeds == 1 else f"flows: mean of {params.seeds}"
    metric = "AUC" if "qnli" in datasets else "Spearman's rho"
    return [
        *remarks_of(Kind.MISSING, missing),
        Remark(
            Kind.METHOD,
            f"{metric} x 100 of cosine, {base.split} split, aggregation {base.aggregation}; "
            f"{base.encoding}, {base.precision}; seed {base.seed}, {fits}.",
        ),
    ]


def _named(methods: Iterable[Method], model: str, encoder: str = "") -> list[Method]:
    named = encoder or model
    return [each._replace(label=each.label.format(named), model=model) for each in methods]


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


def _fault(read: Callable[[Recipe], object], recipe: Recipe) -> str:
    """Return why data of a recipe cannot be read; empty if they can."""
    try:
        read(recipe)
    except InputError as error:
        return str(error)
    return ""


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
    base = Recipe(dataset="stsb", seed=params.seed)
    if fault := _fault(lab.data, base):
        remarks.append(Remark(Kind.MISSING, f"{encoder} is not measured: {fault}."))
        return Result(rows, remarks)
    points: dict[str, list[Recipe]] = {}
    for each in chain(*(_named(_SEEDS, model, encoder) for model in models)):
        points.setdefault(each.label, []).extend(fits_of(each.under(base), n_seeds))
    cells = scored(chain(*points.values()), lab).cells
    for label, fits in points.items():
        rhos = [100 * rho for each in fits if (rho := cells[each].score) is not None]
        rows.append(
            _over_seeds(params, encoder, label, asdict(summarize_seeds(rhos)))
            if rhos
            else params.row(encoder, label)
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
