"""Words by frequency: the paper's Table 1 on any encoder, before and after calibration."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st
from bertflow_app import services, state
from bertflow_app.shared import Shared
from bertflow_app.show import drawer, headline, say, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker, recipe_of_words
from bertflow_app.widgets.components import show_rows
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import Spec
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Column, Table
from bertflow_core.studies.published import printed_table
from bertflow_core.studies.words.prepared import WordSpace
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.wording import ranks_text

DEFAULT_CALIBRATORS = ("flow",)
"""The default calibrators. Each takes seconds, to search for the neighbours of all words."""


def draw() -> None:
    """Let the visitor choose words and calibrators, and show their measures."""
    fold = Fold("words")
    with fold.drawing():
        recipe = recipe_of_words()
        specs = calibrator_picker("word_calibrators", DEFAULT_CALIBRATORS)
    report = ask(
        "Measure the words",
        measured(recipe, specs),
        fold=fold,
        choices=(", ".join(("identity", *specs)), recipe.model, recipe.table),
        help="Finds the nearest neighbours of every word, uncalibrated and under each calibrator: "
        "about 20 seconds each.",
        meanwhile=_printed,
    )
    spaces = report.objects["spaces"]
    show_picture(
        report,
        "norm_against_rank",
        on_select=partial(_choose_pressed, spaces[0].prepared.words, "norm_against_rank"),
        selection_mode="points",
    )
    headline(report.text(Kind.HEADLINE))
    say(report, Kind.ANSWER)
    st.header("Neighbours of a word")
    _neighbours(spaces)
    st.header("By frequency")
    names = {each.header: each.key for each in report.columns if each.format == ".3f"}
    name = st.selectbox(
        "Measure", list(names), key="word_measure", bind="query-params", help="A row of Table 1."
    )
    show_picture(report, f"{names[name]}_by_bin")
    show_table(report.table, alt="Table 1: every measure by calibrator and bin", n_most=12)
    with st.expander("As it was published", icon=":material/menu_book:"):
        for table in report.tables[:-1]:
            show_table(table, alt="Table 1 as it was printed")
    st.header("Does the frequency bias disappear?")
    st.write("The picture shows how closely each leading direction follows frequency.")
    show_picture(report, "coordinates")
    drawer(report)


def _printed() -> None:
    """Show Table 1 as it was printed, until it is measured on a model."""
    printed = printed_table(1)
    ranks = [ranks_text(*ends) for ends in printed["bins"]]
    rows = [dict(zip(ranks, each["values"], strict=True)) | each for each in printed["rows"]]
    columns = (Column("label", "measure by rank"), *(Column(each, format=".2f") for each in ranks))
    st.text(f"{printed['citation']}, as it was printed, for the words of BERT:")
    show_table(Table(columns, rows), alt="Table 1 as it was printed")


def measured(recipe: WordRecipe, specs: Sequence[Spec]) -> Shared:
    """Return the job that measures a model's words, uncalibrated and under each calibrator."""
    if not any(spec.takes_seed for spec in specs):
        recipe = recipe.with_(seed=WordRecipe.seed)  # nothing is random here
    return Shared("studies.words.study:words", recipe, specs)


def _choose_pressed(words: Sequence[str], key: str) -> None:
    pressed: Any = state.held(key)
    for point in pressed["selection"]["point_indices"][:1]:
        if point < len(words):
            state.choose(word=words[point])


def _neighbours(spaces: Sequence[WordSpace]) -> None:
    words = spaces[0].prepared.words
    word = st.selectbox(
        "Word",
        words,
        key="word",
        bind="query-params",
        help="Press a mark above, or search here. Exact neighbours in the full space, by L2 "
        "distance.",
    )
    row = int(spaces[0].prepared.rows[words.index(word)])
    for column, space in zip(st.columns(len(spaces)), spaces, strict=True):
        name = f"neighbours {space.prepared.recipe} {space.calibrator} {row}"
        with column:
            st.markdown(f"**`{space.calibrator}`**")
            found = services.once(name, "Finding neighbours", partial(space.neighbours_of, row))
            rows = [{"Token": token, "L2": round(value, 3)} for _, token, value in found]
            show_rows(rows, alt=f"Nearest tokens under {space.calibrator}")
