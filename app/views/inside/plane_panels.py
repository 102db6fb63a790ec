"""The flow on the plane: its choices, its live picture and the terms of the formula."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from bertflow_app import state
from bertflow_app.browser.theatre.component import drawn_points, flow_view
from bertflow_app.browser.theatre.payload import LayerView, Scene, encode
from bertflow_app.browser.theatre.report import Report, decode
from bertflow_app.parts.components import problem
from bertflow_app.views.inside.controls import POLL_SECONDS, fit_buttons
from bertflow_app.views.inside.jobs import BOUNDS, Live, PlaneFit, ToyChoice

from bertflow_core.errors import InputError
from bertflow_core.flows.toy import ToyShape, draw_shape
from bertflow_core.linalg import FloatArray

if TYPE_CHECKING:
    from bertflow_core.flows.plane import PlaneState
    from bertflow_core.flows.trace import Trace


DRAWN = "drawn by you"
N_POINTS = 1_000
SHOWN_POINTS = 600
SLIDERS = {
    "depth": ("Depth", 6, 1, "Steps of the flow: ActNorm, reversal, coupling."),
    "width": ("Width", 32, 4, "Hidden units of each coupling's network."),
    "lr": ("Learning rate", 0.003, 0.0005, "Of AdamW, constant."),
    "n_steps": ("Steps of the fit", 1_500, 250, "Each on at most 256 points."),
}
"""By name of the choice: label, default, step and help."""

VOLUME = {
    "additive": "Reversals and additive couplings preserve volume. Only ActNorm changes it, by one "
    "factor everywhere: the sum of these terms is the same at every point, so p(x) has a single "
    "peak, where z = 0. Clusters of points stay joined by a bridge.",
    "affine": "Affine couplings stretch each point by its own factor: the sum of these terms "
    "depends on the point, and p(x) can have several peaks of different heights.",
}
_KEY = "theatre"


@dataclass(eq=False)
class Sent:
    """How many states one run of the page has sent, and how often the browser had asked by then."""

    n: int = 0
    asked: int | None = None

    def first(self, report: Report) -> int:
        """Return the number of the first state to send now."""
        if self.asked is not None and report.asked != self.asked:
            self.n = min(self.n, report.start)
        self.asked = report.asked
        return self.n


def toy_choice() -> ToyChoice | None:
    """Draw the choice of points, flow and training; None while too few points are drawn.

    Raises:
        InputError: A flow that cannot be.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shape, coupling, seed = _shape(), _coupling(), _seed()
    points = _drawn() if shape == DRAWN else draw_shape(shape, N_POINTS, seed=seed)
    sliders = _sliders()
    if points is None:
        return None
    return ToyChoice(points=points, coupling=coupling, seed=seed, **sliders)


def _shape() -> str:
    shape: str = st.selectbox(
        "Points",
        [*ToyShape, DRAWN],
        key="shape",
        bind="query-params",
        help=f"{N_POINTS:,} points of a shape, from the seed; or draw your own, which the "
        "address does not hold.",
    )
    return shape


def _coupling() -> str:
    """Draw the choice of the coupling, and show that there is one level."""
    coupling: str = st.selectbox(
        "Coupling",
        ["additive", "affine"],
        key="toy_coupling",
        bind="query-params",
        help="additive, as in the paper, preserves volume: only ActNorm changes it, by one factor "
        "everywhere, so the density has one peak. affine also stretches, point by point.",
    )
    st.number_input(
        "Levels",
        1,
        1,
        disabled=True,
        key="toy_levels",
        help="A second level has half of the features: here one, with nothing to condition it.",
    )
    return coupling


def _seed() -> int:
    return int(
        st.number_input(
            "Seed of the toy",
            0,
            10_000,
            0,
            key="toy_seed",
            bind="query-params",
            help="Of the shape, the initial flow and the order of the points.",
        )
    )


def _sliders() -> dict[str, Any]:
    places = st.columns(len(SLIDERS))
    return {
        name: place.slider(
            label,
            *BOUNDS[name],
            default,
            step,
            format="%.4f" if name == "lr" else "%d",
            key=f"toy_{name}",
            bind="query-params",
            help=explained,
        )
        for place, (name, (label, default, step, explained)) in zip(
            places, SLIDERS.items(), strict=True
        )
    }


def _drawn() -> FloatArray | None:
    """Draw the pad for the visitor's points; None, with the reason, while they cannot be used."""
    try:
        points = drawn_points(key="pad")
    except InputError as error:
        problem(error)
        return None
    if points is None:
        st.info("Nothing is drawn yet: drag over the square to scatter points.")
    return points


def toy_panel(live: Live[PlaneFit]) -> None:
    """Show a fit on the plane while it runs, and its states and layers afterwards."""
    is_live = live.job.is_live
    st.fragment(_toy, run_every=POLL_SECONDS if is_live else None)(live, Sent(), is_live)


def _toy(live: Live[PlaneFit], sent: Sent, was_live: bool) -> None:
    fit_buttons(live, was_live, key="toy")
    states = tuple(live.seen.states)
    if not states:
        return
    scene = _scene(live)
    try:
        report = decode(state.reported(_KEY, "report"), scene)
    except InputError as error:
        problem(error)
        report = Report()
    number = len(states) - 1 if report.state is None else min(report.state, len(states) - 1)
    at = report.at or (float(scene.points[0, 0]), float(scene.points[0, 1]))
    way, view = _layers(live.seen.choice, states[number], number, scene, at)
    first = sent.first(report)
    payload = encode(
        scene,
        states[first:],
        first=first,
        is_live=was_live,
        layers=None if was_live else view,
        at=at,
    )
    sent.n = len(states)
    flow_view(payload, key=_KEY)
    _formula(way, states[number], at)
    st.write(VOLUME[live.seen.choice.coupling])


def _scene(live: Live[PlaneFit]) -> Scene:
    from bertflow_core.flows.plane import box_around, latent_lines

    points = live.seen.choice.points
    return Scene(live.seen.run, box_around(points), points[:SHOWN_POINTS], latent_lines())


def _layers(
    choice: ToyChoice, shown: "PlaneState", number: int, scene: Scene, at: tuple[float, float]
) -> "tuple[Trace, LayerView]":
    from bertflow_core.flows.plane import flow_of, trace_plane

    flow = flow_of(shown)
    points, lines = trace_plane(flow, np.concatenate([scene.points, [at]]))
    found = points.states.numpy()
    view = LayerView(number, points.names, found[:, :-1], lines, found[:, -1])
    return points, view


def _formula(way: "Trace", shown: "PlaneState", at: tuple[float, float]) -> None:
    """Write the change of variables for the clicked point, the last row of the trace."""
    st.latex(
        r"\log p(x) = \log \mathcal{N}(z; 0, I) + \sum_{l=1}^{L} "
        r"\log \left| \det \frac{\partial h_l}{\partial h_{l-1}} \right|,"
        r"\qquad h_0 = x,\; h_L = z"
    )
    base, ladj = float(way.log_base[-1]), way.ladj[:, -1].tolist()
    z = way.states[-1, -1].tolist()
    st.write(
        f"At x = ({at[0]:.3f}, {at[1]:.3f}), after step {shown.step:,}: z = ({z[0]:.3f}, "
        f"{z[1]:.3f}), and log p(x) = {base:.4f} {'+' if sum(ladj) >= 0 else '-'} "
        f"{abs(sum(ladj)):.4f} = {float(way.log_prob[-1]):.4f} nats."
    )
    places = way.states[:, -1].tolist()
    rows = [
        {
            "Term": name,
            "nats": f"{value:.4f}",
            "Maps to": f"({place[0]:.3f}, {place[1]:.3f})",
        }
        for name, value, place in zip(
            ("log N(z; 0, I)", *way.names, "log p(x)"),
            (base, *ladj, float(way.log_prob[-1])),
            (z, *places[1:], at),
            strict=True,
        )
    ]
    st.dataframe(rows, hide_index=True, height=300, alt="Each layer's term of log p at the point")
