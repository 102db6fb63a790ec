"""Pairs that a visitor types: lines of text become a table like an uploaded one."""

import csv
import io

import streamlit as st
from bertflow_app import services, state
from bertflow_app.parts.components import problem
from bertflow_app.parts.recipe_picker import use_table
from bertflow_app.uploads import is_upload

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

MAX_CHARACTERS = 50_000
SCALE = "0,5"
FILE = "typed-pairs.csv"
EXAMPLE = (
    "I like this restaurant. | I dislike this restaurant. | 1.5\n"
    "He bought a car. | A vehicle was purchased by him. | 4.5\n"
    "The dog bit the man. | The man bit the dog. | 2"
)


def typed_pairs() -> None:
    """Let the visitor type pairs and use them as the data of every page."""
    with st.expander("Type your own pairs", icon=":material/edit:"):
        text = st.text_area(
            "One pair per line: first | second | gold",
            EXAMPLE,
            max_chars=MAX_CHARACTERS,
            height=120,
            key="typed_pairs",
            help="Gold scores, from 0 to 5, in every line or in none.",
        )
        with st.container(horizontal=True):
            st.button(
                "Use these pairs",
                icon=":material/check:",
                on_click=_use,
                help="They become a table of yours and the data of every page. Calibrators are "
                "still fitted on the present fit corpus: so few sentences do not describe a space. "
                "More, in the sidebar, changes that.",
            )
            try:
                table = as_table(text)
            except InputError as error:
                problem(error)
            else:
                _offer(table)


def _offer(table: bytes) -> None:
    st.download_button(
        "Save as a table",
        table,
        FILE,
        "text/csv",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
        help="The file that the command below reads.",
    )


def _use() -> None:
    try:
        table = as_table(state.typed("typed_pairs"))
    except InputError:
        return  # the page says why
    has_gold = b"score" in table.partition(b"\n")[0]
    now = state.current_recipe()
    use_table(
        services.uploads().add(FILE, table),
        scale=SCALE if has_gold else "",
        fit_on=now.fit_on if is_upload(now.dataset) else now.dataset,
    )


def as_table(text: str) -> bytes:
    """Return typed lines as the bytes of a CSV table.

    Raises:
        InputError: Fewer than two pairs, a line of another form, or gold in some lines only.
    """
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        parts = [part.strip() for part in line.split("|")]
        if not any(parts):
            continue
        if len(parts) not in (2, 3) or not all(parts):
            raise InputError(f"line {number}: expected first | second | gold, got {quoted(line)}")
        rows.append((number, parts))
    if len(rows) < 2:
        raise InputError(f"type at least two pairs, one per line: got {len(rows)}")
    width = len(rows[0][1])
    for number, parts in rows:
        if len(parts) != width:
            raise InputError(f"line {number}: give gold scores in every line or in none")
        if width == 3:
            _check_gold(number, parts[2])
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(("sentence1", "sentence2", "score")[:width])
    writer.writerows(parts for _, parts in rows)
    return stream.getvalue().encode()


def _check_gold(number: int, text: str) -> None:
    try:
        gold = float(text)
    except ValueError:
        gold = -1.0
    if not 0 <= gold <= 5:
        raise InputError(f"line {number}: gold must be a number from 0 to 5, got {quoted(text)}")
