"""The Playground's tables of records: headings in words, and number formats.

Files keep the names that programs read.
"""

from collections.abc import Mapping, Sequence

import streamlit as st
from bertflow_app.parts.components import cell

_HEADINGS = {
    "a": "No. A",
    "b": "No. B",
    "sentence_a": "Sentence A",
    "sentence_b": "Sentence B",
}
_PINNED = ("a", "b")
"""Which sentences a row is of: they stay where a wide table is scrolled."""


def heading(name: str) -> str:
    """Return the name of a record's column in words, for example `Edit distance`."""
    words = name.replace("_", " ")
    return _HEADINGS.get(name, words[:1].upper() + words[1:])


def records_table(
    records: Sequence[Mapping[str, object]], *, formats: Mapping[str, str], alt: str
) -> None:
    """Show records whose texts may be untrusted, under headings in words.

    Args:
        records: One per row.
        formats: How the numbers of a column are written, as of printf.
        alt: What the table shows, for those who cannot see it.
    """
    st.dataframe(
        [{k: cell(v) if isinstance(v, str) else v for k, v in each.items()} for each in records],
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(
                heading(name), format=formats.get(name), pinned=name in _PINNED
            )
            if name in formats or name in _PINNED
            else heading(name)
            for name in records[0]
        },
        alt=alt,
    )
