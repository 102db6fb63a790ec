"""The panels of the page Sentences: the table of measures, and one panel per question."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import caption
from bertflow_app.parts.exports import Origin, chart

from bertflow_core.analysis.measures import (
    BY_LAYER,
    IDEAS,
    JUDGED,
    MEASURES,
    Part,
    has_unit_scale,
    rule,
)
from bertflow_core.report import Report
from bertflow_core.studies.space import pictures
from bertflow_core.studies.space.readings import finding, scale_reading

MAX_PANELS = 6
PART_TITLES = {
    Part.CLOUD: "Isotropy and spectrum",
    Part.PAIRS: "Alignment and uniformity",
    Part.NEIGHBOURS: "Neighbours",
    Part.HELD_OUT: "Held-out rows",
}


def judged_panel(report: Report, layers: str, origin: Origin) -> None:
    """Show the finding, one number and one word for each question, and the rows they are of."""
    st.write(finding(report.where(layers=layers)))
    figure = pictures.judged(report, layers)
    if figure is not None:
        chart(figure, key="judged", origin=origin)
    for part, rows in report.facts["measured"].items():
        caption(f"{PART_TITLES[Part(part)]}: {rows}.")


def measures_table(report: Report) -> None:
    """Show one row per measure and one column per space, with the recipe."""
    (table,) = report.tables
    layers = {row["layers"] for row in report.rows}
    if len(layers) == 1:
        caption(f"All at {layers.pop()}.")
    st.dataframe(
        list(table.rows),
        hide_index=True,
        height="content",
        column_config={
            "measure": st.column_config.TextColumn(width=330, pinned=True),
            **{name: st.column_config.TextColumn(width=120) for name in list(table.rows[0])[1:]},
        },
        alt="Every measure, a column per layer set and calibrator; a dash where undefined",
    )
    caption(f"{report.params.caption()}.")
    for measure in JUDGED:
        caption(rule(measure))


def meanings(parts: Sequence[Part]) -> None:
    """Explain every measure of these parts: formula, how to read it, source."""
    for part in parts:
        st.subheader(PART_TITLES[part])
        for meaning in (each for each in IDEAS if each.part == part):
            source = f"[{meaning.source}]({meaning.url})" if meaning.url else meaning.source
            st.markdown(f"**{meaning.title}**")
            st.latex(meaning.formula)
            st.markdown(f"{meaning.text} Source: {source}.")


def layer_panel(report: Report, origin: Origin) -> None:
    """Show chosen measures over the layer sets."""
    known = pictures.known_measures(report)
    names = {MEASURES[name].label: name for name in known}
    labels = {name: label for label, name in names.items()}
    chosen = st.multiselect(
        "Measures",
        list(names),  # no labels of their own: the address bar would hold them
        default=[labels[name] for name in BY_LAYER if name in known][:MAX_PANELS],
        max_selections=MAX_PANELS,
        key="layer_measures",
        bind="query-params",
        help=f"One panel per measure, at most {MAX_PANELS}; the table above has all of them.",
    )
    if chosen:
        chart(
            pictures.by_layer(report, [names[label] for label in chosen]),
            key="measures-by-layer",
            origin=origin,
        )


def overlaid_layer(report: Report) -> str:
    """Let the visitor choose the layer set of the figures."""
    layers = list(dict.fromkeys(row["layers"] for row in report.rows))
    if len(layers) == 1:
        return str(layers[0])
    own = state.current_recipe().layers
    chosen: str = st.selectbox(
        "Layer set of the figures below",
        layers,
        index=layers.index(own) if own in layers else 0,
        key="overlaid",
        bind="query-params",
        help="Its calibrators are drawn in one figure.",
    )
    return chosen


def spectrum_panel(report: Report, layers: str, origin: Origin) -> None:
    """Show the singular spectra of one layer set, overlaid on a logarithmic axis."""
    relative = st.toggle(
        "Relative to the largest",
        value=True,
        key="relative",
        bind="query-params",
        help="On: compare shapes. Off: each spectrum is in the unit of its own space.",
    )
    figure = pictures.spectra(report, layers, relative=relative)
    if figure is None:
        st.write("All sentences have the same vector here: there is no spectrum.")
        return
    alt = f"Singular spectra at {layers}, one line per calibrator"
    chart(figure, key="spectra", alt=alt, origin=origin)


def gaussian_panel(report: Report, layers: str, origin: Origin) -> None:
    """Show norms of held-out rows of one layer set against those of N(0, I)."""
    if pictures.norms(report, layers) is None:
        st.write("There are too few distinct sentences to hold any out, or no spread to measure.")
        return
    rows = report.where(layers=layers)
    scaled = [row["calibrator"] for row in rows if has_unit_scale(row)]
    others = [row for row in rows if row["calibrator"] not in scaled]
    if scaled:
        _against_gaussian(report, layers, scaled, origin)
    if others:
        specs = [row["calibrator"] for row in others]
        with st.expander(f"On another scale: {', '.join(specs)}", icon=":material/straighten:"):
            for row in others:
                st.text(scale_reading(row))
            _against_gaussian(report, layers, specs, origin)


def _against_gaussian(report: Report, layers: str, specs: Sequence[str], origin: Origin) -> None:
    """Show norms under some calibrators against those of N(0, I)."""
    st.write(
        "The norms of Gaussian rows follow the dash-dotted chi curve, near the square root of the "
        "number of dimensions. A histogram to its left or right means a wrong scale. A wider one "
        "means that norms vary more than a Gaussian's."
    )
    drawn = pictures.norms(report, layers, specs)
    alt = f"Density of norms at {layers} over that of chi"
    chart(drawn, key=f"norms-{specs[0]}", alt=alt, origin=origin)


def hole_panel(report: Report, layers: str, origin: Origin) -> None:
    """Show whether one layer set has holes, densities if there are any, and what follows."""
    figure = pictures.neighbours(report, layers)
    if figure is not None:
        st.write(
            "Where sentences form clumps with empty space between them, the 10th nearest neighbour "
            "is nearer than among points of a Gaussian of the same mean and covariance."
        )
        chart(figure, key="neighbours", origin=origin)
    dense = tuple(pictures.curves_of(report, layers, lambda curves: curves.likelihoods))
    if dense:
        spec = st.selectbox(
            "Density",
            dense,
            index=len(dense) - 1,
            key="density",
            bind="query-params",
            help="Calibrators whose bijection has learnt a density.",
        )
        chart(pictures.likelihoods(report, layers, spec), key="likelihoods", origin=origin)
    else:
        st.write("No calibrator here has a density: add flow to see likelihoods.")
    for row in report.where(layers=layers):
        if row["reading"]:
            with st.container(border=True):
                st.markdown(f"**`{row['calibrator']}`**")
                st.text(row["reading"])
