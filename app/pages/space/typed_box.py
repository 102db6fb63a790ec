"""The box of typed sentences: an example to begin with, the text, and what is wrong with it."""

from dataclasses import dataclass

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import problem

from bertflow_core.errors import InputError
from bertflow_core.studies.playground import (
    MAX_CHARACTERS,
    MAX_SENTENCES,
    MIN_SENTENCES,
    Example,
    examples,
    read_lines,
)

MAX_BOX = 120_000
_LAST_READ = "typed_last_read"


@dataclass(frozen=True)
class TypedText:
    """What the box gives to the page."""

    example: Example  # what it began with
    sentences: tuple[str, ...]  # what was typed, or the last of it that could be read
    is_read: bool  # whether they are what the box holds now


def typed_box() -> TypedText:
    """Let the visitor type sentences, beginning with an example; say what is wrong with them."""
    known = examples()
    title = st.segmented_control(
        "Begin with",
        list(known),
        default=next(iter(known)),
        required=True,
        key="preset",
        bind="query-params",
        help="Fills the box with sentences that are a test of meaning; change them as you like. "
        "What you type under one example is kept while you look at another.",
    )
    example, key = known[title], f"typed {title}"
    begins = "\n".join(example.sentences)
    about = st.container()
    text = st.text_area(
        f"Sentences, one per line: {MIN_SENTENCES} to {MAX_SENTENCES}, each of at most "
        f"{MAX_CHARACTERS} characters",
        begins,
        max_chars=MAX_BOX,
        height=180,
        key=key,
        persist_state="session",
        help="They stay in the server's memory: unlike those of a data set they are not stored on "
        "its disk, and they are not part of the address.",
    )
    with about:
        if text == begins:
            st.write(example.watch)
        else:
            st.button(
                "Start over from the example",
                icon=":material/undo:",
                on_click=state.choose,
                kwargs={key: begins},
                help=f"Fills the box with the example {title}.",
            )
    try:
        sentences = read_lines(text or "")
    except InputError as error:
        problem(error)
        return TypedText(example, read_lines(str(state.held(_LAST_READ) or begins)), is_read=False)
    state.choose(**{_LAST_READ: text})
    return TypedText(example, sentences, is_read=True)
