"""Figure 2 of the paper: cosine and gold against edit distance."""

from bertflow_core.figures import Figure, similarity_panels
from bertflow_core.linalg import sample_rows
from bertflow_core.studies.lexical.bias import GOLD, LexicalBias

__all__ = ["lexical_figures", "panels"]


def lexical_figures(bias: LexicalBias) -> dict[str, Figure]:
    """Return every figure by name."""
    return {"similarity_panels": panels(bias)}


def panels(bias: LexicalBias, *, at_most: int | None = None) -> Figure:
    """Draw Figure 2 of the paper: one panel for gold and one per calibrator.

    Args:
        bias: Cosines and edit distances.
        at_most: Most pairs to draw, chosen at random under the seed; None draws all.
    """
    pairs, n = bias.pairs, len(bias.pairs)
    rows = sample_rows(n, n if at_most is None else at_most, seed=bias.recipe.seed)
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    return similarity_panels(
        {name: values[rows] for name, values in {**gold, **bias.similarities}.items()},
        bias.apart[rows],
        near=bias.is_close[rows],
        threshold=bias.threshold,
        distance=bias.shown.label,
        texts=[f"{pairs.first[row]} | {pairs.second[row]}" for row in rows],
    )
