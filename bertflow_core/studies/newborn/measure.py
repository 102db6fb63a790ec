"""Train a newborn model, record it, calibrate its space, and check Eq. 3 of the paper in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from bertflow_core import context
from bertflow_core.analysis.contexts import find_contexts
from bertflow_core.analysis.frequency import coordinate_rhos
from bertflow_core.analysis.isotropy import mean_cosine
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, random_pair_cosine, score_pairs
from bertflow_core.lab import Data, Lab
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.remarks import why_unscored
from bertflow_core.space import Prepared
from bertflow_core.studies.cone import SPECS, cone, openings
from bertflow_core.studies.newborn.equation import Equation, equation_of, scores_of
from bertflow_core.studies.newborn.model import NewbornModel, newborn
from bertflow_core.studies.newborn.recipe import NewbornRecipe
from bertflow_core.studies.newborn.recording import LiveRecording, Moment
from bertflow_core.studies.newborn.result import Newborn, Scored
from bertflow_core.studies.newborn.training import train
from bertflow_core.studies.newborn.vocabulary import PAD, Ids, Vocabulary, learn_words

__all__ = ["measure_newborn", "shown_ranks"]

_ALL_SHOWN = 100
_SPREAD = 400
_EDGES = (0, 50, 1_000)


def measure_newborn(
    recipe: NewbornRecipe,
    lab: Lab,
    *,
    specs: Sequence[str] = SPECS,
    live: LiveRecording | None = None,
) -> Newborn:
    """Train a model from nothing, then calibrate its sentences and check Eq. 3 in it.

    Args:
        recipe: The choices.
        lab: Where the data come from, and where flows are fitted; the model itself trains on the
            CPU.
        specs: Calibrators, the uncalibrated first.
        live: Written to while the model trains, for others to read.

    Raises:
        InputError: Data that cannot be used, or without gold scores; a calibrator that cannot be
            fitted.
        ResourceError: The disk refused.
    """
    live = LiveRecording(recipe) if live is None else live
    data = lab.load(recipe.data())
    if data[0].gold is None:
        raise InputError(why_unscored(data[0]))
    vocabulary = learn_words(data[1].sentences, recipe.n_words, recipe.n_unused)
    model = newborn(vocabulary, recipe)
    text = _Text.of(data, model)

    ranks = shown_ranks(len(vocabulary.words))
    _label(live, vocabulary, ranks)
    with context.renamed("steps of training"):
        train(
            model.network,
            torch.from_numpy(text.corpus),
            recipe,
            generator=torch.Generator().manual_seed(recipe.seed),
            show=lambda step, loss: live.frames.append(
                (_moment(step, loss, model, text, live.edges), _shown(model, ranks))
            ),
        )
    recorded = live.recording()
    assert recorded is not None  # there is a frame before the first step
    untrained = newborn(vocabulary, recipe)
    after, before = (
        [prepared.under(spec, device=lab.device) for spec in specs]
        for prepared in (text.prepared(model, recipe), text.prepared(untrained, recipe))
    )
    return Newborn(
        recording=recorded,
        cone=cone.collect(openings(after), after[0].recipe, specs, ("last",)),
        untrained=tuple(Scored(each.spec, each.rho, each.random_cosine) for each in before),
        equation=_equation(model, text.corpus, recipe),
        decomposition_untrained=_equation(untrained, text.corpus, recipe).decomposition,
    )


def shown_ranks(n_words: int) -> Rows:
    """Return the ranks that are drawn: the 100 most frequent, then evenly on a log axis, rising."""
    if n_words <= _ALL_SHOWN:
        return np.arange(n_words)
    spread = np.geomspace(_ALL_SHOWN, n_words, _SPREAD).astype(np.int64) - 1
    return np.unique(np.concatenate([np.arange(_ALL_SHOWN), spread]))


def _label(live: LiveRecording, vocabulary: Vocabulary, ranks: Rows) -> None:
    unused = range(vocabulary.n_unused)
    n_words = len(vocabulary.words)
    live.n_words = n_words
    live.edges = (*(edge for edge in _EDGES if edge < n_words), n_words)
    live.words = (
        *(vocabulary.words[rank] for rank in ranks),
        *(f"[unused{i}]" for i in unused),
    )
    live.counts = (*(int(vocabulary.counts[rank]) for rank in ranks), *(0 for _ in unused))


def _shown(model: NewbornModel, ranks: Rows) -> FloatArray:
    return np.concatenate([model.word_vectors()[ranks], model.unused_vectors()])


@dataclass(frozen=True, eq=False)
class _Text:
    """The data, and its sentences as the model reads them: corpus, first and second sides."""

    data: Data
    corpus: Ids
    first: Ids
    second: Ids

    @classmethod
    def of(cls, data: Data, model: NewbornModel) -> "_Text":
        pairs, corpus = data
        texts = (corpus.sentences, pairs.first, pairs.second)
        return cls(data, *(model.encode(each) for each in texts))

    def sides(self, model: NewbornModel) -> tuple[FloatArray, FloatArray]:
        return model.sentence_vectors(self.first), model.sentence_vectors(self.second)

    def prepared(self, model: NewbornModel, recipe: NewbornRecipe) -> Prepared:
        pairs, corpus = self.data
        first, second = self.sides(model)
        return Prepared(
            recipe=recipe.data().with_(model="newborn", layers="last"),
            pairs=pairs,
            corpus=corpus,
            x_fit=model.sentence_vectors(self.corpus),
            x_first=first,
            x_second=second,
            n_cut=0,
            n_sentences=len({*corpus.sentences, *pairs.sentences()}),
            encoder={"model": "newborn", "recipe": recipe.to_dict()},
            seconds=0.0,
        )


def _moment(
    step: int, loss: float, model: NewbornModel, text: _Text, edges: Sequence[int]
) -> Moment:
    x, unused = model.word_vectors(), model.unused_vectors()
    norms = np.linalg.norm(x, axis=1)
    first, second = text.sides(model)
    pairs, _ = text.data
    assert pairs.gold is not None  # which was asked at the beginning
    rho = score_pairs(pairwise_cosine(first, second), pairs.gold, pairs.subsets).spearman.all
    (frequency,) = coordinate_rhos(x, model.vocabulary.log_frequency, n_coordinates=1)
    return Moment(
        step=step,
        loss=round(loss, 4),
        mean_cosine=round(mean_cosine(x), 4),
        frequency_rho=_rounded(frequency),
        norms=tuple(round(float(norms[low:high].mean()), 4) for low, high in pairwise(edges)),
        unused_norm=_rounded(float(np.linalg.norm(unused, axis=1).mean()) if len(unused) else None),
        rho=_rounded(rho),
        random_cosine=round(random_pair_cosine(np.concatenate([first, second])), 4),
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _equation(model: NewbornModel, corpus: Ids, recipe: NewbornRecipe) -> Equation:
    """Check Eq. 3 where both neighbours of a gap are known, the ends of a sentence among them."""
    end = -1
    sentences = [[end, *row[row != PAD].tolist(), end] for row in corpus]
    contexts = find_contexts(sentences)
    states = model.masked_states(corpus[contexts.rows], contexts.places - 1)
    tokens = ("[PAD]", "[UNK]", "[MASK]", *model.vocabulary.words, "|")
    return equation_of(
        contexts, scores_of(contexts, states, model.table()), tokens, seed=recipe.seed
    )
