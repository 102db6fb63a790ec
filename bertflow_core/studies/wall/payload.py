"""The panes, colours and texts of a wall as bytes, which payload.js reads.

Equal input gives equal bytes: Streamlit then sends a wall that the browser has as a reference.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.analysis.topics import Topic
from bertflow_core.studies.wall.parts import (
    Categories,
    ColumnView,
    check_neighbours,
    check_views,
)
from bertflow_core.studies.wall.scatter import Scatter
from bertflow_core.studies.wall.wire import Body, header_of, write_payload

__all__ = ["Shape", "encode", "shape_of", "with_key"]

_SHOWN_CHARACTERS = 500
_MAX_LABEL_CHARACTERS = 100
_MAX_WORD_CHARACTERS = 24
_DIGEST_BYTES = 16


@dataclass(frozen=True)
class Shape:
    """What a report from the browser is checked against: rows, their digest, and panes."""

    n_rows: int
    ids: str
    n_panes: int


def encode(
    panes: Sequence[Scatter],
    columns: Sequence[ColumnView],
    texts: Sequence[str],
    *,
    ids: Sequence[str],
    caption: str = "",
    neighbours: Sequence[Neighbours] = (),
    topics: Sequence[Sequence[Topic]] = (),
) -> bytes:
    """Write a wall.

    Args:
        panes: 1 to 6 plots of the same N rows, all in 2 or all in 3 dimensions.
        columns: What to colour by; the first is chosen at first.
        texts: One text per row, shown in full up to 500 characters.
        ids: What names each row. While they stay the same, so do a visitor's selection and zoom.
        caption: The recipe, which a saved picture carries.
        neighbours: Of every row, in each pane's full space: rows and, as they are shown, values of
            shape (N, k). Where there are none, the server looks for them.
        topics: Named regions by pane; none where it is empty.

    Raises:
        InputError: Too many panes, rows or columns, none at all, or arrays that do not fit.
    """
    n_rows, dims = check_views(panes, columns, texts, ids)
    check_neighbours(neighbours, len(panes), n_rows)
    body = Body()
    drawn = [
        {
            "name": pane.name,
            "badge": pane.badge,
            "axes": list(pane.axes),
            "equal_scale": pane.equal_scale,
            "planes": [body.floats(pane.coordinates[:, d]) for d in range(dims)],
            "topics": [_topic(topic) for topic in named],
        }
        for pane, named in zip(panes, topics or [()] * len(panes), strict=True)
    ]
    colours = [
        {
            "name": column.name,
            "unit": column.unit,
            "labels": [label[:_MAX_LABEL_CHARACTERS] for label in column.labels],
            "colours": list(column.colours) if isinstance(column, Categories) else [],
            "rows": [body.floats(row) for row in np.atleast_2d(column.values)],
        }
        for column in columns
    ]
    shown = [_shown(text) for text in texts]
    ends = np.cumsum([0, *map(len, shown)], dtype=np.uint32)
    header = {
        "n": n_rows,
        "dims": dims,
        "ids": _digest(text.encode("utf-8", "replace") for text in ids),
        "caption": caption,
        "panes": drawn,
        "columns": colours,
        "neighbours": [
            {
                "k": each.rows.shape[1],
                "rows": body.add(each.rows.astype("<u4").tobytes()),
                "values": body.floats(each.values),
            }
            for each in neighbours
        ],
        "text_offsets": body.add(ends.astype("<u4").tobytes()),
        "text_bytes": body.add(b"".join(shown)),
    }
    header["content"] = _digest([json.dumps(header).encode(), *body.parts])
    return write_payload(header, body)


def with_key(payload: bytes, key: str) -> bytes:
    """Return a payload with the name of its wall behind it, as the browser reads it."""
    name = key.encode()
    return payload + name + struct.pack("<I", len(name))


def shape_of(payload: bytes) -> Shape:
    """Return what `encode` wrote of a wall's rows and panes."""
    header = header_of(payload)
    return Shape(header["n"], header["ids"], len(header["panes"]))


def _topic(topic: Topic) -> dict[str, Any]:
    text = ", ".join(word[:_MAX_WORD_CHARACTERS] for word in topic.words)
    return {"zoom": topic.zoom, "text": text, "place": topic.place}


def _shown(text: str) -> bytes:
    cut = text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
    return cut.encode("utf-8", "replace")


def _digest(parts: Iterable[bytes]) -> str:
    """Return a digest in which no two lists of parts are the same text."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        digest.update(struct.pack("<Q", len(part)))
        digest.update(part)
    return digest.hexdigest()
