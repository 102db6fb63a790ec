"""Compute a tour: run each step's study, or skip the step with a reason.

Steps that name spaces report the cosines of the learner's own sentences in them.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.datasets.pairs import need_pairs
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.template import SLOT
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.exhibits.tour.answers import ANSWERS, RAW
from bertflow_core.exhibits.tour.lesson import CONTENTS, Chapter, Content, Lesson, check_own
from bertflow_core.figures import Figure, mark_values
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import FEW_PAIRS, few_pairs
from bertflow_core.report.remark import Kind, texts_of
from bertflow_core.report.report import Report
from bertflow_core.runtime import context
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies import study_of

# Fields of the recipe that a step with its own data set keeps.
_KEPT = (
    *("model", "revision", "layers", "tokens", "max_length", "prompt", "template"),
    *("truncate_dim", "precision", "seed"),
)


def compute_tour(recipe: Recipe, lab: Lab, *, sentences: Sequence[str] = ()) -> Lesson:
    """Compute all steps of the tour, with cosines of the learner's own sentences.

    A step that the data do not allow is skipped, with the reason.
    """
    texts = check_own(sentences)
    recipe = recipe.with_(calibrator=Recipe.calibrator)
    n_layers = lab.encoder(recipe).model.n_layers
    every = tuple(recipe.with_(layers=f"layer:{k}") for k in range(n_layers + 1))
    total = len(CONTENTS)
    with context.repeating(0, total, "steps"):
        embedded = next(lab.embedded([recipe, *every]))  # one step needs every layer
    steps: list[Content | str] = []
    known: dict[str, Report] = {}
    for done, chapter in enumerate(CONTENTS):
        with context.repeating(done, total, "steps"):
            try:
                _check(chapter, embedded)
                report = ask(chapter, recipe, lab, known)
                content = content_of(chapter, report, recipe)
                steps.append(_with_own(content, chapter, recipe, lab, texts))
            except InputError as error:
                steps.append(str(error))
    context.report(total, total, "steps")
    return Lesson(embedded.recipe, tuple(steps), texts)


def _check(chapter: Chapter, embedded: Embedded) -> None:
    """Refuse data that lack what a step needs."""
    pairs = embedded.data
    if "gold" in chapter.needs:
        need_pairs(pairs, "the pictures of this step", gold=True)
    if "pairs" in chapter.needs and len(pairs) < FEW_PAIRS:
        raise InputError(few_pairs(len(pairs)))
    n, n_features = len(distinct_rows(embedded.corpus.sentences)), embedded.x_fit.shape[1]
    if "span" in chapter.needs and n <= n_features:
        raise InputError(
            f"{n:,} sentences in {n_features:,} dimensions: this step needs more than "
            f"{n_features:,} distinct sentences"
        )


def ask(chapter: Chapter, recipe: Recipe, lab: Lab, known: dict[str, Report]) -> Report:
    """Return the report of a step: one that ships, one in `known`, or a new one."""
    if chapter.recorded:
        return _recorded(chapter)
    study = study_of(chapter.study)
    every = _recipe_of(chapter, recipe).to_dict()
    held = {name: value for name, value in every.items() if hasattr(study.params, name)}
    if not issubclass(study.params, Recipe):
        held.pop("calibrator", None)
    if hasattr(study.params, "poolings"):  # with `--layers model` the model decides its pooling
        held["poolings"] = (recipe.with_(layers="last").tokens,)
        held["templates"] = (recipe.template or SLOT,)
    params = study.params.from_dict({**held, **chapter.parameters})
    key = repr((study.name, params, chapter.calibrators))
    if key not in known:
        known[key] = study(params, lab, chapter.calibrators)
    return known[key]


def _recorded(chapter: Chapter) -> Report:
    """Return the report that ships, of the step's layer alone if it names one."""
    study = study_of(chapter.study)
    stored = resource(f"results/{chapter.recorded}.json").read_text(encoding="utf-8")
    report = study.read(json.loads(stored))
    layers = chapter.parameters.get("layers")
    if layers is None:
        return report
    command = report.params.to_command(command=study.command, options=[("--layers", layers)])
    return replace(report, rows=report.where(layers=layers), command=command)


def _recipe_of(chapter: Chapter, recipe: Recipe) -> Recipe:
    """Return the recipe of a step's spaces, with the step's own layers or data, if any."""
    names = ("layers", "dataset", "fit_on")
    own = {name: value for name, value in chapter.parameters.items() if name in names}
    if own.get("layers") == recipe.layers:
        raise InputError(
            "this tour looks at the plain output already: an earlier step shows its change of rho"
        )
    if "dataset" in own and own["dataset"] != recipe.dataset:
        recipe = Recipe(**{name: getattr(recipe, name) for name in _KEPT})
    if own.get("layers") == PLAIN_LAYERS and recipe.plain is not None:
        recipe = recipe.plain
    return recipe.with_(**own)


def content_of(chapter: Chapter, report: Report, recipe: Recipe) -> Content:
    """Return the texts and the picture of a step, from the report of its study."""
    answer = ANSWERS[chapter.name](report)
    inside = (
        f"This tour looks at the vectors of {recipe.layers.replace(':', ' ')}, inside the encoder; "
        "its last step looks at the plain output. "
    )
    values = {**answer, "inside": inside * (recipe.layers not in ("last", PLAIN_LAYERS))}

    def say(text: str) -> str:
        return text.format_map(values)

    takeaway = chapter.takeaways[min(answer["right"], len(chapter.takeaways) - 1)]
    return Content(
        text=say(chapter.text),
        question=say(chapter.question),
        choices=answer.get("choices") or tuple(map(say, chapter.answers)),
        right=answer["right"],
        takeaway=" ".join((say(takeaway), *texts_of(report.remarks, Kind.WARNING))),
        explanation=say(chapter.explanation),
        figure=answer.get("picture") or report.pictures()[chapter.picture](),
        origin=f"{report.params.caption()}. Made by: {report.command}",
        exhibits=answer.get("exhibits", ()),
    )


def _with_own(
    content: Content, chapter: Chapter, recipe: Recipe, lab: Lab, texts: Sequence[str]
) -> Content:
    """Return a step with the cosines of the learner's sentences, pair by pair, in its spaces."""
    if not texts or not chapter.own:
        return content
    recipe = _recipe_of(chapter, recipe)
    (found,) = lab.vectors([recipe], texts)
    x, pairs = found.x, list(combinations(range(len(texts)), 2))
    names = [f"yours {i + 1} & {j + 1}" for i, j in pairs]
    first, second = np.array(pairs).T
    cosines = {}
    for evaluation in lab.evaluations(recipe.each(calibrators=chapter.own)):
        z = evaluation.calibrator.transform(x)
        cosines[evaluation.spec] = pairwise_cosine(z[first], z[second]).tolist()
    lines = [
        f"{name}: {', '.join(f'{found[i]:z.2f} ({spec})' for spec, found in cosines.items())}"
        for i, name in enumerate(names)
    ]
    figure = content.figure
    if chapter.name == "random":
        figure = mark_values(Figure(figure), dict(zip(names, cosines[RAW], strict=True)))
    own = f"Cosines of your sentences, by pair. {'; '.join(lines)}."
    return replace(content, own=own, figure=figure)
