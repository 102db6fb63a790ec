"""The panes, colours and texts of a wall as bytes for payload.js.

A payload is a little-endian uint32 with the header's length, the header in JSON, and the arrays at
the offsets in the header, counted from its end. Header and arrays are padded to multiples of 4
bytes, so that the browser can read them in place. Equal input gives equal bytes, so that Streamlit
sends a known wall only as a reference.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.layout import Faithfulness
from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.analysis.topics import Topic
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall.spaces import Axis
from bertflow_core.wording import quoted

_SHOWN_CHARACTERS = 500
_MAX_LABEL_CHARACTERS = 100
_MAX_WORD_CHARACTERS = 24


@dataclass(frozen=True, eq=False)
class PanePicture:
    """One drawn pane: a projection of a space."""

    name: str  # the content, such as the calibrator
    badge: str  # the space of the distances
    axes: tuple[str, str]  # their titles
    coordinates: FloatArray = field(repr=False)  # positions of the rows, shape (N, 2), finite
    explained: tuple[float, ...] | None = None  # share of each axis, as `Projection` has it
    faithfulness: Faithfulness | None = None  # None if not requested
    topics: Sequence[Topic] = field(default=(), repr=False)  # its named regions


def encode(
    panes: Sequence[PanePicture],
    columns: Sequence[Axis],
    texts: Sequence[str],
    *,
    ids: Sequence[str],
    neighbours: Sequence[Neighbours] = (),
) -> bytes:
    """Encode plots of the same N rows; the first column is the default colour.

    A visitor's selection and zoom stay as long as the ids do. Without `neighbours`, the server
    searches for them.
    """
    parts: list[bytes] = []

    def add(values: npt.NDArray[Any], kind: str = "<f4") -> int:
        """Append numbers, padded to a multiple of 4 bytes, and return their offset."""
        part, offset = values.astype(kind).tobytes(), sum(map(len, parts))
        parts.append(part + bytes(-len(part) % 4))
        return offset

    def finite(values: npt.NDArray[Any], what: str, *, may_miss: bool = False) -> int:
        """Append finite numbers, or NaN where values may be missing."""
        with np.errstate(over="ignore"):
            held = np.asarray(values, np.float32)
        if np.isinf(held).any() or (not may_miss and np.isnan(held).any()):
            raise InputError(f"{what} has numbers that are not finite")
        return add(held)

    drawn = [
        {
            "name": pane.name,
            "badge": pane.badge,
            "axes": list(pane.axes),
            "planes": [finite(plane, f"pane {quoted(pane.name)}") for plane in pane.coordinates.T],
            "topics": [
                {
                    "zoom": topic.zoom,
                    "text": ", ".join(word[:_MAX_WORD_CHARACTERS] for word in topic.words),
                    "place": topic.place,
                }
                for topic in pane.topics
            ],
        }
        for pane in panes
    ]
    colours = [
        {
            "name": column.name,
            "unit": column.unit,
            "labels": [label[:_MAX_LABEL_CHARACTERS] for label in column.labels],
            "rows": [
                finite(row, f"column {quoted(column.name)}", may_miss=True)
                for row in np.atleast_2d(column.values)
            ],
        }
        for column in columns
    ]
    cut = [t if len(t) <= _SHOWN_CHARACTERS else t[: _SHOWN_CHARACTERS - 1] + "…" for t in texts]
    shown = [text.encode("utf-8", "replace") for text in cut]
    header = {
        "n": len(texts),
        "ids": _digest(text.encode("utf-8", "replace") for text in ids),
        "panes": drawn,
        "columns": colours,
        "neighbours": [
            {"k": each.rows.shape[1], "rows": add(each.rows, "<u4"), "values": add(each.values)}
            for each in neighbours
        ],
        "text_offsets": add(np.cumsum([0, *map(len, shown)]), "<u4"),
        "text_bytes": add(np.frombuffer(b"".join(shown), np.uint8), "u1"),
    }
    header["content"] = _digest([json.dumps(header).encode(), *parts])
    written = json.dumps(header, allow_nan=False).encode()
    written += b" " * (-len(written) % 4)
    return b"".join([struct.pack("<I", len(written)), written, *parts])


def with_key(payload: bytes, key: str) -> bytes:
    """Return a payload with the key of its wall appended, as the browser reads it."""
    name = key.encode()
    return payload + name + struct.pack("<I", len(name))


def header_of(payload: bytes) -> dict[str, Any]:
    """Return the header of a result of `encode`."""
    (length,) = struct.unpack_from("<I", payload)
    header: dict[str, Any] = json.loads(payload[4 : 4 + length])
    return header


def _digest(parts: Iterable[bytes]) -> str:
    """Return a digest of parts that also depends on where one part ends and the next begins."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(struct.pack("<Q", len(part)) + part)
    return digest.hexdigest()
