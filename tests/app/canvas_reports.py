"""What the browser would report of a canvas: selected rows, and a row that was clicked."""

import base64

import numpy as np

from bertflow_core.studies.wall.payload import header_of

__all__ = ["report"]


def report(page, key, *, selected=(), picked=None):
    """Report from the page's first canvas, whose key is given, and run the page."""
    header = header_of(page.get("bidi_component")[0].proto.bytes)
    found = {"ids": header["ids"], "picked": picked}
    if len(selected):
        bits = np.zeros(header["n"], bool)
        bits[list(selected)] = True
        packed = np.packbits(bits, bitorder="little").tobytes()
        found["selected"] = base64.b64encode(packed).decode()
    page.session_state[key] = {"report": found}
    page.run()
    assert not page.exception
