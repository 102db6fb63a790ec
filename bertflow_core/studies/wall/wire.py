"""Numbers for a picture in the browser, as bytes that wire.js reads.

A payload is a little-endian uint32 with the header's length, the header in JSON, then the arrays at
the offsets that it names, from its end on. Header and arrays fill multiples of 4 bytes, so that the
browser can read them in place.
"""

import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Body", "header_of", "write_payload"]


class Body:
    """Arrays one after the other, each filled up to a multiple of 4 bytes."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._length = 0

    def add(self, part: bytes) -> int:
        """Append bytes and return their offset."""
        offset = self._length
        padded = part + bytes(-len(part) % 4)
        self.parts.append(padded)
        self._length += len(padded)
        return offset

    def floats(self, values: npt.NDArray[Any]) -> int:
        """Append numbers as float32 and return their offset."""
        return self.add(np.ascontiguousarray(values, "<f4").tobytes())


def write_payload(header: dict[str, Any], body: Body) -> bytes:
    """Return a header and the arrays that it names."""
    written = json.dumps(header).encode()
    written += b" " * (-len(written) % 4)
    return b"".join([struct.pack("<I", len(written)), written, *body.parts])


def header_of(payload: bytes) -> dict[str, Any]:
    """Return the header of what `write_payload` wrote."""
    (length,) = struct.unpack_from("<I", payload)
    header: dict[str, Any] = json.loads(payload[4 : 4 + length])
    return header
