"""What was read: the rows, the column of scores, what was assumed, and what was refused."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from operator import itemgetter

import streamlit as st
from bertflow_app import state, uploads
from bertflow_app.widgets.components import cell, end_page, problem, show_rows

from bertflow_core.datasets import Collection, LabelledTexts, Pairs, TableReading, Texts
from bertflow_core.datasets.texts import AUC
from bertflow_core.errors import BertFlowError
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import counted

SHOWN_ROWS = 200
FIRST_ROWS = 20
SENTENCE_PIXELS, WRAPPED_PIXELS = 350, 66
"""Width at which two columns of sentences and a score fit in 1280 pixels; height of a row."""


def show_reading() -> None:
    """Say in a line how the data were read; the rows and what was refused are one press away."""
    recipe = state.current_recipe()
    try:
        reading, found = uploads.reading_of(recipe), uploads.collection_of(recipe)
    except BertFlowError as error:
        problem(error)
        if not uploads.is_collection(recipe.dataset):
            with suppress(BertFlowError):  # an unreadable table has no columns
                _score_box(recipe)
                st.write(
                    "Choose other columns here or under **Advanced** in the sidebar, or correct "
                    "the table and upload it again."
                )
        end_page()
    if reading is not None:
        with st.popover(f"What was read: {_counted(reading)}", icon=":material/table_rows:"):
            _understood(reading)
        _score_box(recipe)
        if said := (*_unscored(reading.data), *reading.data.provenance.assumed):
            st.text("\n".join(said))
    elif found is not None:
        with st.popover(f"What was read: {found.size}", icon=":material/table_rows:"):
            _searched(found)
    else:
        st.text(f"Data: {uploads.label_of(recipe.dataset)}")


def _unscored(data: Texts) -> Iterator[str]:
    if data.targets is None and isinstance(data, Pairs):
        yield "No gold scores or labels were found. If a column holds them, choose it here."
    elif data.targets is None:
        yield (
            "Only one column of sentences was found. Choose their labels here, or second sentences "
            "under Advanced in the sidebar."
        )


def _score_box(recipe: Recipe) -> None:
    """Let the visitor change the column of gold scores or labels here, as in the sidebar."""
    header = uploads.columns_of(recipe.dataset)
    sides = (recipe.sentence1, recipe.sentence2, recipe.subset)
    nothing = uploads.no_column(header)
    options = [nothing, *(name for name in header if name not in sides)]
    now = recipe.score or nothing
    key = f"score of {recipe.dataset} from {now}"  # a new box after each change of the column
    st.selectbox(
        "Column of scores or labels",
        options,
        index=options.index(now) if now in options else 0,
        key=key,
        on_change=lambda: state.choose(score=state.held(key)),
    )


def _counted(reading: TableReading) -> str:
    refused = f", {len(reading.refused):,} refused" if reading.refused else ""
    return f"{counted(len(reading.data), 'row')}{refused}"


def _searched(found: Collection) -> None:
    left_out = f"{found.n_unjudged:,} queries without a relevant document are left out."
    st.text(" ".join([f"{found.size}.", *([left_out] if found.n_unjudged else [])]))
    if found.provenance.assumed:
        st.text(" ".join(found.provenance.assumed))
    first = [*found.queries.items()][:FIRST_ROWS]
    best = [max(found.grades[query].items(), key=itemgetter(1))[0] for query, _ in first]
    show_rows(
        {
            "Query": [cell(text) for _, text in first],
            "A relevant document": [cell(found.documents[each]) for each in best],
        },
        column_config={
            name: st.column_config.TextColumn(width=SENTENCE_PIXELS)
            for name in ("Query", "A relevant document")
        },
        row_height=WRAPPED_PIXELS,
        alt="The first queries that were read, each with a relevant document",
    )


def _understood(reading: TableReading) -> None:
    pairs, refused = reading.data, reading.refused
    with st.container(horizontal=True):
        st.metric("Rows read", f"{len(pairs):,}", border=True)
        st.metric("Rows refused", f"{len(refused):,}", border=True)
        if isinstance(pairs, Pairs):
            st.metric("Subsets", len({*pairs.subsets}), border=True)
    st.text(f"Columns: {', '.join(reading.columns.names)}; {_judgement(pairs)}")
    _first_rows(pairs)
    if refused:
        st.text("Refused rows; all other rows are used:")
        show_rows(
            [{"Row": each.row, "Why": cell(each.reason)} for each in refused[:SHOWN_ROWS]],
            column_config={"Row": st.column_config.NumberColumn(width="small")},
            alt="Rows of the table that cannot be used, and why",
        )


def _judgement(data: Texts) -> str:
    if isinstance(data, LabelledTexts):
        return data.size
    if not isinstance(data, Pairs) or data.targets is None:
        return "gold scale: none"
    if data.metric == AUC:
        ones = int(data.targets.sum())
        return f"labels: {ones:,} matching pairs, {len(data) - ones:,} others"
    return f"gold scale: {data.scale[0]:g} to {data.scale[1]:g}"


def _first_rows(data: Texts) -> None:
    sides: dict[str, Sequence[str]] = {"Sentence": data.texts}
    columns: dict[str, list[object]] = {}
    if isinstance(data, LabelledTexts):
        columns["Label"] = [*map(cell, data.labels[:FIRST_ROWS])]
    elif isinstance(data, Pairs):
        sides = {"First": data.first, "Second": data.second}
        if data.targets is not None:
            name = "Label" if data.metric == AUC else "Gold"
            columns[name] = data.targets[:FIRST_ROWS].tolist()
    columns |= {name: [*map(cell, side[:FIRST_ROWS])] for name, side in sides.items()}
    show_rows(
        columns,
        column_config={name: st.column_config.TextColumn(width=SENTENCE_PIXELS) for name in sides},
        row_height=WRAPPED_PIXELS,
        alt="The first sentences that were read",
    )
