"""The fit of the real flow: its curves, and the space at each checkpoint."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app.parts.components import caption
from bertflow_app.show import Origin, chart, depends_on

from bertflow_core.analysis.measures import MEASURES
from bertflow_core.figures import fit_curves, latent_features, value_bars
from bertflow_core.remarks import why_unscored
from bertflow_core.text_table import percent
from bertflow_core.wording import counted

if TYPE_CHECKING:
    from bertflow_core.studies.training import Checkpoint, LiveFit, Measures


LIKELIHOOD = "held-out bits per dimension"
RHO = "rho x 100"
COSINE = MEASURES["mean_cosine"].label
FULL = "full flow"
COLOURED_AS = ("identity", "all-but-the-top", "standardize", "flow")
NORMS = MEASURES["norm_ks"].label
RANK = MEASURES["effective_rank"].label

_SCORED_ON = (
    "Of the dev split where there is one, whatever the sidebar says: a fit that is watched is one "
    "whose end is chosen by what it scores, and the test split is not for that."
)


def show_fit(fit: "LiveFit", *, is_moving: bool) -> None:
    """Show the last checkpoint of a fit while it moves, and any that is chosen afterwards."""
    points = tuple(fit.checkpoints)
    if not points:
        return
    point = points[-1] if is_moving else _chosen(points)
    _metrics(fit, point)
    _beside(fit, point)
    at = None if is_moving else point.step
    chart(_curves(fit, points, at), key="fit-curves", origin=_origin(fit))
    _notes(fit)
    if not is_moving:
        _space(fit, point)


def _chosen(points: "Sequence[Checkpoint]") -> "Checkpoint":
    if len(points) == 1:
        return points[0]
    index = st.slider(
        "Checkpoint",
        0,
        len(points) - 1,
        len(points) - 1,
        key="checkpoint",
        help="Goes back through the fit: the numbers and pictures below are of this checkpoint.",
    )
    return points[min(index, len(points) - 1)]


def _metrics(live: "LiveFit", point: "Checkpoint") -> None:
    measures = point.measures
    loss = live.losses[point.step - 1] if point.step else None
    split = live.prepared.recipe.split
    shown = {
        "Step": f"{point.step:,}",
        "Batch, bits": "-" if loss is None else f"{loss:.3f}",
        "Held-out bits": f"{measures.bits_per_dimension:.3f}",
        f"{RHO}, {split}": "-" if measures.rho is None else percent(measures.rho),
        f"Mean cosine, {split}": f"{measures.mean_cosine:.3f}",
        "Norms against chi": f"{measures.norm_gap:.3f}",
    }
    for column, (label, value) in zip(st.columns(len(shown)), shown.items(), strict=True):
        column.metric(label, value, help=_SCORED_ON if label.endswith(f", {split}") else None)


def _beside(live: "LiveFit", point: "Checkpoint") -> None:
    """Draw what the flow's first layer reaches by itself, in parts, beside the whole flow."""
    spaces = {**live.references, FULL: point.measures}
    names, columns = list(spaces), [_values(each) for each in spaces.values()]
    shown = [RHO, LIKELIHOOD, COSINE] if columns[-1][RHO] is not None else [LIKELIHOOD, COSINE]
    for place, label in zip(st.columns(len(shown)), shown, strict=True):
        with place:
            chart(
                value_bars(label, names, COLOURED_AS, [column[label] for column in columns]),
                key=f"beside-{label}",
                origin=_origin(live),
            )


def _curves(live: "LiveFit", points: "Sequence[Checkpoint]", at: int | None) -> object:
    columns = [_values(point.measures) for point in points]
    return fit_curves(
        tuple(live.losses),
        [point.step for point in points],
        {name: [column[name] for column in columns] for name in columns[0]},
        before=_values(next(iter(live.references.values()))),
        n_steps=live.n_steps,
        at=at,
    )


def _values(measures: "Measures") -> dict[str, float | None]:
    return {
        LIKELIHOOD: measures.bits_per_dimension,
        RHO: None if measures.rho is None else 100 * measures.rho,
        COSINE: measures.mean_cosine,
        NORMS: measures.norm_gap,
        RANK: measures.effective_rank,
    }


def _notes(live: "LiveFit") -> None:
    for text in (live.convergence(), live.verdict()):
        if text:
            st.text(text)
    if live.prepared.pairs.labels is not None:
        st.text(why_unscored(live.prepared.pairs))
    depends_on(_origin(live).caption)


def _origin(live: "LiveFit") -> Origin:
    """Return where the numbers come from; the command fits the held-out sentences too."""
    prepared = live.prepared
    recipe = prepared.recipe.with_(calibrator=f"flow:epochs={live.epochs:g}")
    return Origin(
        f"{recipe.caption()}. Rho and mean cosine are of {prepared.pairs.name}, split "
        f"{recipe.split}; the flow is fitted to {len(live.x_fit):,} sentences for "
        f"{_epochs_text(live)} and {len(live.x_held_out):,} others are held out for "
        "likelihood, norms, rank and the pictures below; mean and ActNorm alone are fitted to the "
        "same sentences in closed form. Dotted grey: before the flow.",
        recipe.to_command(),
    )


def _epochs_text(live: "LiveFit") -> str:
    text = counted(live.epochs, "epoch")
    return f"at most {text}, until it converges," if live.until_converged else text


def _space(live: "LiveFit", point: "Checkpoint") -> None:
    """Draw two features after a layer at one checkpoint."""
    st.subheader("Two features, layer by layer")
    layers = live.layers(point)
    n_features = len(point.measures.spectrum)
    places = st.columns([1, 1, 4])
    hint = f"1 to {n_features}, by position."
    a = int(places[0].number_input("One feature", 1, n_features, 1, key="feature_a", help=hint))
    b = int(places[1].number_input("Other feature", 1, n_features, 2, key="feature_b", help=hint))
    applied = places[2].slider(
        "Layers applied",
        0,
        len(layers),
        len(layers),
        key="real_layer",
        help="0 shows the embeddings, all of them the latent space.",
    )
    caption(f"After {layers[applied - 1]}" if applied else "The embeddings")
    values = live.coordinates(point, (a - 1, b - 1))[applied]
    chart(
        latent_features(values, (f"feature {a}", f"feature {b}")),
        key="latent-features",
        origin=_origin(live),
    )
