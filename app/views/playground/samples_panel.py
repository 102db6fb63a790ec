"""The samples of the Playground: draws of the Gaussian, and what is nearest to them."""

import streamlit as st
from bertflow_app.jobs import Job
from bertflow_app.parts.components import caption, follow
from bertflow_app.parts.exports import Origin, chart, downloads, origin_of
from bertflow_app.views.playground.jobs import sampled
from bertflow_app.views.playground.latent_space import invertible_spec
from bertflow_app.views.playground.records_table import formats, records_table

from bertflow_core.figures import distance_histograms, likelihood_histograms
from bertflow_core.studies.playground import Playground, Samples, sample_records, samples_report

SAMPLES = (100, 300, 1_000)
SHOWN_SAMPLES = 100
REFERENCE = "reference: samples to other draws of the Gaussian"


def samples_section(built: Job, *, again: bool) -> None:
    """Draw samples and show how far they are from real sentences.

    Args:
        built: The finished job that built the spaces.
        again: Whether to try again what failed or was stopped.

    Raises:
        Busy: Too many jobs are waiting.
    """
    st.write(
        "A Gaussian has no holes. Draw samples from it, map them back by the inverse, and see how "
        "far they are from any real sentence."
    )
    spec = invertible_spec(built.result)
    if spec is None:
        return
    job = sampled(built, spec, _sample_size(), again=again)
    if follow(job):
        _samples_panel(built.result, job.result)


def _sample_size() -> int:
    """Let the visitor choose how many samples are drawn."""
    return int(
        st.select_slider(
            "Samples",
            SAMPLES,
            300,
            key="n_samples",
            bind="query-params",
            help="Draws of the Gaussian with the seed of the sidebar.",
            width=260,
        )
    )


def _samples_panel(playground: Playground, found: Samples) -> None:
    """Show how far samples lie from real sentences, and which are the nearest."""
    for sentence in found.remarks():
        st.text(sentence)
    report = samples_report(playground, found)
    _sample_charts(found, origin_of(report))
    st.subheader("What is nearest to a sample")
    records = sample_records(found)
    records_table(
        records[:SHOWN_SAMPLES],
        formats=formats("distance_latent", "distance_raw"),
        alt="The real sentences nearest to each sample, with distances and log-density",
    )
    caption(
        f"{min(SHOWN_SAMPLES, len(records))} of {len(records):,} samples, seed {found.seed}. Round "
        f"trips: at most {found.errors.max():.1e} of the norm, in {playground.x.dtype}."
    )
    downloads(lambda: report, label="Samples as {}")


def _sample_charts(found: Samples, origin: Origin) -> None:
    latent, raw = (
        {"samples to real sentences": each.samples, "real sentences to other ones": each.real}
        for each in (found.latent, found.raw)
    )
    chart(
        distance_histograms({"latent space": latent | {REFERENCE: found.apart}, "raw space": raw}),
        key="sample-distances",
        alt="Distance to the nearest real sentence, of samples and of real sentences",
        origin=origin,
    )
    caption(
        "The reference, in the latent space only: the distance from a sample to the nearest other "
        "sample. If real sentences filled the latent space as the Gaussian does, samples would be "
        "as near to them. "
        "The real sentences are those that the calibrator was fitted on; in a data set of pairs "
        "the nearest of a sentence is often the one that it is paired with."
    )
    if found.log_density is not None and found.real_log_density is not None:
        groups = {"real sentences": found.real_log_density, "samples": found.log_density}
        chart(
            likelihood_histograms(groups),
            key="sample-densities",
            alt="Log-density of samples and of real sentences",
            origin=origin,
        )
