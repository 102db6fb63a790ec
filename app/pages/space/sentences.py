"""Measures: do sentences fill their space evenly, and does it have holes?"""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import ask, caption, say_notes
from bertflow_app.parts.encoder_picker import sets_of
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.terms import meaning
from bertflow_app.shared_jobs import run
from bertflow_app.show import Origin, chart, origin_of, show_end

from bertflow_core.analysis.measures import BY_LAYER, IDEAS, JUDGED, MEASURES, Part, rule
from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.layer_choices import of_layers
from bertflow_core.report import Report
from bertflow_core.studies.space import pictures
from bertflow_core.studies.space.measure import SpaceRecipe
from bertflow_core.studies.space.readings import finding
from bertflow_core.studies.space.rows import SampleSizes

DEFAULT_CALIBRATORS = ("flow",)
"""Each takes seconds: twice fitted, and its neighbours found."""

MAX_PANELS = 6
PART_TITLES = {
    Part.CLOUD: "Isotropy and spectrum",
    Part.PAIRS: "Alignment and uniformity",
    Part.NEIGHBOURS: "Neighbours",
    Part.HELD_OUT: "Held-out rows",
}


def draw() -> None:
    """Let the visitor choose spaces, and show what is measured of them."""
    st.markdown(
        "How narrow is the cone, and are there holes? At any layer, under any calibrator.",
        help=meaning("cone", "anisotropy", "hole", "calibrator"),
    )
    fold = Fold()
    with fold.drawing():
        layers = _layer_sets()
        specs = baseline_first(calibrator_picker("space_calibrators", DEFAULT_CALIBRATORS))
        parts = _parts()
    own = of_layers(state.current_recipe(), layers).without("calibrator", "aggregation")
    recipe = SpaceRecipe(**own.to_dict(), parts=",".join(parts))
    report = ask(
        "Measure the sentences",
        partial(run, "studies.space.measure:sentences", recipe, specs, layers),
        fold=fold,
        choices=(named_specs(specs), ", ".join(layers)),
        invitation="Choose layer sets and calibrators and press **Measure the sentences**.",
        help="Embeds once, then fits each calibrator at each layer set and measures the result.",
        disabled=not layers,
    )
    origin = origin_of(report)
    shown = _shown_layer(report)
    st.write(finding(report.where(layers=shown)))
    if (figure := pictures.judged(report, shown)) is not None:
        chart(figure, key="judged", origin=origin)
    say_notes(report.live["notes"])
    with st.expander("All measures", icon=":material/table_rows:"):
        _table(report)
        show_end(report)
    with st.expander("What these measure", icon=":material/function:"):
        _meanings(parts)
    if len(layers) > 1:
        st.header("Layer by layer")
        _by_layer(report, origin)
    st.header("Singular spectrum")
    _spectrum(report, shown, origin)
    st.header("Holes")
    _holes(report, shown, origin)


def _layer_sets() -> tuple[str, ...]:
    recipe = state.current_recipe()
    offered = sets_of([recipe.model])
    layers = st.multiselect(
        "Layer sets",
        list(dict.fromkeys((*offered, recipe.layers, *state.chosen("space_layers")))),
        default=[recipe.layers],
        key="space_layers",
        bind="query-params",
        help="All come from one pass of the encoder. Each calibrator is fitted at each.",
    )
    st.button(
        "Every layer",
        icon=":material/layers:",
        type="tertiary",
        on_click=state.choose,
        kwargs={"space_layers": [name for name in offered if name.startswith("layer:")]},
        help="Chooses every single layer, the embedding output included.",
    )
    return tuple(layers)


def _parts() -> tuple[Part, ...]:
    """Draw the switches of the two slow parts; the fast ones are always measured."""
    left, right = st.columns(2)
    slow = {
        Part.NEIGHBOURS: left.toggle(
            "Neighbours",
            value=True,
            key="measure_neighbours",
            bind="query-params",
            help="Dimension, hubs and clumps, from exact neighbours of up to "
            f"{SampleSizes.neighbours:,} sentences: some seconds per space.",
        ),
        Part.HELD_OUT: right.toggle(
            "Held-out rows",
            value=True,
            key="measure_held_out",
            bind="query-params",
            help="Gaussianity and holes, on sentences that a second fit of every calibrator does "
            "not see.",
        ),
    }
    return (Part.CLOUD, Part.PAIRS, *(part for part, is_on in slow.items() if is_on))


def _shown_layer(report: Report) -> str:
    """Let the visitor choose the layer set of the figures."""
    layers = [*report.by("layers")]
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


def _table(report: Report) -> None:
    """Show one row per measure and one column per space, and the rows they are of."""
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
    measured = report.facts["measured"].items()
    caption(" ".join(f"{PART_TITLES[Part(part)]}: {rows}." for part, rows in measured))
    caption(f"{report.params.caption()}. " + " ".join(f"{rule(measure)}." for measure in JUDGED))


def _meanings(parts: Sequence[Part]) -> None:
    """Explain every measure of these parts: formula, how to read it, source."""
    for part in parts:
        st.subheader(PART_TITLES[part])
        for idea in (each for each in IDEAS if each.part == part):
            source = f"[{idea.source}]({idea.url})" if idea.url else idea.source
            st.markdown(f"**{idea.title}**")
            st.latex(idea.formula)
            st.markdown(f"{idea.text} Source: {source}.")


def _by_layer(report: Report, origin: Origin) -> None:
    """Show chosen measures over the layer sets."""
    labels = {name: MEASURES[name].label for name in pictures.known_measures(report)}
    names = {label: name for name, label in labels.items()}
    chosen = st.multiselect(
        "Measures",
        list(names),  # no labels of their own: the address bar would hold them
        default=[labels[name] for name in BY_LAYER if name in labels][:MAX_PANELS],
        max_selections=MAX_PANELS,
        key="layer_measures",
        bind="query-params",
        help=f"One panel per measure, at most {MAX_PANELS}; the table above has all of them.",
    )
    if chosen:
        drawn = pictures.by_layer(report, [names[label] for label in chosen])
        chart(drawn, key="measures-by-layer", origin=origin)


def _spectrum(report: Report, layers: str, origin: Origin) -> None:
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


def _holes(report: Report, layers: str, origin: Origin) -> None:
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
    readings = [row for row in report.where(layers=layers) if row["reading"]]
    if readings:
        with st.expander("What the numbers say of each calibrator"):
            for row in readings:
                st.text(f"{row['calibrator']}: {row['reading']}")
