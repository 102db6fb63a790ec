"""The panels of the Playground for typed sentences: pairs, tokens, map, neighbours."""

from dataclasses import replace

import streamlit as st
from bertflow_app.pages.space.playground_jobs import Compared
from bertflow_app.parts.components import caption, cell
from bertflow_app.parts.exports import chart, downloads, origin_of
from bertflow_app.parts.neighbours import neighbour_tables
from bertflow_app.show import show_table

from bertflow_core.figures import sentence_maps, similarity_heatmaps
from bertflow_core.studies.pairs import UNITS
from bertflow_core.studies.playground.presets import Preset, contrast_finding, contrast_margins
from bertflow_core.studies.playground.spaces import Playground

SHOWN_PAIRS = 500
LISTED_SENTENCES = 12


def unit_picker() -> str:
    """Draw the choice of what an edit changes."""
    unit: str = st.segmented_control(
        "Unit of an edit",
        UNITS,
        default=UNITS[0],
        required=True,
        key="unit",
        bind="query-params",
        help="treebank and whitespace in lower case, character as it was written, wordpiece by "
        "the encoder.",
    )
    return unit


def pairs_panel(found: Compared, preset: Preset) -> None:
    """Show the heat-maps, the contrasts of the example, and every pair with its ranks."""
    pairs, report = found.pairs, found.report
    st.write(contrast_finding(preset, found.typed))
    if len(found.typed.sentences) <= LISTED_SENTENCES:
        st.text("\n".join(f"{i} {text}" for i, text in enumerate(found.typed.sentences, start=1)))
    chart(
        similarity_heatmaps(pairs.cosines, pairs.ranks, found.typed.sentences),
        key="similarity-heatmaps",
        origin=origin_of(report),
    )
    caption(
        f"{pairs.remark()} One scale of colours for all, from -1 over 0 to 1; #1 is the most "
        "similar pair."
    )
    _contrasts(preset, found)
    st.subheader("Every pair")
    _every_pair(found)
    downloads(lambda: report, label="Pairs as {}")


def _every_pair(found: Compared) -> None:
    table, n = found.report.table, len(found.report.rows)
    show_table(
        replace(table, rows=table.rows[:SHOWN_PAIRS], remarks=()),
        alt="Edit distance of every pair, and its cosine and rank under each calibrator",
    )
    first = f"The first {SHOWN_PAIRS} of " if n > SHOWN_PAIRS else ""
    caption(
        f"{first}{n:,} pairs, sorted by how much the calibrators disagree on their rank; "
        f"edit distance in units of {found.pairs.unit}."
    )


def _contrasts(preset: Preset, found: Compared) -> None:
    margins = contrast_margins(preset, found.typed)
    if margins is None:
        return
    st.subheader("Meaning or words?")
    rows = []
    for i, each in enumerate(preset.contrasts):
        row = {"Is": f"{each.anchor} nearer to {each.same} than to {each.other}?"}
        rows.append(row | {spec: _verdict(values[i]) for spec, values in margins.items()})
    st.dataframe(
        rows,
        hide_index=True,
        alt="Whether the sentence of the same meaning is nearer, and by how much, per calibrator",
    )
    caption(
        "Yes where the sentence that means the same is nearer than the one that shares the words; "
        "in brackets the difference of their cosines. Spaces have different spreads: compare signs "
        "and ranks."
    )


def _verdict(margin: float) -> str:
    return f"{'yes' if margin > 0 else 'no'} ({margin:+.3f})"


def tokens_panel(found: Compared) -> None:
    """Show what the encoder reads of each sentence."""
    typed = found.typed
    st.dataframe(
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
        hide_index=True,
        alt="The encoder's tokens of each typed sentence",
    )
    caption(
        "Special tokens included. Of a sentence marked as cut the encoder read only the first "
        "tokens, up to the recipe's maximum length."
    )


def map_panel(playground: Playground, found: Compared) -> None:
    """Show where the typed sentences fall among those of the data set."""
    drawn = found.map
    chart(
        sentence_maps(
            drawn.real,
            drawn.typed,
            drawn.explained,
            real_texts=drawn.texts,
            typed_texts=found.typed.sentences,
        ),
        key="sentence-maps",
        origin=origin_of(found.report),
    )
    caption(
        f"Principal components of {playground.rows}, scaled to length 1; "
        f"{len(drawn.texts):,} are drawn. Typed sentences do not affect the axes."
    )


@st.fragment
def neighbours_panel(playground: Playground, found: Compared) -> None:
    """List the real sentences nearest to a typed one, one table per calibrator."""
    sentences = found.typed.sentences
    number = st.selectbox(
        "Sentence",
        list(range(1, len(sentences) + 1)),
        key="play_sentence",
        bind="query-params",
        help="By its number in the box.",
        width=140,
    )
    st.text(sentences[number - 1])
    nearest = found.neighbours[number - 1]
    neighbour_tables(nearest, playground.sentences, metric="cosine")
    caption(
        f"The {len(nearest[0].rows)} nearest of {playground.rows}, by cosine in the full space, "
        f"the sentence itself left out. Came and left: compared with {nearest[0].name}."
    )
