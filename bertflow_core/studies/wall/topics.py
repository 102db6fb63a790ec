"""The names of the regions of a wall's pictures."""

from collections.abc import Sequence

from bertflow_core.analysis.topics import WIDEST, Topic, count_terms, topics_of
from bertflow_core.studies.wall.scatter import Scatter
from bertflow_core.studies.wall.spaces import Wall

__all__ = ["TOPICS_NOTE", "name_regions", "wall_topics"]

TOPICS_NOTE = (
    "Topic names: each pane's picture is cut into regions (k-means on its coordinates; parts near "
    f"each other are joined up to {100 * WIDEST:.0f} % of the picture's width, half of that at "
    "zoom 2, and so on to zoom 8). A region is named by the words that set its sentences apart "
    "from the other regions' (class-based tf-idf, Grootendorst, 2022; English function words are "
    "left out). They describe the picture, not the full space."
)
"""How the names are made."""


def wall_topics(wall: Wall, drawn: Sequence[Scatter]) -> list[tuple[Topic, ...]]:
    """Name the regions of every pane; of single words nothing is distinctive, so nothing is named.

    Args:
        wall: Whose sentences are shown.
        drawn: Its pictures.
    """
    if wall.recipe.of_words:
        return [() for _ in drawn]
    return name_regions(wall.rows.texts, drawn, seed=wall.recipe.base.seed)


def name_regions(
    texts: Sequence[str], drawn: Sequence[Scatter], *, seed: int
) -> list[tuple[Topic, ...]]:
    """Name the regions of pictures of the same texts."""
    terms = count_terms(texts)
    found: dict[int, tuple[Topic, ...]] = {}
    for pane in drawn:  # equal panes share a picture
        if id(pane.coordinates) not in found:
            found[id(pane.coordinates)] = topics_of(pane.coordinates, terms, seed=seed)
    return [found[id(pane.coordinates)] for pane in drawn]
