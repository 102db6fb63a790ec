"""The four findings of the check: what was measured on the embeddings, judged by the rules."""

from collections.abc import Mapping

from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.encoders import CATALOG
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.report.report import Row
from bertflow_core.studies.advice.measures import (
    FEWEST,
    measure_cone,
    measure_held_out,
    measure_shift,
)
from bertflow_core.studies.advice.rules import Question, judge

Losses = Mapping[str, Mapping[str, float]]
"""What a linear classifier loses under each calibrator; empty if none follows."""


def judged(embedded: Embedded, losses: Losses) -> list[Row]:
    """Measure embeddings and answer the four questions."""
    return [_cone(embedded), _size(embedded), _shift(embedded), _linear(losses)]


def _cone(embedded: Embedded) -> Row:
    layers, entry = embedded.recipe.layers, CATALOG.get(embedded.recipe.model)
    is_output = layers in ("last", PLAIN_LAYERS)
    where = "and this is its output" if is_output else f"but {layers} is not its output"
    training = f"The model was trained contrastively, to compare sentences, {where}."
    if entry is None:
        training = "The catalogue does not list this model; another was measured for the limits."
    elif not entry.contrastive:
        training = "The catalogue does not list this model as contrastively trained."
    numbers = measure_cone(embedded.x_texts, seed=embedded.recipe.seed)
    return judge(Question.CONE, numbers, training=training)


def _size(embedded: Embedded) -> Row:
    x = embedded.x_fit[distinct_rows(embedded.corpus.sentences)]
    n, n_features = x.shape
    numbers: dict[str, float] = {"n_sentences": n, "n_features": n_features}
    numbers["n_per_d"] = n / n_features
    if n < FEWEST:
        return judge(Question.SIZE, numbers, unmeasured="few")
    variance = measure_held_out(x, seed=embedded.recipe.seed)
    return judge(Question.SIZE, numbers | {"held_out_variance": variance})


def _shift(embedded: Embedded) -> Row:
    """Compare fit corpus and scored sentences; sentences in both do not count."""
    data, corpus, used = embedded.data, embedded.corpus.sentences, embedded.x_texts
    fit, rows = (  # the first row of each distinct sentence, in order
        {sentences[row]: int(row) for row in distinct_rows(sentences)}
        for sentences in (corpus, data.texts)
    )
    shared = fit.keys() & rows.keys()
    only_fit = [row for text, row in fit.items() if text not in shared]
    # The sides of a pair become neighbours again, as in a corpus.
    only_used = [rows[text] for text in dict.fromkeys(data.sentences()) if text not in shared]
    numbers = {"n_fit": len(fit), "n_used": len(rows), "shared": len(shared) / len(rows)}
    if min(len(only_fit), len(only_used)) < FEWEST:
        few = "few" if len(only_used) < FEWEST else "few to fit on"
        why = few if only_used else "same"
        return judge(Question.SHIFT, numbers, unmeasured=why, n_shared=len(shared))
    auc = measure_shift(embedded.x_fit[only_fit], used[only_used], seed=embedded.recipe.seed)
    return judge(Question.SHIFT, numbers | {"auc": auc}, n_shared=len(shared))


def _linear(losses: Losses) -> Row:
    if not losses:
        return judge(Question.LINEAR, {}, unmeasured="cosine")
    lost = "; ".join(
        f"{spec} loses {loss['rank_lost']:,} directions and {loss['variance_lost']:.1%} of the "
        "variance"
        for spec, loss in losses.items()
    )
    numbers = {f"{spec} {name}": x for spec, loss in losses.items() for name, x in loss.items()}
    smallest = min(loss["variance_lost"] for loss in losses.values())
    return judge(Question.LINEAR, numbers, losses=lost, smallest_loss=smallest)
