"""The panes, colours and texts of a wall as bytes, which payload.js reads.

A payload is a little-endian uint32 with the header's length, the header in JSON, then the arrays at
the offsets that it names, from its end on. Header and arrays fill multiples of 4 bytes, so that the
browser can read them in place. Equal input gives equal bytes: Streamlit then sends a wall that the
browser has as a reference.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.wall.parts import Column, Scatter
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.analysis.topics import Topic

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


class _Body:
    """Arrays one after the other, each filled up to a multiple of 4 bytes."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._length = 0

    def add(self, values: npt.NDArray[Any] | bytes, kind: str = "<f4") -> int:
        """Append numbers, or bytes as they are, and return their offset."""
        part = values if isinstance(values, bytes) else values.astype(kind).tobytes()
        offset = self._length
        padded = part + bytes(-len(part) % 4)
        self.parts.append(padded)
        self._length += len(padded)
        return offset


def encode(
    panes: Sequence[Scatter],
    columns: Sequence[Column],
    texts: Sequence[str],
    *,
    ids: Sequence[str],
    caption: str = "",
    neighbours: Sequence[Neighbours] = (),
    topics: "Sequence[Sequence[Topic]]" = (),
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
        InputError: Numbers that float32 cannot hold.
    """
    for pane in panes:
        _check(np.isfinite(_float32(pane.coordinates)), f"pane {quoted(pane.name)}")
    for column in columns:  # which may have NaN where a number is missing
        _check(~np.isinf(_float32(column.values)), f"column {quoted(column.name)}")
    body = _Body()
    drawn = [
        {
            "name": pane.name,
            "badge": pane.badge,
            "axes": list(pane.axes),
            "equal_scale": pane.equal_scale,
            "planes": [body.add(plane) for plane in pane.coordinates.T],
            "topics": [_topic(topic) for topic in named],
        }
        for pane, named in zip(panes, topics or [()] * len(panes), strict=True)
    ]
    colours = [
        {
            "name": column.name,
            "unit": column.unit,
            "labels": [label[:_MAX_LABEL_CHARACTERS] for label in column.labels],
            "colours": list(column.colours),
            "rows": [body.add(row) for row in np.atleast_2d(column.values)],
        }
        for column in columns
    ]
    shown = [_shown(text) for text in texts]
    ends = np.cumsum([0, *map(len, shown)])
    header = {
        "n": len(texts),
        "dims": len(panes[0].axes),
        "ids": _digest(text.encode("utf-8", "replace") for text in ids),
        "caption": caption,
        "panes": drawn,
        "columns": colours,
        "neighbours": [
            {
                "k": each.rows.shape[1],
                "rows": body.add(each.rows, "<u4"),
                "values": body.add(each.values),
            }
            for each in neighbours
        ],
        "text_offsets": body.add(ends, "<u4"),
        "text_bytes": body.add(b"".join(shown)),
    }
    header["content"] = _digest([json.dumps(header).encode(), *body.parts])
    written = json.dumps(header).encode()
    written += b" " * (-len(written) % 4)
    return b"".join([struct.pack("<I", len(written)), written, *body.parts])


def with_key(payload: bytes, key: str) -> bytes:
    """Return a payload with the name of its wall behind it, as the browser reads it."""
    name = key.encode()
    return payload + name + struct.pack("<I", len(name))


def header_of(payload: bytes) -> dict[str, Any]:
    """Return the header of what `encode` wrote."""
    (length,) = struct.unpack_from("<I", payload)
    header: dict[str, Any] = json.loads(payload[4 : 4 + length])
    return header


def shape_of(payload: bytes) -> Shape:
    """Return what `encode` wrote of a wall's rows and panes."""
    header = header_of(payload)
    return Shape(header["n"], header["ids"], len(header["panes"]))


def _float32(values: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float32)


def _check(is_good: npt.NDArray[np.bool_], what: str) -> None:
    """Refuse numbers that float32 cannot hold."""
    if not is_good.all():
        raise InputError(f"{what} has numbers that are not finite")


def _topic(topic: "Topic") -> dict[str, Any]:
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
