"""A wall's payload for a place without a server: it holds the neighbours of every row."""

from collections.abc import Mapping, Sequence

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.loadings import words_of
from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.wall.drawing import (
    PanePicture,
    draw_spaces,
    faithfulness_column,
    pictures,
)
from bertflow_core.studies.wall.nearest import all_neighbours
from bertflow_core.studies.wall.parts import check_number
from bertflow_core.studies.wall.payload import encode
from bertflow_core.studies.wall.recipe import Picture
from bertflow_core.studies.wall.row_properties import Column, number_column
from bertflow_core.studies.wall.spaces import Wall
from bertflow_core.studies.wall.topics import name_regions, wall_topics
from bertflow_core.wording import quoted

__all__ = ["MAX_ROWS_ALONE", "check_rows", "vectors_payload", "wall_payload"]

MAX_ROWS_ALONE = 20_000

_N_NEIGHBOURS = 10


def wall_payload(
    wall: Wall,
    picture: Picture,
    *,
    drawn: Sequence[PanePicture] = (),
) -> bytes:
    """Return a wall as the browser reads it.

    Args:
        wall: The spaces.
        picture: How they are drawn.
        drawn: What `pictures` returned for this picture; drawn here where it is empty.

    Raises:
        InputError: Too many rows.
        ResourceError: UMAP's process ended early, or the disk refused.
    """
    check_rows(len(wall.rows))
    drawn = drawn or pictures(wall, picture)
    share = faithfulness_column(drawn)
    columns = [*wall.columns, *([] if share is None else [share])]
    return encode(
        drawn,
        sorted(columns, key=lambda column: "frequency" not in column.name),  # the cone's, first
        wall.rows.texts,
        ids=wall.rows.names,
        caption=" ".join(wall.remarks(picture)),
        neighbours=_neighbours([space.z for space in wall.spaces], picture.metric),
        topics=wall_topics(wall, drawn),
    )


def vectors_payload(
    spaces: Mapping[str, FloatArray],
    texts: Sequence[str],
    picture: Picture,
) -> bytes:
    """Return a wall of given vectors as the browser reads it.

    Args:
        spaces: Vectors of the same N rows by the name of the pane, shape (N, D); one to six.
        texts: One per row.
        picture: How they are drawn.

    Raises:
        InputError: No such arrays, or too many rows.
        ResourceError: UMAP's process ended early, or the disk refused.
    """
    check_number(len(spaces))
    check_rows(len(texts))
    arrays = {name: _checked(name, z, len(texts)) for name, z in spaces.items()}
    panes = [(name, f"{z.shape[1]} dims, {picture.metric}", z) for name, z in arrays.items()]
    drawn = draw_spaces(panes, picture)
    return encode(
        drawn,
        _columns(list(arrays.values()), texts),
        texts,
        ids=[f"{place}: {text}" for place, text in enumerate(texts)],
        caption=f"{len(texts):,} rows. {picture.caption()}.",
        neighbours=_neighbours(list(arrays.values()), picture.metric),
        topics=name_regions(texts, drawn, seed=picture.seed),
    )


def check_rows(n_rows: int) -> None:
    """Refuse more rows than a wall without a server may hold.

    Raises:
        InputError: There are more.
    """
    if n_rows > MAX_ROWS_ALONE:
        raise InputError(
            f"a wall without a server holds at most {MAX_ROWS_ALONE:,} rows, got {n_rows:,}: show "
            "fewer"
        )


def _checked(name: str, z: FloatArray, n_rows: int) -> FloatArray:
    """Return vectors as float32.

    Raises:
        InputError: They are no array of finite numbers with a row for each text.
    """
    try:
        array = np.asarray(z, np.float32)
    except (TypeError, ValueError):
        array = np.empty(0, np.float32)
    if array.ndim != 2 or len(array) != n_rows or n_rows < 2 or not np.isfinite(array).all():
        raise InputError(
            f"{quoted(str(name))} needs finite vectors of shape ({n_rows}, D), one per text and at "
            f"least two, got {array.shape}"
        )
    return array


def _columns(arrays: Sequence[FloatArray], texts: Sequence[str]) -> list[Column]:
    words = [sum(word[0].isalnum() for word in words_of(text)) for text in texts]
    norms = np.stack([np.linalg.norm(z, axis=1) for z in arrays])
    return [number_column("length", words, "words"), number_column("norm", norms, "L2")]


def _neighbours(spaces: Sequence[FloatArray], metric: str) -> list[Neighbours]:
    """Return the neighbours of every row by pane; equal panes share a space, and so these."""
    found: dict[int, Neighbours] = {}
    for place, z in enumerate(spaces):
        if id(z) not in found:
            with context.in_space(place, len(spaces)):
                found[id(z)] = all_neighbours(z, _N_NEIGHBOURS, metric)
    return [found[id(z)] for z in spaces]
