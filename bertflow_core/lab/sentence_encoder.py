"""An encoder as the first step of a scikit-learn pipeline: sentences in, embeddings out."""

from collections.abc import Sequence
from types import NoneType
from typing import Self

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags

from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import check_type
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.device import settle_precision


class SentenceEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Map sentences to the embeddings of a frozen encoder, without a fit.

    Args:
        model: Catalogue name, local folder or hub id.
        layers: Layer set; `model` is the plain output.
        tokens: Token pooling; None uses the recipe's default.
        max_length: Longest input in tokens; None uses the recipe's default.
        template: Text with `{text}` in place of the sentence; None for no template.
        revision: Commit, branch or tag of a hub model.
        precision: As in `Recipe`.
        lab: The lab that computes and stores embeddings; None is `Lab()`.

    Example:
        >>> from bertflow_core import SentenceEncoder
        >>> from bertflow_core.calibrators import Whiten
        >>> from sklearn.pipeline import make_pipeline
        >>> texts = ["A dog runs.", "Rain falls.", "A cat sleeps."]
        >>> pipeline = make_pipeline(SentenceEncoder("minilm"), Whiten(n_components=2))
        >>> pipeline.fit_transform(texts).shape
        (3, 2)
    """

    def __init__(
        self,
        model: str = Recipe.model,
        *,
        layers: str = "model",
        tokens: str | None = None,
        max_length: int | None = None,
        template: str | None = None,
        revision: str | None = None,
        precision: str = Recipe.precision,
        lab: Lab | None = None,
    ) -> None:
        self.model = model
        self.layers = layers
        self.tokens = tokens
        self.max_length = max_length
        self.template = template
        self.revision = revision
        self.precision = precision
        self.lab = lab

    def fit(self, X: Sequence[str], y: object = None) -> Self:
        """Check the choices; `y` is ignored.

        Raises:
            InputError: An invalid choice.
        """
        self._recipe()
        return self

    def transform(self, X: Sequence[str]) -> FloatArray:
        """Return the embeddings of N sentences, float32, shape (N, D).

        Raises:
            InputError: An unusable model, choice or sentence.
            ResourceError: The disk or the network failed.
        """
        check_type(self.lab, (Lab, NoneType), "lab", "a Lab, or None")
        lab = Lab() if self.lab is None else self.lab
        (found,) = lab.vectors([self._recipe(lab.device)], X)
        return found.x

    def _recipe(self, device: str | None = None) -> Recipe:
        fields = self.get_params(deep=False)
        del fields["lab"]
        for name in ("tokens", "max_length"):
            if fields[name] is None:
                del fields[name]
        return Recipe(**fields | {"precision": settle_precision(self.precision, device)})

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags
