"""The walk of the Playground: from one typed sentence to another through the latent space."""

from typing import Any

import streamlit as st
from bertflow_app.jobs import Job
from bertflow_app.parts.components import caption, cell, follow
from bertflow_app.parts.exports import Origin, chart, downloads, origin_of
from bertflow_app.views.playground.jobs import walked
from bertflow_app.views.playground.latent_space import invertible_spec
from bertflow_app.views.playground.records_table import formats, records_table

from bertflow_core.figures import walk_lines
from bertflow_core.studies.playground import Playground, Typed, Walk, walk_records, walk_report

STEPS = (5, 11, 21, 51)


def walk_section(built: Job, typed: Job, *, again: bool) -> None:
    """Let the visitor walk from one typed sentence to another.

    Args:
        built: The finished job that built the spaces.
        typed: The finished job that compared the typed sentences.
        again: Whether to try again what failed or was stopped.

    Raises:
        Busy: Too many jobs are waiting.
    """
    st.write(
        "Walk from one sentence to another: along a straight line and a great circle in the latent "
        "space, mapped back by the inverse, and along a straight line in the raw space, mapped "
        "forward. Everything is measured in the latent space."
    )
    spec = invertible_spec(built.result)
    if spec is None:
        return
    job = walked(built, typed, spec, **_walk_choices(typed.result.typed), again=again)
    if follow(job):
        _walk_panel(built.result, job.result)


def _walk_choices(typed: Typed) -> dict[str, Any]:
    """Draw the choice of ends, steps and metric; return it with ends counted from 0."""
    n = len(typed.sentences)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ends = _end("From", "walk_from", 0, n), _end("To", "walk_to", n - 1, n)
        n_steps, metric = _steps(), _metric()
    for word, place in zip(("From", "To"), ends, strict=True):
        st.text(f"{word} {place + 1}: {typed.sentences[place]}")
    return {"start": ends[0], "end": ends[1], "n_steps": n_steps, "metric": metric}


def _end(label: str, key: str, place: int, n: int) -> int:
    """Let the visitor choose one of n sentences, by default that of a place; return its place."""
    number = st.selectbox(
        label,
        list(range(1, n + 1)),
        index=place,
        key=key,
        bind="query-params",
        help="A sentence by its number in the box.",
        width=110,
    )
    return int(number) - 1


def _steps() -> int:
    return st.select_slider(
        "Steps",
        STEPS,
        11,
        key="walk_steps",
        bind="query-params",
        help="Points on each way, both ends among them.",
        width=200,
    )


def _metric() -> str:
    return st.segmented_control(
        "Metric",
        ["cosine", "l2"],
        default="cosine",
        required=True,
        key="walk_metric",
        bind="query-params",
        help="How the nearest real sentence in the latent space is found. By l2, sentences of "
        "small norm are near to everything.",
    )


def _walk_panel(playground: Playground, found: Walk) -> None:
    """Show the three ways: density, distance and the nearest real sentences."""
    for sentence in found.remarks():
        st.text(sentence)
    report = walk_report(playground, found)
    _walk_chart(found, origin_of(report))
    st.subheader("The nearest real sentences")
    st.dataframe(
        [
            {"Step": step + 1, "Share": f"{share:.2f}"}
            | {str(way.name): cell(found.sentences[way.rows[step]]) for way in found.ways}
            for step, share in enumerate(found.fractions)
        ],
        hide_index=True,
        height="content",
        alt="The nearest real sentence at each step of each way",
    )
    records = walk_records(found)
    with st.expander("Every number of the walk"):
        records_table(
            records,
            formats=formats(found.metric),
            alt="Nearest sentence, norm, log-density and round-trip error of every step",
        )
    st.text(
        f"Round trip T(T^-1(z)) against z: at most {found.largest_error:.1e} of the norm of z, in "
        f"{playground.x.dtype}."
    )
    downloads(lambda: report, label="Walk as {}")


def _walk_chart(found: Walk, origin: Origin) -> None:
    band = found.log_density
    densities = {
        str(way.name): way.log_density for way in found.ways if way.log_density is not None
    }
    chart(
        walk_lines(
            found.fractions,
            {str(way.name): way.values for way in found.ways},
            title=f"{'distance' if found.metric == 'l2' else 'cosine'} of the nearest",
            log_density=None if band is None else densities,
            band=None if band is None else (band.low, band.median, band.high),
        ),
        key="latent-walk",
        alt="Log-density and the nearest real sentence along three ways from one end to the other",
        origin=origin,
    )
    if band is None:
        caption(f"{found.spec} has learnt no density.")
