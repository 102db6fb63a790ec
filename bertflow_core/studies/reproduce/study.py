"""What did the paper measure, and what do we? Presets of the studies, joined to the printed rows.

A function for each item yields its rows (`paper_latex` says what they hold), what decides our
numbers as sentences, `Missing` sentences, and what draws figures as `Live`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from bertflow_core.calibrators.registry import BASELINE, parse_spec
from bertflow_core.datasets.places import data_root
from bertflow_core.datasets.word_counts import FOLDER, VOCABULARY
from bertflow_core.encoders.catalog import is_here
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.params import Value
from bertflow_core.published import printed_table
from bertflow_core.recipe import Recipe
from bertflow_core.report import Column, Row
from bertflow_core.studies.lexical.bias import DISTANCE, GOLD, LexicalRecipe, texts_of
from bertflow_core.studies.lexical.study import lexical, panels
from bertflow_core.studies.reproduce.correlations import on_sts, table4, table5, table8
from bertflow_core.studies.reproduce.items import (
    FIRST_LAST,
    FLOW,
    ITEMS,
    PUBLISHED,
    Asked,
    Missing,
    PaperParams,
    Part,
    percent,
)
from bertflow_core.studies.reproduce.latex import paper_latex
from bertflow_core.studies.space.cone import cone, cone_figure
from bertflow_core.studies.words.published import published_table1
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.study import words
from bertflow_core.study import Facts, Live, study
from bertflow_core.study import Part as Found

__all__ = ["reproduce"]


def _columns(params: PaperParams) -> tuple[Column, ...]:
    headings = (Column(each, format=".2f", ends=True) for each in ITEMS[params.item].columns)
    return (Column("by"), Column("encoder"), Column("row"), *headings)


@study(
    "reproduce",
    PaperParams,
    _columns,
    title="What did the paper measure, and what do we?",
    figures=lambda report: report.live,
    latex=paper_latex,
    command="bertflow-lab reproduce",
)
def reproduce(params: PaperParams, lab: Lab) -> Iterator[Found]:
    """Make a table or figure of the paper again, and set ours beside the published rows.

    What is not here, data or weights, is a remark of the report, and the rest is measured.
    """
    models, unlike = _encoders(params)
    missing: list[str] = [*unlike]
    for part in _MAKERS[params.item](Asked(params, lab, models)):
        if isinstance(part, Missing):
            missing.append(part)
        else:
            yield part
    notes = [*dict.fromkeys((*missing, *ITEMS[params.item].differences))]
    yield from notes
    yield Facts(notes=notes)


def _encoders(params: PaperParams) -> tuple[tuple[str, ...], list[Missing]]:
    """Return the encoders to measure, and what to say where they are not the paper's."""
    encoder = ITEMS[params.item].encoder
    if params.models:
        return params.models, []
    if encoder is None or is_here(encoder):
        return (encoder or Recipe.model,), []
    return (Recipe.model,), [
        Missing(
            f"The weights of {encoder} are not on this machine, so that the embedded model "
            f"{Recipe.model} is measured: --model {encoder} fetches them."
        )
    ]


def table1(asked: Asked) -> Iterator[Part]:
    """Measure norm and neighbours of word embeddings by rank of frequency."""
    counts = VOCABULARY
    with suppress(InputError):  # no data folder
        root = data_root(asked.lab.data_dir)
        files = sorted((root / FOLDER).glob("*.txt")) if root else []
        counts = str(files[0]) if files else VOCABULARY
    if counts == VOCABULARY:
        yield Missing(
            f"No {FOLDER}/*.txt is in the data folder: ranks are places in the model's vocabulary, "
            "which lists words by frequency."
        )
    reports = {
        model: words(WordRecipe(model=model, counts=counts, seed=asked.params.seed), asked.lab)
        for model in asked.models
    }
    paper = published_table1()
    for measure, label in paper.labels.items():
        yield asked.row("BERT", label, *paper.values[measure], by=PUBLISHED)
        for model, report in reports.items():
            yield asked.row(model, label, *(row[measure] for row in report.rows))
    yield from (" ".join(report.remarks[:2]) for report in reports.values())


def table7(asked: Asked) -> Iterator[Part]:
    """Set the printed hyper-parameters beside the preset, read from the calibrator itself."""
    (step,) = parse_spec(FLOW)
    preset = step.resolved()
    adam = ", ".join(
        f"{name} {_as_text(preset[name])}"
        for name in ("bias_correction", "weight_decay", "clip_norm")
    )
    others = {"Adam": f"Adam, {adam}"}
    for row in (*printed_table(7)["rows"], *printed_table(7)["text"]):
        yield asked.row("BERT", row["label"], row["value"], by=PUBLISHED)
        linear = others.get(row["value"], "3 linear layers, added to the second half")
        named = row["parameter"]
        yield asked.row(FLOW, row["label"], _as_text(preset[named]) if named else linear)
    yield f"Ours: the parameters of {FLOW}."


def _as_text(value: Value) -> str:
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


_INDUCED = {
    GOLD: "Gold similarity",
    BASELINE: "{}-induced similarity",
    FLOW: "Flow-induced similarity",
}


def table6(asked: Asked) -> Iterator[Part]:
    """Correlate similarity with edit distance and gold."""
    yield from (part for part in figure2(asked) if not isinstance(part, Live))


def figure2(asked: Asked) -> Iterator[Part]:
    """Draw similarity against edit distance, with the correlations of the panels."""
    protocol = LexicalRecipe(
        dataset="stsb",
        split="dev",
        layers=FIRST_LAST,
        seed=asked.params.seed,
        n_draws=asked.params.bootstrap,
    )
    paper = printed_table(6)
    for row in paper["rows"]:
        yield asked.row("BERT", row["label"], row["edit_distance"], row["gold"], by=PUBLISHED)
    yield f"Gold with edit distance is {' and '.join(texts_of(paper))}."
    for model in asked.models:
        try:
            report = lexical(protocol.with_(model=model), asked.lab, (BASELINE, FLOW))
        except InputError as error:
            yield Missing(f"{model} is not measured: {error}.")
            continue
        yield (
            f"Spearman's rho x 100 of {report.facts['n_pairs']:,} pairs; "
            f"{report.params.caption()}; edit distance in {protocol.unit} units, green at most "
            f"{protocol.threshold}."
        )
        for name, label in _INDUCED.items():
            yield _induced(asked, model, label.format(model), report.row(similarity=name))
        picture = f"{asked.item.name}_{model}_similarity".replace("/", "-")
        yield Live({picture: partial(panels, report.live["bias"])})


def _induced(asked: Asked, model: str, label: str, found: Row) -> Row:
    row = dict(asked.row(model, label, None, 100.0))  # gold agrees with itself
    for heading, key in zip(asked.item.columns, (DISTANCE, "gold"), strict=True):
        if key in found:
            ends = {f"{heading}_{end}": percent(found[f"{key}_{end}"]) for end in ("low", "high")}
            row |= {heading: percent(found[key]), **ends}
    return row


def figure1(asked: Asked) -> Iterator[Part]:
    """Draw the sentences of STS-B, or of the captions, before and after the flow."""
    recipe = Recipe(dataset="stsb", layers=FIRST_LAST, seed=asked.params.seed)
    try:
        asked.lab.pairs(recipe)
    except InputError as error:
        recipe = recipe.with_(dataset=Recipe.dataset)
        yield Missing(f"{Recipe.dataset} stands in for STS-B: {error}.")
    for model in asked.models:
        found = cone(recipe.with_(model=model), asked.lab, (BASELINE, FLOW), (FIRST_LAST,))
        for row in found.rows:
            numbers = row["mean_length"], row["random_cosine"], percent(row["rho"])
            yield asked.row(model, row["calibrator"], *numbers)
        yield f"{found.facts['n_pairs']:,} pairs; {FIRST_LAST}; {found.params.caption()}."
        picture = f"{asked.item.name}_{model}_sentences".replace("/", "-")
        yield Live({picture: partial(cone_figure, found, found.rows)})


_MAKERS: dict[str, Callable[[Asked], Iterable[Part]]] = {
    **{"table2": on_sts, "table3": on_sts},
    **{make.__name__: make for make in (table1, table4, table5, table6, table7, table8)},
    **{make.__name__: make for make in (figure1, figure2)},
}
