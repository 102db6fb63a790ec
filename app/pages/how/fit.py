"""The flow on your sentences: the paper's flow, watched as it fits, at each checkpoint."""

import time
from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.show import Origin, chart, drawer
from bertflow_app.widgets.work import Fold, start_button, watch

from bertflow_core.analysis.gaussianity import NORM_GAP
from bertflow_core.analysis.measures import MEASURES
from bertflow_core.evaluation import AUC
from bertflow_core.figures import fit_curves, latent_features, value_bars
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.runtime import context
from bertflow_core.wording import counted, percent

if TYPE_CHECKING:
    from bertflow_core.exhibits.training import Checkpoint, LiveFit, Measures

CONVERGED = "at most 60"
EPOCHS = (CONVERGED, "1", "3", "10")
POLL_SECONDS = 0.4

BREATH = 0.002
"""Seconds of sleep per report, without which the fit's small steps would block other threads."""

LIKELIHOOD, RHO = "held-out bits per dimension", "rho x 100"
COSINE = MEASURES["mean_cosine"].label
COLOURED_AS = ("identity", "all-but-the-top", "standardize", "flow")
_SCORED_ON = (
    "If you watch the score, you will stop where it is highest. If there is a dev split, the score "
    "is therefore computed on dev, whatever the sidebar says, and test stays unseen."
)


def draw() -> None:
    """Let the visitor fit the flow, and show it during and after the fit."""
    fold = Fold("fit")
    with fold.drawing():
        epochs = st.radio(
            "Epochs",
            EPOCHS,
            horizontal=True,
            key="inside_epochs",
            bind="query-params",
            help="The paper uses 1. More epochs raise the likelihood; watch what happens to rho. "
            "A fit of “at most 60” ends once it has converged (5 epochs gain less than 0.01 bits "
            "per dimension on held-out sentences).",
        )
    about = "Embeds the sidebar's data, then fits the paper's flow to it: about half a minute."
    row = st.container(horizontal=True, vertical_alignment="center")
    with row:
        pressed = start_button("Fit and watch")
    fit = real_fit(state.current_recipe(), None if epochs == CONVERGED else float(epochs))
    job = fit.find(start=pressed)
    fold.settle((f"epochs {epochs}",), has_result=job is not None)
    if job is None:
        row.text(about)
    else:
        watch(job, lambda is_live: _show(job.result, is_live), seconds=POLL_SECONDS)


def real_fit(recipe: Recipe, epochs: float | None) -> Shared:
    """Return the job that fits the flow, a `LiveFit`; without `epochs` it runs to convergence."""
    from bertflow_core.exhibits.training import MOST_EPOCHS, LiveFit

    fit = LiveFit(MOST_EPOCHS if epochs is None else epochs, until_converged=epochs is None)
    return Shared(_watched, recipe, epochs, live=fit)


def _watched(recipe: Recipe, lab: Lab, _: float | None, fit: "LiveFit") -> "LiveFit":
    from bertflow_core.exhibits.training import watch_fit

    outer = context.listener()

    def report(done: int, total: int, unit: str) -> None:
        outer(done, total, unit)
        time.sleep(BREATH)

    with context.reporting(report):
        watch_fit(recipe, lab, fit)
    return fit


def _show(fit: "LiveFit", is_live: bool) -> None:
    """Show the latest checkpoint while a fit runs; afterwards, the one the visitor chooses."""
    points = tuple(fit.checkpoints)
    if not points:
        return
    index = len(points) - 1
    if index and not is_live:
        index = st.slider(
            "Checkpoint",
            0,
            index,
            index,
            key="checkpoint",
            help="Choose a checkpoint of the fit; the numbers and pictures below belong to it.",
        )
    point = points[min(index, len(points) - 1)]
    _metrics(fit, point)
    # Compare the whole flow with what parts of its first layer achieve alone.
    names = [*fit.references, "full flow"]
    columns = [_values(each) for each in (*fit.references.values(), point.measures)]
    shown = [RHO, LIKELIHOOD, COSINE] if columns[-1][RHO] is not None else [LIKELIHOOD, COSINE]
    for place, label in zip(st.columns(len(shown)), shown, strict=True):
        with place:
            title = label if label == LIKELIHOOD else f"{label}{_split(fit)}"
            bars = value_bars(title, names, COLOURED_AS, [values[label] for values in columns])
            chart(bars, key=f"beside-{label}")
    courses = [_values(each.measures) for each in points]
    curves = fit_curves(
        tuple(fit.losses),
        [each.step for each in points],
        {name: [values[name] for values in courses] for name in courses[0]},
        before=columns[0],
        n_steps=fit.n_steps,
        at=None if is_live else point.step,
    )
    chart(curves, key="fit-curves")
    for text in filter(None, (fit.convergence(), fit.verdict())):
        st.text(text)
    if fit.embedded.data.metric == AUC.name:
        st.text(why_unscored(fit.embedded.data))
    if not is_live:
        _features(fit, point)
        drawer(_origin(fit))


def _metrics(fit: "LiveFit", point: "Checkpoint") -> None:
    measures, split = point.measures, _split(fit)
    loss = fit.losses[point.step - 1] if point.step else None
    shown = {
        "Step": f"{point.step:,}",
        "Batch, bits": "-" if loss is None else f"{loss:.3f}",
        "Held-out bits": f"{measures.bits_per_dimension:.3f}",
        f"{RHO}{split}": "-" if measures.rho is None else percent(measures.rho),
        f"Mean cosine{split}": f"{measures.mean_cosine:.3f}",
        "Norms against chi": f"{measures.norm_gap:.3f}",
    }
    for column, (label, value) in zip(st.columns(len(shown)), shown.items(), strict=True):
        column.metric(label, value, help=_SCORED_ON if split and label.endswith(split) else None)


def _split(fit: "LiveFit") -> str:
    recipe = fit.embedded.recipe
    return f", {recipe.split}" if recipe.has_splits else ""


def _values(measures: "Measures") -> dict[str, float | None]:
    return {
        LIKELIHOOD: measures.bits_per_dimension,
        RHO: None if measures.rho is None else 100 * measures.rho,
        COSINE: measures.mean_cosine,
        NORM_GAP: measures.norm_gap,
        MEASURES["effective_rank"].label: measures.effective_rank,
    }


def _origin(fit: "LiveFit") -> Origin:
    """Return where the numbers come from; the command fits on the held-out sentences too."""
    embedded = fit.embedded
    recipe = embedded.recipe.with_(calibrator=f"flow:epochs={fit.epochs:g}")
    epochs = counted(fit.epochs, "epoch")
    if fit.until_converged:
        epochs = f"at most {epochs} (fewer if it converges)"
    return Origin(
        f"{recipe.caption()}. Rho and mean cosine are measured on {embedded.data.title}. The flow "
        f"is fitted to {len(fit.x_fit):,} sentences for {epochs}; {len(fit.x_held_out):,} others "
        "are held out for likelihood, norms, rank and the pictures below. The mean alone and "
        "ActNorm alone are fitted to the same sentences in closed form. Dotted grey lines: before "
        "the flow.",
        recipe.to_command(),
    )


def _features(fit: "LiveFit", point: "Checkpoint") -> None:
    st.header("Two features, layer by layer")
    layers = fit.layers(point)
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
        help="0 layers show the embeddings, all layers the latent space.",
    )
    st.text(f"After {layers[applied - 1]}" if applied else "The embeddings")
    values = fit.coordinates(point, (a - 1, b - 1))[applied]
    drawn = latent_features(values, (f"feature {a}", f"feature {b}"))
    chart(drawn, key="latent-features")
