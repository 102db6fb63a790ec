"""An evaluation: pairs under one fitted calibrator, their scores, and what the scores depend on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import Collection, Corpus, Pairs, Texts
from bertflow_core.datasets.texts import VECTOR_ROWS
from bertflow_core.errors import InputError
from bertflow_core.evaluation import (
    ACCURACY,
    AUC,
    METRICS,
    RHO,
    Metric,
    metric_of,
    random_pair_cosine,
)
from bertflow_core.evaluation.metrics import PairScores, StsScores, undefined
from bertflow_core.evaluation.similarities import BOUNDED, nearness, of_pairs
from bertflow_core.evaluation.similarity import mapped_cosines, rounding_error, with_ties
from bertflow_core.evaluation.units import unit_values
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import (
    RANKS_NOTHING,
    TRANSDUCTIVE,
    preset_note,
    too_few,
    why_unscored,
)
from bertflow_core.runtime import context
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator


@dataclass(frozen=True)
class Embedded:
    """The embeddings that every calibrator of a comparison shares."""

    recipe: Recipe  # with the hub commit that was used; `recipe.calibrator` is ignored
    data: Texts  # what is scored
    corpus: Corpus  # the fit corpus
    x_fit: FloatArray = field(repr=False)  # embeddings of the corpus, shape (M, D)
    x_texts: FloatArray = field(repr=False)  # of the scored texts, in their order
    n_cut: int  # distinct sentences that were longer than the maximum length
    n_sentences: int  # distinct sentences
    encoder: dict[str, Any]  # the settings that decide the vectors
    seconds: float  # to embed, or to read stored vectors

    @property
    def x_first(self) -> FloatArray:
        """The embeddings of the pairs' first sentences, or of all single texts, shape (N, D)."""
        return self.x_texts[: len(self.data)]

    @property
    def x_second(self) -> FloatArray:
        """The embeddings of the second sentences, (N, D); a single text has a random partner."""
        n = len(self.data)
        if isinstance(self.data, Pairs):
            return self.x_texts[n:]
        return self.x_texts[_partners(n, seed=self.recipe.seed)]

    @property
    def metric(self) -> Metric:
        """The metric of the data."""
        return metric_of(self.data.metric)

    @cached_property
    def n_seen(self) -> int:
        """Number of scored sentences in the fit corpus; a repeated sentence counts each time."""
        return self.corpus.n_among(self.data.texts)

    def fit_rows_without(self, held_out: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return a mask, shape (M,), of the rows of `x_fit` whose sentences are not held out.

        `held_out`, shape (N,), marks the held-out ones among the scored texts.
        """
        unseen = frozenset(compress(self.data.texts, held_out))
        return np.array([text not in unseen for text in self.corpus.sentences])

    @property
    def cut_remark(self) -> str:
        """How many sentences exceed the encoder's longest input, or have no known word at all."""
        n_zeros, zeros = self.encoder.get("n_zero_vectors", 0), ""
        if n_zeros:  # of averaged word vectors
            first = quoted(self.encoder["first_zero_vector"])
            zeros = f"; {n_zeros:,} without a known word have the zero vector, such as {first}"
        whole = "" if self.recipe.template is None else ", the template kept whole"
        remark = (
            f"{self.n_cut:,} of {self.n_sentences:,} distinct sentences were cut "
            f"(input {self.recipe.length}{whole}){zeros}"
        )
        if "left_out" not in self.encoder:
            return remark
        none = "nothing, since the tokenizer adds no special tokens"
        return f"{remark}; mean-content leaves out {', '.join(self.encoder['left_out']) or none}"

    @property
    def sides_remark(self) -> str:
        """How queries and documents were embedded; empty if the model reads both alike."""
        if "queries" not in self.encoder:
            return ""
        of_queries = self.encoder | {"template": None} | self.encoder["queries"]
        queries, documents = map(_text_around, (of_queries, self.encoder))
        return f"Queries are embedded with {queries}, documents with {documents}."

    @property
    def chat_remark(self) -> str:
        """How much of each text is the folder's chat template; empty if it has none."""
        if "chat_tokens" not in self.encoder:
            return ""
        n_chat, n_tokens = self.encoder["chat_tokens"]
        return (
            f"The chat template of {quoted(self.recipe.model)} is put around each text: {n_chat:,} "
            f"of {n_tokens:,} tokens on average."
        )

    @property
    def seen_remark(self) -> str:
        """How many of the scored texts are in the fit corpus; if any, the fit is transductive."""
        seen, n = self.n_seen, len(self.data.texts)
        if not seen and self.corpus.sources[0].layout == VECTOR_ROWS:
            return "Whether scored vectors are in the fit corpus is not known."
        what = "scored sentences" if self.data.has_words else "scored vectors"
        if isinstance(self.data, Collection):
            what = "documents and queries"
        if not seen:
            return f"None of the {n:,} {what} is in the fit corpus."
        if self.data.metric == ACCURACY.name:
            return "Each fold's calibrator is fitted without the texts of that fold."
        return (
            f"{TRANSDUCTIVE}: {seen:,} of {n:,} {what} are in the fit corpus, without their "
            f"{self.metric.gold}."
        )

    @property
    def about(self) -> dict[str, str]:
        """Sentences on the data and the vectors, by subject; empty ones are left out."""
        cut = f"{self.cut_remark}." if self.recipe.source.has_words else ""
        texts = {"fitted": f"Fitted on {self.corpus.description}", "seen": self.seen_remark}
        texts |= {"sides": self.sides_remark, "cut": cut, "chat": self.chat_remark}
        return {key: text for key, text in texts.items() if text}

    def under(self, spec: str, *, device: str | None = None) -> "Evaluation":
        """Fit one calibrator on the corpus, then map and score the pairs."""
        recipe = self.recipe.with_(calibrator=spec)
        share = self.corpus.share
        calibrator = recipe.spec.build(seed=recipe.seed, device=device, share=share)
        start = context.seconds()
        calibrator.fit(self.x_fit, precision=self.encoder.get("dtype"))
        return self.mapped(calibrator, recipe, seconds=context.seconds() - start)

    def mapped(self, calibrator: "Calibrator", recipe: Recipe, *, seconds: float) -> "Evaluation":
        """Map and score the pairs under a calibrator that was fitted in so many seconds.

        Single texts and collections have the cosines of random pairs.
        """
        start, sides = context.seconds(), (self.x_first, self.x_second)
        z_first, z_second = map(calibrator.transform, sides)
        transformed = context.seconds()
        every = np.concatenate([z_first, z_second])[: len(self.x_texts)]
        name = recipe.similarity if isinstance(self.data, Pairs) else Recipe.similarity
        compare = partial(of_pairs, similarity=name)
        similarity = compare(z_first, z_second)
        error = rounding_error(calibrator.transform, *sides, compare)
        if name == "csls":
            near = self._nearness(every, calibrator.transform(self.x_fit))
            similarity -= near[: len(z_first)] + near[len(z_first) :]
            error *= 2  # the two neighbourhoods are means of cosines, too
        return Evaluation(
            recipe=recipe,
            embedded=self,
            calibrator=calibrator,
            similarity=similarity,
            error=error,
            random_cosine=random_pair_cosine(every, seed=recipe.seed),
            seconds={
                "embed": round(self.seconds, 4),
                "fit": round(seconds, 4),
                "transform": round(transformed - start, 4),
            },
        )

    def _nearness(self, z: FloatArray, z_fit: FloatArray) -> FloatArray:
        """Return the nearness of each mapped text to the distinct other texts of the fit corpus."""
        texts = self.corpus.sentences
        rows = distinct_rows(texts)
        place = {texts[row]: i for i, row in enumerate(rows)}
        return nearness(z, z_fit[rows], [place.get(text, -1) for text in self.data.texts])


class Scored:
    """An object with scores of a recipe's pairs: an evaluation, or a baseline without vectors."""

    recipe: Recipe
    scores: PairScores
    unit_values: FloatArray

    @property
    def metric(self) -> Metric:
        """The metric of the pairs or texts."""
        return next(each for each in METRICS.values() if isinstance(self.scores, each.kind))

    @property
    def score(self) -> float | None:
        """The metric's value under the recipe's aggregation."""
        score: float | None = getattr(self.scores.main, self.recipe.aggregation)
        return score

    def measure(self, name: str) -> float | None:
        """Return one of the measures under the recipe's aggregation, or None."""
        measure = self.scores.measures.get(name)
        return None if measure is None else getattr(measure, self.recipe.aggregation)

    def scores_document(self) -> dict[str, Any]:
        """Return scores for JSON: a correlation in all its fields, other metrics as one number."""
        if self.metric is RHO:
            return self.scores.to_dict()
        name, full = next(iter(self.scores.measures)), asdict(self.scores.main)
        beside = {f"{name}_{key}": value for key, value in full.items()}
        rest = {f"{name}_{key}": self.measure(key) for key in [*self.scores.measures][1:]}
        return {f"n_{self.metric.unit}": self.scores.n_pairs, name: self.score, **beside, **rest}


@dataclass(frozen=True)
class Evaluation(Scored):
    """The pairs under one fitted calibrator: their scores, and everything these depend on.

    `seconds` has the times to embed, fit and transform. Those to fit and transform leave out the
    import and compilation of code.

    Example:
        >>> from bertflow_core import Lab, Recipe
        >>> (evaluation,) = Lab().evaluate([Recipe(dataset="teaching")])
        >>> evaluation.spec, evaluation.similarity.shape == (len(evaluation.embedded.data),)
        ('identity', True)
    """

    recipe: Recipe
    embedded: Embedded  # what the calibrator was fitted on and what it maps
    calibrator: "Calibrator" = field(repr=False)
    similarity: FloatArray = field(repr=False)  # of each pair, shape (N,); cosine by default
    error: float  # of the similarities, from rounding; those within it of each other are ties
    random_cosine: float  # mean of 10,000 random pairs of the scored sentences: high in a cone
    seconds: dict[str, float]

    @cached_property
    def scores(self) -> PairScores:  # type: ignore[override]
        """Agreement of similarity with people: correlations with gold scores, or AUC of labels.

        Labelled texts have accuracy or v-measure, and collections a metric of retrieval. Without
        gold scores and labels every value is None.
        """
        data, metric = self.embedded.data, self.embedded.metric
        if data.targets is None:
            return undefined(StsScores, len(data) if isinstance(data, Pairs) else 0)
        if np.isnan(self.unit_values).any():
            return undefined(metric.kind, data.n_units, data.subsets)
        return metric.score(self.unit_values, data.targets, data.subsets)

    @cached_property
    def unit_values(self) -> FloatArray:  # type: ignore[override]
        """The values that the metric scores, as `evaluation.units` has them; pairs have ties.

        They are NaN if the map ranks nothing. No calibrator is fitted on held-out texts. They are
        computed on first use, since a classifier takes seconds.
        """
        embedded, data = self.embedded, self.embedded.data
        if data.metric in (RHO.name, AUC.name):
            return self._with_ties
        from sklearn.base import clone  # late: slow to import

        z, seed = self.calibrator.transform(embedded.x_texts), self.recipe.seed

        def without(held_out: NDArray[np.bool_]) -> FloatArray:
            x_fit = embedded.x_fit[embedded.fit_rows_without(held_out)]
            fresh = clone(self.calibrator).fit(x_fit, precision=embedded.encoder.get("dtype"))
            found: FloatArray = fresh.transform(embedded.x_texts)
            return found

        refit = without if embedded.n_seen else None
        values = unit_values(
            data,
            *data.compared(z),
            seed=seed,
            similarity=self.recipe.similarity,
            without=refit,
        )
        return np.full_like(values, np.nan) if self.ranks_nothing else values

    @cached_property
    def ranks_nothing(self) -> bool:
        """Whether most of the scored similarities differ only by rounding error.

        The texts that a classifier is scored on are not in its fit, so their vectors differ.
        """
        data = self.embedded.data
        if data.metric == ACCURACY.name:
            return False
        values = self._with_ties
        if isinstance(data, Collection):  # a random document, since the first may be its own text
            queries, documents = data.compared(self.embedded.x_texts)
            rng = np.random.default_rng(self.recipe.seed)
            drawn = documents[rng.integers(len(documents), size=len(queries))]
            values = mapped_cosines(self.calibrator.transform, queries, drawn)
        return bool(np.isnan(values).any())

    @cached_property
    def _with_ties(self) -> FloatArray:
        is_bounded = self.recipe.similarity in BOUNDED or not isinstance(self.embedded.data, Pairs)
        return with_ties(self.similarity, self.error, bounded=is_bounded)

    def on(self, embedded: Embedded) -> "Evaluation":
        """Score the pairs of `embedded` under its recipe, by the same fit."""
        return embedded.mapped(self.calibrator, embedded.recipe, seconds=self.seconds["fit"])

    @property
    def spec(self) -> str:
        """The calibrator's spec, as given in the recipe."""
        return self.recipe.calibrator

    @property
    def rho(self) -> float:
        """Spearman's rho of similarity with gold scores under the recipe's aggregation, in [-1, 1].

        Raises:
            InputError: The pairs have no gold scores, or all scores of a subset are equal.
        """
        rho = self.measure("spearman")
        if rho is None:
            raise InputError(
                f"{self.spec}: {RANKS_NOTHING}"
                if self.ranks_nothing
                else why_unscored(self.embedded.data)
            )
        return rho

    @property
    def too_few(self) -> str:
        """A warning that the pairs are too few for a precise score; empty if they suffice."""
        return too_few(self.score, self.embedded.data, self.metric)

    @property
    def z(self) -> tuple[FloatArray, FloatArray]:
        """The calibrated vectors of the pairs' first and second sentences, shape (N, K) each."""
        x = self.embedded.x_first, self.embedded.x_second
        return self.calibrator.transform(x[0]), self.calibrator.transform(x[1])

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the fit for the user, one sentence each, without full stops."""
        notes = *self.calibrator.notes_, *preset_note(self.recipe)
        if self.ranks_nothing:
            notes = (RANKS_NOTHING, *notes)
        steps = getattr(self.calibrator, "steps", [self.calibrator])
        if self.embedded.corpus.share == 1 or not any(hasattr(each, "epochs") for each in steps):
            return notes
        return (
            *notes,
            "its epochs count passes over the whole corpus, though it was fitted on a sample",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what the command line prints, JSON-serializable."""
        embedded = self.embedded
        return {
            "spec": str(self.spec),
            "recipe": self.recipe.to_dict(),
            "fingerprint": self.recipe.fingerprint(),
            "parameters": self.calibrator.resolved_parameters(),
            "dataset": self.recipe.dataset,
            "split": self.recipe.split,
            **self.scores_document(),
            "random_cosine": self.random_cosine,
            "n_sentences": embedded.n_sentences,
            "n_cut": embedded.n_cut,
            "fit_corpus": {
                "description": embedded.corpus.description,
                "n_sentences": len(embedded.corpus),
                "n_scored_among": embedded.n_seen,
                "sources": [source.to_dict() for source in embedded.corpus.sources],
            },
            "data": embedded.data.provenance.to_dict(),
            "encoder": embedded.encoder,
            "notes": list(self.notes),
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Fitted:
    """A fitted calibrator, its corpus, and its recipe with the hub commit that was used."""

    calibrator: "Calibrator"
    corpus: Corpus
    recipe: Recipe


def _partners(n: int, *, seed: int) -> NDArray[np.int64]:
    """Return a random partner for each of `n` >= 2 rows: another row, each used once."""
    order = np.random.default_rng(seed).permutation(n)
    partners = np.empty_like(order)
    partners[order] = np.roll(order, 1)
    return partners


def _text_around(encoder: Mapping[str, Any]) -> str:
    """Return the template or the prompt of an encoder's description, and its route."""
    if encoder.get("template"):
        return f"the template {quoted(encoder['template'])}"
    prompt = encoder.get("prompt")
    text = f"the prompt {quoted(prompt)}" if prompt else "no prompt"
    route = encoder.get("route")
    return f"{text} by the route {quoted(route)}" if route else text
