"""One cell of a comparison: what one fitted calibrator gives on one data set."""

from dataclasses import asdict, dataclass, field
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.evaluation.sts import PairScores, read_scores
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

__all__ = ["Cell"]


@dataclass(frozen=True)
class Cell:
    """The numbers of one calibrator, fitted once, on one data set.

    Attributes:
        recipe: What decides the numbers, with the hub commit of the model.
        scores: Agreement of cosine with gold scores or labels, every aggregation.
        similarity: Cosine of each pair, shape (N,).
        random_cosine: Mean cosine of 10,000 random pairs of the scored sentences.
        rank_lost: Dimensions of the embeddings that the map discards.
        round_trip: Largest relative error of mapping there and back; None where the map cannot be
            inverted.
        fitted_on: Description of the fit corpus.
        n_cut: Distinct sentences that were longer than the maximum length.
        n_sentences: Distinct sentences.
        notes: Notes of the fit, one sentence each.
        seconds: Time to embed, fit and transform.
    """

    recipe: Recipe
    scores: PairScores
    similarity: FloatArray = field(repr=False)
    random_cosine: float
    rank_lost: int
    round_trip: float | None
    fitted_on: str
    n_cut: int
    n_sentences: int
    notes: tuple[str, ...]
    seconds: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the similarities, JSON-able."""
        values = asdict(self)
        del values["similarity"]
        return values | {"recipe": self.recipe.to_dict(), "notes": list(self.notes)}

    @classmethod
    def from_dict(cls, values: dict[str, Any], similarity: FloatArray) -> "Cell":
        """Read what `to_dict` returned.

        Raises:
            InputError: Not such a mapping.
        """
        try:
            read = {
                "recipe": Recipe.from_dict(values["recipe"]),
                "scores": read_scores(values["scores"]),
                "notes": tuple(values["notes"]),
                "similarity": similarity,
            }
            return cls(**{**values, **read})
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"not a stored cell of a comparison ({quoted(error)})") from error
