"""The figure of similarities beside edit distances, from what was compared; for pages and files."""

from bertflow_core.figures import Figure, similarity_panels
from bertflow_core.linalg import sample_rows
from bertflow_core.studies.lexical.measure import GOLD, LexicalBias

__all__ = ["LEXICAL_FIGURES", "lexical_figures", "panels"]

LEXICAL_FIGURES = ("similarity_panels",)
"""The names of the figures."""


def lexical_figures(found: LexicalBias) -> dict[str, Figure]:
    """Return every figure by name."""
    return dict(zip(LEXICAL_FIGURES, [panels(found)], strict=True))


def panels(found: LexicalBias, *, at_most: int | None = None) -> Figure:
    """Draw Figure 2 of the paper, a panel for gold and each calibrator.

    Args:
        found: Similarities beside edit distances.
        at_most: Of more pairs a seeded sample is drawn; None draws all.
    """
    pairs, n = found.pairs, len(found.pairs)
    rows = sample_rows(n, n if at_most is None else at_most, seed=found.recipe.seed)
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    return similarity_panels(
        {name: values[rows] for name, values in {**gold, **found.similarities}.items()},
        found.distances[rows],
        threshold=found.threshold,
        texts=[f"{pairs.first[row]} | {pairs.second[row]}" for row in rows],
    )
