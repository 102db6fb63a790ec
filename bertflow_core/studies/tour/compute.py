"""Compute a tour: embed once, then answer each question, or pass it over with a reason."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bertflow_core import context
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.tour.chapters import CONTENTS, Chapter
from bertflow_core.studies.tour.lesson import Content, Lesson, Skipped, Step
from bertflow_core.studies.tour.material import SPECS, Material
from bertflow_core.studies.tour.own_sentences import OwnSentences, check_own
from bertflow_core.studies.tour.questions import changes, encoder, fitted, space

__all__ = ["compute_tour"]

_QUESTIONS: dict[str, Callable[[Material], Content]] = {
    each.__name__: each
    for each in (
        *(encoder.words, encoder.negation, encoder.layer),
        *(space.random, space.cone, space.frequency, space.holes),
        *(fitted.calibrators, fitted.flow, fitted.few),
        *(changes.agreement, changes.edits, changes.last),
    )
}


def compute_tour(recipe: Recipe, lab: Lab, *, sentences: Sequence[str] = ()) -> Lesson:
    """Compute all steps of the tour; one that the data do not allow is skipped, with the reason.

    Args:
        recipe: The choices; its calibrator is ignored.
        lab: Where data and vectors are found.
        sentences: The learner's own, which pictures then mark: none, two or three.

    Raises:
        InputError: A recipe, data, model or sentences that cannot be used.
        ResourceError: The disk or the network failed.
    """
    texts = check_own(sentences)
    n_layers = lab.encoder(recipe).model.n_layers
    every = tuple(recipe.with_(layers=f"layer:{k}") for k in range(n_layers + 1))
    lab = replace(lab, ahead=every)  # one question asks for each of them
    prepared = lab.prepare(recipe.with_(calibrator=Recipe.calibrator))
    total = len(CONTENTS)
    with context.repeating(0, total, "steps"):
        results = {spec: prepared.under(spec, device=lab.device) for spec in SPECS}
    own = (OwnSentences(texts, lab.vectors(prepared.recipe, texts).x),) if texts else ()
    material = Material(prepared, results, lab, *own)
    steps = []
    for done, chapter in enumerate(CONTENTS):
        with context.repeating(done, total, "steps"):
            steps.append(_step(chapter, material))
    context.report(total, total, "steps")
    return Lesson(prepared.recipe, tuple(steps), texts)


def _step(chapter: Chapter, material: Material) -> Step | Skipped:
    try:
        return Step(chapter, _QUESTIONS[chapter.name](material))
    except InputError as error:
        return Skipped(chapter, str(error))
