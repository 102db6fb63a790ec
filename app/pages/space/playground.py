"""Your sentences: typed ones under several calibrators, and their nearest real ones."""

from dataclasses import replace

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.show import Origin, drawer, save_table, show_picture, show_table
from bertflow_app.widgets.choices import bound, calibrator_picker
from bertflow_app.widgets.components import cell, say_notes, show_rows
from bertflow_app.widgets.neighbours import neighbour_tables
from bertflow_app.widgets.work import Fold, ask, then

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.exhibits.playground import (
    HEATMAPS,
    MAP_ROWS,
    MAPS,
    MAX_CHARACTERS,
    MAX_SENTENCES,
    MIN_SENTENCES,
    Example,
    Playground,
    Typed,
    build_playground,
    checked_specs,
    compare_typed,
    examples,
    mean_cosines,
    meaning_finding,
    meaning_margins,
    read_lines,
)
from bertflow_core.report.report import Report
from bertflow_core.studies.lexical.bias import LexicalRecipe

SECTIONS = ("Similarity", "Among real sentences")
MAX_BOX = 120_000
SHOWN_PAIRS = 500
LISTED_SENTENCES = 12


def draw() -> None:
    """Let the visitor type sentences, and show their cosines under each calibrator."""
    recipe, fold = state.current_recipe(), Fold("playground")
    example, text = _typed_box()
    with fold.drawing():
        specs = baseline_first(calibrator_picker("play_calibrators"))
        unit = bound(LexicalRecipe, "unit")
        shared = recipe.without("aggregation")  # the aggregation changes none of these numbers
        built = Shared(build_playground, shared, checked_specs(specs))
        sentences = read_lines(text)
    playground: Playground = ask(
        "Compare the sentences",
        built,
        fold=fold,
        is_quick=True,
        choices=(f"{len(sentences)} sentences", ", ".join(specs), recipe.vectors),
        help="Embeds the data set and fits each calibrator once, in about 20 seconds; after that "
        "the result follows your typing.",
        keeps_last=False,
    )
    section = st.segmented_control(
        "Show",
        SECTIONS,
        default=SECTIONS[0],
        required=True,
        key="play_section",
        bind="query-params",
        label_visibility="collapsed",
    )
    report: Report = then(built, Shared(compare_typed, built, sentences, unit))
    if section == "Similarity":
        _pairs_panel(report, example)
        st.header("Tokens")
        _tokens_panel(report.objects["typed"])
    else:
        show_picture(report, MAPS)
        st.text(
            f"Principal components of {playground.rows}, scaled to length 1; "
            f"{min(MAP_ROWS, len(playground.sentences)):,} are drawn. Typed sentences do not "
            "affect the axes."
        )
        st.header("Neighbours")
        _neighbours_panel(playground, report)
    say_notes([f"{each.name}: {note}." for each in playground.spaces for note in each.notes])
    drawer(Origin(playground.caption(), report.command))


def _typed_box() -> tuple[Example, str]:
    """Let the visitor type sentences; return the example they began with, and the text."""
    known = examples()
    title = st.segmented_control(
        "Begin with",
        list(known),
        default=next(iter(known)),
        required=True,
        key="preset",
        bind="query-params",
        help="Fills the box with sentences that test meaning; change them as you like. "
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
        height=150,
        key=key,
        persist_state="session",
        help="Your sentences stay in the server's memory. They are not written to disk and "
        "are not part of the address.",
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
    return example, text or ""


def _pairs_panel(report: Report, example: Example) -> None:
    typed: Typed = report.objects["typed"]
    show_picture(report, HEATMAPS)
    st.write(meaning_finding(example, typed))
    if len(typed.sentences) <= LISTED_SENTENCES:
        st.text("\n".join(f"{i} {text}" for i, text in enumerate(typed.sentences, start=1)))
    st.text(
        f"{mean_cosines(typed)} All tables share one colour scale, from -1 to 1; #1 is the most "
        "similar pair."
    )
    _triples(example, typed)
    st.header("Every pair")
    n = len(report.rows)
    show_table(
        replace(report.table, rows=report.rows[:SHOWN_PAIRS], remarks=()),
        alt="Edit distance of every pair, and its cosine under each calibrator",
        keys=["a", "b", "edit_distance", *(k for k in report.rows[0] if k.startswith("cosine "))],
    )
    first = f"The first {SHOWN_PAIRS} of " if n > SHOWN_PAIRS else ""
    st.text(
        f"{first}{n:,} pairs, sorted by how much the calibrators disagree on their rank; "
        f"edit distance in units of {report.facts['unit']}."
    )
    save_table(report, label="Every pair")


def _triples(example: Example, typed: Typed) -> None:
    margins = meaning_margins(example, typed)
    if not margins:
        return
    st.header("Meaning or words?")
    rows = []
    for i, (anchor, same, other) in enumerate(example.triples):
        row = {"Is": f"{anchor} nearer to {same} than to {other}?"}
        for spec, values in margins.items():
            row[spec] = f"{'yes' if values[i] > 0 else 'no'} ({values[i]:+.3f})"
        rows.append(row)
    show_rows(
        rows,
        alt="Whether the sentence of the same meaning is nearer, and by how much, per calibrator",
    )
    st.text(
        "Yes means that the sentence of the same meaning is nearer than the one with the same "
        "words. The difference of the two cosines stands in parentheses. The spread of cosines "
        "differs between spaces, so compare signs and ranks only."
    )


def _tokens_panel(typed: Typed) -> None:
    show_rows(
        [
            {
                "No.": number,
                "Tokens": len(pieces),
                "Cut": "cut" if cut else "",
                "Pieces": cell(" | ".join(pieces)),
                "Sentence": cell(sentence),
            }
            for number, (sentence, pieces, cut) in enumerate(
                zip(typed.sentences, typed.pieces, typed.cut, strict=True), start=1
            )
        ],
        alt="The encoder's tokens of each typed sentence",
    )
    st.text(
        "Special tokens are included. Where a sentence is marked as cut, the encoder read only its "
        "first tokens, up to the recipe's maximum length."
    )


@st.fragment
def _neighbours_panel(playground: Playground, report: Report) -> None:
    sentences = report.objects["typed"].sentences
    number = st.selectbox(
        "Sentence",
        list(range(1, len(sentences) + 1)),
        key="play_sentence",
        bind="query-params",
        help="The number of a sentence in the text box.",
        width=140,
    )
    st.text(sentences[number - 1])
    nearest = report.objects["neighbours"][number - 1]
    neighbour_tables(nearest, playground.sentences, metric="cosine")
    st.text(
        f"The {len(nearest[0].rows)} nearest of {playground.rows}, by cosine in the full space, "
        f"without the sentence itself. The column Change compares with {nearest[0].name}."
    )
