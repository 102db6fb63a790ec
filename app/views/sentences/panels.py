"""The pieces of the page Sentences: tables of measures, and a panel a question."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import caption
from bertflow_app.parts.exports import Origin, chart

from bertflow_core.studies.sentences import figures
from bertflow_core.studies.sentences.glossary import MEANINGS
from bertflow_core.studies.sentences.interpretation import gaussian_reading, hole_readings
from bertflow_core.studies.sentences.measure import SentenceGeometry
from bertflow_core.studies.sentences.report import BY_LAYER, measure_table, sentences_command
from bertflow_core.studies.sentences.space_measures import MEASURES, Part

MAX_PANELS = 6
GAUSSIANITY = tuple(
    name
    for meaning in MEANINGS
    if meaning.part is Part.HELD_OUT
    for name in meaning.names
    if name.startswith(("mardia", "energy", "norm"))
)
PART_TITLES = {
    Part.CLOUD: "Isotropy and spectrum",
    Part.PAIRS: "Alignment and uniformity",
    Part.NEIGHBOURS: "Neighbours",
    Part.HELD_OUT: "Held-out rows",
}


def _origin(found: SentenceGeometry) -> Origin:
    return Origin(" ".join(measure_table(found).remarks), sentences_command(found))


def measures_table(found: SentenceGeometry) -> None:
    """Show measures down and spaces across, with the recipe, the rows and the notes."""
    table = measure_table(found)
    header = table.header
    if len(found.layers) == 1:  # said once, so that calibrators fit side by side
        header = ("measure", *found.calibrators)
        caption(f"All at {found.layers[0]}.")
    st.dataframe(
        [dict(zip(header, line, strict=True)) for line in table.rows],
        hide_index=True,
        height="content",
        column_config={
            "measure": st.column_config.TextColumn(width=330, pinned=True),
            **{name: st.column_config.TextColumn(width=120) for name in header[1:]},
        },
        alt="Every measure, a column for each layer set and calibrator; a dash where undefined",
    )
    n_shared = 1 + len(found.n_rows)  # the recipe, and what each part is of
    for remark in table.remarks[:n_shared]:
        caption(remark)
    if notes := table.remarks[n_shared:]:
        with st.expander(f"What the fits met ({len(notes)})", icon=":material/sticky_note_2:"):
            for note in notes:
                caption(note)


def meanings(parts: Sequence[Part]) -> None:
    """Explain every measure of these parts: formula, how to read it, source."""
    for part in parts:
        st.subheader(PART_TITLES[part])
        for meaning in (each for each in MEANINGS if each.part == part):
            source = f"[{meaning.source}]({meaning.url})" if meaning.url else meaning.source
            st.markdown(f"**{meaning.title}**")
            st.latex(meaning.formula)
            st.markdown(f"{meaning.text} Source: {source}.")


def layer_panel(found: SentenceGeometry) -> None:
    """Show chosen measures over the layer sets."""
    labels = {measure.name: measure.label for measure in MEASURES}
    known = figures.known_measures(found)
    names = st.multiselect(
        "Measures",
        known,
        default=[name for name in BY_LAYER if name in known][:MAX_PANELS],
        max_selections=MAX_PANELS,
        format_func=lambda name: labels[name],
        key="layer_measures",
        help=f"A panel each, at most {MAX_PANELS}; the table above has all of them.",
    )
    if names:
        chart(
            figures.by_layer(found, names),
            key="measures-by-layer",
            alt="Measures over layer sets, a line a calibrator; the table above has the numbers",
            origin=_origin(found),
        )


def overlaid_layer(found: SentenceGeometry) -> str:
    """Let the visitor choose the layer set whose calibrators are drawn over each other."""
    if len(found.layers) == 1:
        return found.layers[0]
    own = state.current_recipe().layers
    return st.selectbox(
        "Layer set of the figures below",
        found.layers,
        index=found.layers.index(own) if own in found.layers else 0,
        key="overlaid",
        bind="query-params",
        help="Its calibrators are drawn over each other.",
    )


def spectrum_panel(found: SentenceGeometry, layers: str) -> None:
    """Show the singular spectra of one layer set, overlaid on a logarithmic axis."""
    relative = st.toggle(
        "As shares of the largest",
        value=True,
        key="relative",
        bind="query-params",
        help="Compares shapes; off, each is in the unit of its own space.",
    )
    figure = figures.spectra(found, layers, relative=relative)
    if figure is None:
        st.write("All sentences have one vector here: there is no spectrum.")
        return
    alt = f"Singular spectra at {layers}, one line per calibrator"
    chart(figure, key="spectra", alt=alt, origin=_origin(found))


def gaussian_panel(found: SentenceGeometry, layers: str) -> None:
    """Show norms, coordinates and tests of held-out rows of one layer set against N(0, I)."""
    drawn = figures.norms(found, layers)
    if drawn is None:
        st.write("There are too few different sentences to hold any out, or no spread to measure.")
        return
    st.write(
        "The norms of Gaussian rows pile up on the dash-dotted chi curve, near the square "
        "root of the number of dimensions. A pile to its left or right has the wrong scale, a "
        "wider one has norms that vary more than a Gaussian's."
    )
    alt = f"Density of norms at {layers} over that of chi"
    chart(drawn, key="norms", alt=alt, origin=_origin(found))
    _quantile_plots(found, layers)
    _gaussian_tests(found, layers)


def _quantile_plots(found: SentenceGeometry, layers: str) -> None:
    st.write(
        "In a Q-Q plot Gaussian values follow the dotted line. Another slope is another scale; "
        "ends that bend away from a straight course are heavy tails where they steepen and light "
        "ones where they flatten."
    )
    left, right = st.columns(2)
    panels = {
        "coordinates": (left, figures.coordinate_quantiles(found, layers)),
        "quantiles of norms": (right, figures.norm_quantiles(found, layers)),
    }
    for name, (column, figure) in panels.items():
        with column:
            alt = f"Q-Q plot, {name} at {layers} against a Gaussian's"
            chart(figure, key=name.replace(" ", "-"), alt=alt, origin=_origin(found))


def _gaussian_tests(found: SentenceGeometry, layers: str) -> None:
    """Show the tests of one layer set: the lines of the table of measures that belong here."""
    table = measure_table(found)
    labels = {measure.label for measure in MEASURES if measure.name in GAUSSIANITY}
    columns = [i for i, each in enumerate(found.spaces, 1) if each.recipe.layers == layers]
    st.dataframe(
        [
            {"measure": line[0], **{table.header[i]: line[i] for i in columns}}
            for line in table.rows
            if line[0] in labels
        ],
        hide_index=True,
        height="content",
        alt=f"Tests of Gaussianity at {layers}, each beside what Gaussian rows give",
    )
    st.write(
        "Below each number stands what Gaussian rows give. Mardia's two see the shape alone; the "
        "energy distance and the norms see location and scale as well. A dash: Mardia's tests need "
        "more held-out sentences than directions. By the energy distance:"
    )
    for spec in found.calibrators:
        st.text(f"{spec}: {gaussian_reading(found.space(layers, spec).values)}.")


def hole_panel(found: SentenceGeometry, layers: str) -> None:
    """Show whether one layer set has holes: densities where there are any, and distances."""
    st.write(
        "A hole is a place that a density calls likely and where no sentence lies. Sentences that "
        "the fit did not see are compared with samples, which are draws of the density, or of a "
        "Gaussian of the same mean and covariance where a calibrator has none, and with points "
        "halfway between two of either."
    )
    dense = figures.with_density(found, layers)
    if dense:
        spec = st.selectbox(
            "Density",
            dense,
            index=len(dense) - 1,
            key="density",
            help="Calibrators whose bijection has learnt a density.",
        )
        chart(
            figures.likelihoods(found.space(layers, spec)),
            key="likelihoods",
            alt=f"Log-densities under {spec} of sentences, samples and midpoints",
            origin=_origin(found),
        )
    else:
        st.write("No calibrator here has a density: add flow for likelihoods.")
    for spec in found.calibrators:
        readings = hole_readings(found.space(layers, spec))
        if readings:
            with st.container(border=True):
                st.markdown(f"**`{spec}`**")
                st.text(" ".join(readings))
