"""Measures: do sentences fill their space evenly, and does it have holes?"""

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.show import Origin, chart, origin_of, say, show_end
from bertflow_app.widgets.choices import calibrator_picker, choose_layer_sets
from bertflow_app.widgets.components import show_rows
from bertflow_app.widgets.terms import meaning
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.analysis.judged import SCALES, rule
from bertflow_core.analysis.measures import MEASURES, Group
from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.lab.layer_choices import of_layers
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Pictures, Report
from bertflow_core.studies.space.measure import SpaceRecipe, finding
from bertflow_core.studies.space.pictures import layer_pictures
from bertflow_core.text_table import TextTable

DEFAULT_CALIBRATORS = ("flow",)
"""The default calibrators. Each takes seconds: two fits and a search for neighbours."""

PART_TITLES = {
    Group.CLOUD: "Isotropy and spectrum",
    Group.PAIRS: "Alignment and uniformity",
    Group.NEIGHBOURS: "Neighbours",
    Group.HELD_OUT: "Held-out sentences",
}


def draw() -> None:
    """Let the visitor choose spaces, and show their measures."""
    st.markdown(
        "Measure how narrow the cone is and whether the space has holes, at any layer and "
        "under any calibrator.",
        help=meaning("cone", "anisotropy", "hole", "calibrator"),
    )
    own, fold = state.current_recipe(), Fold()
    with fold.drawing():
        note = "One forward pass gives all layers. Each calibrator is fitted at each layer set."
        chosen = choose_layer_sets([own.model], [own.layers], "space_layers", note)
        specs = baseline_first(calibrator_picker("space_calibrators", DEFAULT_CALIBRATORS))
    layers = tuple(chosen) or (own.layers,)
    shared = of_layers(own, layers).without("calibrator", "aggregation")
    recipe = SpaceRecipe(**shared.to_dict())
    report = ask(
        "Measure the sentences",
        Shared("studies.space.measure:sentences", recipe, specs, layers),
        fold=fold,
        choices=(", ".join(specs), ", ".join(layers)),
        help="Embeds once, then fits each calibrator at each layer set and measures the result.",
    )
    origin = origin_of(report)
    shown = _shown_layer(report)
    there = report
    if len(layers) > 1:
        there = report.only(i for i, row in enumerate(report.rows) if row["layers"] == shown)
    drawn = there.pictures()
    st.write(finding(there.rows))
    if "verdicts" in drawn:
        chart(there.figure("verdicts"), key="verdicts", origin=origin)
    say(report, Kind.FIT, Kind.WARNING)
    with st.expander("All measures", icon=":material/table_rows:"):
        _table(report)
        show_end(report)
    with st.expander("What these measure", icon=":material/function:"):
        for group in Group:
            st.subheader(PART_TITLES[group])
            for measure in (each for each in MEASURES.values() if each.group is group):
                st.markdown(f"**{measure.label[0].upper()}{measure.label[1:]}**")
                st.latex(measure.formula)
                st.markdown(measure.explanation)
    if len(layers) > 1:
        st.header("Layer by layer")
        by_layer = layer_pictures(report)["measures_by_layer"]
        chart(by_layer(), key="measures-by-layer", origin=origin)
    if "singular_spectra" in drawn:
        st.header("Singular spectrum")
        alt = f"Singular spectra at {shown}, one line per calibrator"
        chart(there.figure("singular_spectra"), key="spectra", alt=alt, origin=origin)
    st.header("Holes")
    _holes(there, drawn, origin)


def _shown_layer(report: Report) -> str:
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
    table = report.text_table or TextTable((), ())
    show_rows(
        [dict(zip(table.header, row, strict=True)) for row in table.rows],
        height="content",
        column_config={"measure": st.column_config.TextColumn(width=330, pinned=True)},
        alt="Every measure, a column per layer set and calibrator; a dash where undefined",
    )
    measured = report.facts["measured"].items()
    st.text(" ".join(f"{PART_TITLES[Group(part)]}: {rows}." for part, rows in measured))
    st.text(f"{report.params.caption()}. " + " ".join(map(rule, SCALES)))


def _holes(report: Report, drawn: Pictures, origin: Origin) -> None:
    if "neighbour_distances" in drawn:
        st.write(
            "Sentences that form clumps with empty space in between are closer to their "
            "10th neighbour than points of a Gaussian with the same mean and covariance."
        )
        chart(report.figure("neighbour_distances"), key="neighbours", origin=origin)
    dense = [name for name in drawn if name.startswith("likelihoods")]
    if dense:
        chart(report.figure(dense[-1]), key="likelihoods", origin=origin)
    else:
        st.write("No calibrator here has a density: add flow to see likelihoods.")
