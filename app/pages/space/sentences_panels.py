"""The panels of the page Sentences: the table of measures, and one panel per question."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import caption
from bertflow_app.parts.exports import Origin, chart

from bertflow_core.analysis.measures import BY_LAYER, IDEAS, MEASURES, Part, names_of
from bertflow_core.studies.sentences import figures
from bertflow_core.studies.sentences.interpretation import (
    gaussian_reading,
    hole_readings,
    scale_reading,
)
from bertflow_core.studies.sentences.judgement import QUESTIONS, finding, with_unit_scale
from bertflow_core.studies.sentences.measure import SentenceGeometry
from bertflow_core.studies.sentences.study import measure_table

MAX_PANELS = 6
GAUSSIANITY = tuple(name for name in names_of(Part.HELD_OUT) if name.startswith(("energy", "norm")))
PART_TITLES = {
    Part.CLOUD: "Isotropy and spectrum",
    Part.PAIRS: "Alignment and uniformity",
    Part.NEIGHBOURS: "Neighbours",
    Part.HELD_OUT: "Held-out rows",
}


def judged_panel(geometry: SentenceGeometry, layers: str, origin: Origin) -> None:
    """Show the finding, one number and one word for each question, and the rows they are of."""
    st.write(finding(geometry, layers))
    figure = figures.judged(geometry, layers)
    if figure is not None:
        chart(
            figure,
            key="judged",
            origin=origin,
        )
    for part, rows in geometry.n_rows.items():
        caption(f"{PART_TITLES[Part(part)]}: {rows}.")


def measures_table(geometry: SentenceGeometry) -> None:
    """Show one row per measure and one column per space, with the recipe."""
    table = measure_table(geometry)
    if len(geometry.layers) == 1:
        caption(f"All at {geometry.layers[0]}.")
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
    caption(f"{geometry.recipe.caption()}.")
    for question in QUESTIONS:
        caption(f"{question.rule()}.")


def meanings(parts: Sequence[Part]) -> None:
    """Explain every measure of these parts: formula, how to read it, source."""
    for part in parts:
        st.subheader(PART_TITLES[part])
        for meaning in (each for each in IDEAS if each.part == part):
            source = f"[{meaning.source}]({meaning.url})" if meaning.url else meaning.source
            st.markdown(f"**{meaning.title}**")
            st.latex(meaning.formula)
            st.markdown(f"{meaning.text} Source: {source}.")


def layer_panel(geometry: SentenceGeometry, origin: Origin) -> None:
    """Show chosen measures over the layer sets."""
    known = figures.known_measures(geometry)
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
            figures.by_layer(geometry, [names[label] for label in chosen]),
            key="measures-by-layer",
            origin=origin,
        )


def overlaid_layer(geometry: SentenceGeometry) -> str:
    """Let the visitor choose the layer set of the figures."""
    if len(geometry.layers) == 1:
        return geometry.layers[0]
    own = state.current_recipe().layers
    return st.selectbox(
        "Layer set of the figures below",
        geometry.layers,
        index=geometry.layers.index(own) if own in geometry.layers else 0,
        key="overlaid",
        bind="query-params",
        help="Its calibrators are drawn in one figure.",
    )


def spectrum_panel(geometry: SentenceGeometry, layers: str, origin: Origin) -> None:
    """Show the singular spectra of one layer set, overlaid on a logarithmic axis."""
    relative = st.toggle(
        "Relative to the largest",
        value=True,
        key="relative",
        bind="query-params",
        help="On: compare shapes. Off: each spectrum is in the unit of its own space.",
    )
    figure = figures.spectra(geometry, layers, relative=relative)
    if figure is None:
        st.write("All sentences have the same vector here: there is no spectrum.")
        return
    alt = f"Singular spectra at {layers}, one line per calibrator"
    chart(figure, key="spectra", alt=alt, origin=origin)


def gaussian_panel(geometry: SentenceGeometry, layers: str, origin: Origin) -> None:
    """Show norms, coordinates and tests of held-out rows of one layer set against N(0, I)."""
    scaled = with_unit_scale(geometry, layers)
    others = [spec for spec in geometry.calibrators if spec not in scaled]
    if figures.norms(geometry, layers) is None:
        st.write("There are too few distinct sentences to hold any out, or no spread to measure.")
        return
    if scaled:
        _against_gaussian(geometry, layers, scaled, origin)
    if others:
        with st.expander(f"On another scale: {', '.join(others)}", icon=":material/straighten:"):
            for spec in others:
                st.text(scale_reading(geometry.space(layers, spec)))
            _against_gaussian(geometry, layers, others, origin)
    with st.expander("The tests", icon=":material/table_rows:"):
        _gaussian_tests(geometry, layers)


def _against_gaussian(
    geometry: SentenceGeometry, layers: str, specs: Sequence[str], origin: Origin
) -> None:
    """Show norms and coordinates of some calibrators against those of N(0, I)."""
    st.write(
        "The norms of Gaussian rows follow the dash-dotted chi curve, near the square root of the "
        "number of dimensions. A histogram to its left or right means a wrong scale. A wider one "
        "means that norms vary more than a Gaussian's."
    )
    drawn = figures.norms(geometry, layers, specs)
    alt = f"Density of norms at {layers} over that of chi"
    chart(drawn, key=f"norms-{specs[0]}", alt=alt, origin=origin)
    for spec in specs:
        st.text(f"{spec}: {gaussian_reading(geometry.space(layers, spec).values)}.")
    st.write(
        "In a Q-Q plot Gaussian values follow the dotted line. Another slope means another scale. "
        "Ends that become steeper are heavy tails; ends that become flatter are light tails."
    )
    left, right = st.columns(2)
    panels = {
        "coordinates": (left, figures.coordinate_quantiles(geometry, layers, specs)),
        "quantiles of norms": (right, figures.norm_quantiles(geometry, layers, specs)),
    }
    for name, (column, figure) in panels.items():
        with column:
            alt = f"Q-Q plot, {name} at {layers} against a Gaussian's"
            chart(figure, key=f"{name.replace(' ', '-')}-{specs[0]}", alt=alt, origin=origin)


def _gaussian_tests(geometry: SentenceGeometry, layers: str) -> None:
    """Show the tests of one layer set: the rows of the table of measures on Gaussianity."""
    values = {spec: geometry.space(layers, spec).values for spec in geometry.calibrators}
    st.dataframe(
        [
            {"measure": MEASURES[name].label}
            | {spec: MEASURES[name].text(each[name]) for spec, each in values.items()}
            for name in GAUSSIANITY
        ],
        hide_index=True,
        height="content",
        alt=f"Tests of Gaussianity at {layers}, each beside what Gaussian rows give",
    )
    st.write(
        "Below each number is what Gaussian rows give. Energy distance and norms depend on "
        "location, scale and shape."
    )


def hole_panel(geometry: SentenceGeometry, layers: str, origin: Origin) -> None:
    """Show whether one layer set has holes: densities, if there are any, and distances."""
    st.write(
        "A hole is a place that is likely under a density but has no sentences. Held-out sentences "
        "are compared with samples of the density and with midpoints of two sentences or two "
        "samples. Where a calibrator has no density, the samples are from a Gaussian of the same "
        "mean and covariance."
    )
    dense = figures.with_density(geometry, layers)
    if dense:
        spec = st.selectbox(
            "Density",
            dense,
            index=len(dense) - 1,
            key="density",
            bind="query-params",
            help="Calibrators whose bijection has learnt a density.",
        )
        chart(
            figures.likelihoods(geometry.space(layers, spec)),
            key="likelihoods",
            origin=origin,
        )
    else:
        st.write("No calibrator here has a density: add flow to see likelihoods.")
    for spec in geometry.calibrators:
        readings = hole_readings(geometry.space(layers, spec))
        if readings:
            with st.container(border=True):
                st.markdown(f"**`{spec}`**")
                st.text(" ".join(readings))
