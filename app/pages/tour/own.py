"""The learner's own sentences: typed in the first step, told in those on sentences."""

import streamlit as st
from bertflow_app import state

from bertflow_core.studies.tour.lesson import MAX_CHARACTERS, MAX_OWN

_CHOSEN = "tour_own"
_EXAMPLES = (
    "A dog runs on the beach.",
    "A puppy plays near the sea.",
    "The bank raised its rates.",
)


def own_sentences() -> tuple[str, ...]:
    """Return the sentences that are told; none before the visitor typed some."""
    return tuple(state.chosen(_CHOSEN))


def own_form() -> None:
    """Let the visitor type sentences."""
    with st.form("tour-own", border=True):
        st.markdown(
            f"**Sentences of your own**, 2 or {MAX_OWN} (optional): the steps tell their cosines."
        )
        for i, example in enumerate(_EXAMPLES, start=1):
            st.text_input(
                f"Sentence {i}",
                key=_box(i),
                max_chars=MAX_CHARACTERS,
                persist_state="session",
                placeholder=example,
                help="Any English text. Two near in meaning and one far make a good test.",
            )
        st.form_submit_button(
            "Take them along",
            icon=":material/star:",
            on_click=_keep,
            help="Embeds them and computes the tour again with them, in a minute or two. Leave all "
            "empty to take them out.",
        )


def _box(i: int) -> str:
    return f"tour_own_{i}"


def _keep() -> None:
    typed = (state.typed(_box(i)).strip() for i in range(1, MAX_OWN + 1))
    state.choose(**{_CHOSEN: [text for text in typed if text]})
