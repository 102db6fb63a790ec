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
    Preset,
    load_presets,
    read_lines,
)

MAX_BOX = 120_000
LAST_READ = "typed_last_read"


@dataclass(frozen=True)
class TypedText:
    """What the box gives to the page.

    Attributes:
        preset: What it began with.
        sentences: What was typed, or the last of it that could be read.
        is_read: Whether they are what the box holds now.
    """

    preset: Preset
    sentences: tuple[str, ...]
    is_read: bool


def typed_box() -> TypedText:
    """Let the visitor type sentences, beginning with an example; say what is wrong with them."""
    preset = _preset()
    about = st.container()
    text = _text(preset)
    try:
        found = TypedText(preset, read_lines(text), is_read=True)
    except InputError as error:
        problem(error)
        found = TypedText(preset, _last_read(preset), is_read=False)
    else:
        state.choose(**{LAST_READ: text})
    with about:
        if found.is_read and found.sentences == preset.sentences:
            _about_example(preset)
        else:
            _about_own(preset)
    return found


def _preset() -> Preset:
    presets = load_presets()
    title = st.segmented_control(
        "Begin with",
        list(presets),
        default=next(iter(presets)),
        required=True,
        key="preset",
        bind="query-params",
        help="Fills the box with sentences that are a test of meaning; change them as you like. "
        "What you type under one example is kept while you look at another.",
    )
    return presets[title]


def _text(preset: Preset) -> str:
    text = st.text_area(
        f"Sentences, one per line: {MIN_SENTENCES} to {MAX_SENTENCES}, each of at most "
        f"{MAX_CHARACTERS} characters",
        _example(preset),
        max_chars=MAX_BOX,
        height=180,
        key=_box_key(preset),
        persist_state="session",
        help="They stay in the server's memory: unlike those of a data set they are not stored on "
        "its disk, and they are not part of the address.",
    )
    return text or ""


def _example(preset: Preset) -> str:
    return "\n".join(preset.sentences)


def _box_key(preset: Preset) -> str:
    return f"typed {preset.title}"


def _own_key(preset: Preset) -> str:
    """Return where the visitor's own text waits while the example is back in the box."""
    return f"typed_own {preset.title}"


def _last_read(preset: Preset) -> tuple[str, ...]:
    return read_lines(state.typed(LAST_READ) or _example(preset))


def _about_example(preset: Preset) -> None:
    st.write(preset.watch)
    if state.typed(_own_key(preset)):
        st.button(
            "Bring back your own sentences",
            icon=":material/redo:",
            on_click=_bring_back,
            args=(preset,),
            help="Fills the box with what you had typed before you started over.",
        )


def _about_own(preset: Preset) -> None:
    st.write(f"The box holds your own sentences, no longer the example **{preset.title}**.")
    st.button(
        "Start over from the example",
        icon=":material/undo:",
        on_click=_start_over,
        args=(preset,),
        help=f"Fills the box with the example {preset.title}; yours can be brought back.",
    )


def _start_over(preset: Preset) -> None:
    own = state.typed(_box_key(preset))
    state.choose(**{_own_key(preset): own, _box_key(preset): _example(preset)})


def _bring_back(preset: Preset) -> None:
    state.choose(**{_box_key(preset): state.typed(_own_key(preset))})
