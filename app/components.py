"""Pieces that pages share: the recipe picker, a job's progress, notices."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st
from bertflow_app import services, state
from bertflow_app.jobs import Job, State

from bertflow_core.encoders.catalog import CATALOG
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.experiment import Result
from bertflow_core.recipe import Recipe
from bertflow_core.report import compare, guard_formula, percent, to_csv, to_json, to_latex

__all__ = [
    "cell",
    "comparison_table",
    "downloads",
    "follow",
    "problem",
    "recipe_picker",
    "use_table",
]

POLL_SECONDS = 0.5
SHOWN_CHARACTERS = 500
_LAYER_SETS = ("last", "last2", "first-last")


def recipe_picker() -> None:
    """Draw the sidebar's controls and keep the recipe they make; each is part of the URL."""
    st.header("Recipe", help="Everything that decides a number. The address bar holds it.")
    values = {**_pick_encoder(), **_pick_data()}
    with st.expander("More"):
        values |= _pick_protocol(values.pop("fit_choices"))
    state.keep_recipe(Recipe(**values))


def _pick_encoder() -> dict[str, Any]:
    model = st.selectbox(
        "Model",
        list(CATALOG),
        key="model",
        bind="query-params",
        help="Encoders by short name; minilm is installed, the others come from the hub.",
    )
    layers = [f"layer:{k}" for k in range(CATALOG[model].n_layers + 1)]
    chosen = st.selectbox(
        "Layers",
        [*layers, *_LAYER_SETS],
        index=layers.index(Recipe.layers),
        key="layers",
        bind="query-params",
        help="layer:0 is the embedding output; last2 is the paper's wording, first-last what its "
        "authors ran.",
    )
    tokens = st.segmented_control(
        "Token pooling",
        ["mean", "cls", "max"],
        default="mean",
        required=True,
        key="tokens",
        bind="query-params",
        help="How a sentence's token vectors become one vector.",
    )
    return {"model": model, "layers": chosen, "tokens": tokens}


def _pick_data() -> dict[str, Any]:
    infos = {info.name: info for info in services.data_sets() if info.found}
    upload = state.known_upload()
    dataset = st.selectbox(
        "Data",
        [*infos, *([upload] if upload else [])],
        key="dataset",  # no labels of its own: the address bar would hold the label
        bind="query-params",
        help="Pairs of sentences with gold scores: built in, from the folder that BERTFLOW_DATA "
        "names, or a table you upload under Data & models.",
    )
    if dataset not in infos:
        st.text(services.dataset_label(dataset))
        return {"dataset": dataset, "fit_choices": ["target"], **_pick_columns(dataset)}
    splits = [split for split, _ in infos[dataset].splits]
    split = st.selectbox(
        "Split",
        splits,
        index=splits.index("test") if "test" in splits else 0,
        key="split",
        bind="query-params",
        help="The pairs that are scored.",
    )
    fit_choices = ["target", "train"] if "train" in splits else ["target"]
    return {"dataset": dataset, "split": split, "fit_choices": fit_choices}


def _pick_columns(dataset: str) -> dict[str, str | None]:
    """Let the visitor say which columns of an uploaded table hold what."""
    try:
        header, guess = services.columns_of(dataset), services.guessed_columns(dataset)
    except BertFlowError:
        return {}  # the page says why
    if not guess:
        return {}
    nothing = services.no_column(header)

    def pick(field: str, label: str, options: Sequence[str]) -> str | None:
        column = st.selectbox(
            label,
            options,
            index=options.index(guess[field]),
            key=field,
            bind="query-params",
            help="A column of your table.",
        )
        return None if column == nothing else column

    return {
        "sentence1": pick("sentence1", "First sentences", header),
        "sentence2": pick("sentence2", "Second sentences", header),
        "score": pick("score", "Gold scores", (nothing, *header)),
        "subset": pick("subset", "Subsets", (nothing, *header)),
        "scale": st.text_input(
            "Gold scale",
            key="scale",
            bind="query-params",
            placeholder="lowest,highest",
            help="For example 0,10; empty takes 0 to 1 or 0 to 5.",
        )
        or None,
    }


def use_table(dataset: str) -> None:
    """Choose an uploaded table as the data, and of its columns what each seems to be."""
    try:
        columns = services.guessed_columns(dataset)
    except BertFlowError:
        columns = {}  # the page says why
    state.choose(dataset=dataset, scale="", **columns)


def _pick_protocol(fit_choices: list[str]) -> dict[str, Any]:
    fit_on = st.segmented_control(
        "Fit corpus",
        fit_choices,
        default="target",
        required=True,
        key="fit_on",
        bind="query-params",
        help="target: every sentence of the data set, without gold scores, as in the paper.",
    )
    seed = st.number_input(
        "Seed", 0, 10_000, 0, key="seed", bind="query-params", help="Seed of the flow."
    )
    aggregation = st.segmented_control(
        "Aggregation",
        ["all", "mean", "wmean"],
        default="all",
        required=True,
        key="aggregation",
        bind="query-params",
        help="Over subsets: all pairs at once, mean of rhos, or weighted by pairs (Li et al.).",
    )
    return {"fit_on": fit_on, "seed": int(seed), "aggregation": aggregation}


def problem(error: BertFlowError | str) -> None:
    """Show one sentence that says what is wrong; it may hold untrusted text, so it is plain."""
    with st.container(border=True):
        st.markdown(":material/error: **This cannot be done**")
        st.text(str(error))


def cell(text: str) -> str:
    """Return untrusted text for a table: cut, and safe in the CSV that every table offers."""
    return guard_formula(text[:SHOWN_CHARACTERS])


def comparison_table(results: Sequence[Result]) -> None:
    """Show calibrators side by side, arrows against the first, with the recipe as the caption."""
    rows = [
        {
            "Calibrator": row.calibrator,
            "rho x 100": percent(row.rho),
            "Change": _arrow(row.change),
            "Pearson x 100": percent(row.pearson),
            "Mean random cosine": f"{row.random_cosine:.3f}",
            "Fit (s)": f"{row.fit_seconds:.2f}",
        }
        for row in compare(results)
    ]
    st.dataframe(rows, hide_index=True, alt="Spearman's rho of each calibrator, and its change")
    prepared = results[0].prepared
    st.caption(
        f"{prepared.recipe.with_(calibrator=results[-1].spec).caption()}. "
        f"{results[0].scores.n_pairs:,} pairs; {prepared.n_cut} of {prepared.n_sentences:,} "
        "distinct sentences were cut."
    )


def _arrow(change: float | None) -> str:
    """Say with a sign and a shape, not with a colour alone, which way rho went."""
    if change is None:
        return ""
    if abs(change) < 5e-5:
        return "= 0.00"
    return f"{'▲' if change > 0 else '▼'} {100 * change:+.2f}"


def downloads(results: Sequence[Result], chosen: Result) -> None:
    """Offer the table in three forms, and the vectors and calibrator of the one `chosen`."""
    table = {
        "Table as CSV": (to_csv, "results.csv", "text/csv"),
        "Table as LaTeX": (to_latex, "results.tex", "text/plain"),
        "Everything as JSON": (to_json, "results.json", "application/json"),
    }
    with st.container(horizontal=True):
        for label, (write, name, mime) in table.items():
            st.download_button(label, partial(write, results), name, mime, on_click="ignore")
        st.download_button(
            f"Vectors under {chosen.spec}",
            partial(services.calibrated_vectors, chosen),
            "calibrated.npy",
            on_click="ignore",
            help="float32, shape (2 N, K): pair i is at rows 2 i and 2 i + 1.",
        )
        st.download_button(
            f"Fitted {chosen.spec}",
            partial(services.saved_calibrator, chosen),
            "calibrator.zip",
            on_click="ignore",
            help="A folder for `bertflow-lab calibrate --calibrator`.",
        )


def follow(job: Job) -> bool:
    """Show a job's progress with a way to stop it; return whether its result is there."""
    snapshot = job.watch(services.present(state.visitor()))
    if snapshot.is_live:
        _live_progress(job)
        return False
    if snapshot.state is State.CANCELLED:
        st.info("Stopped. What was embedded so far is kept; press the button to go on.")
    if snapshot.state is State.FAILED:
        if job.error is not None and not isinstance(job.error, InputError | BertFlowError):
            raise job.error  # the server's handler logs it and shows a reference
        problem(snapshot.error or "unknown failure")
    return snapshot.state is State.DONE


@st.fragment(run_every=POLL_SECONDS)
def _live_progress(job: Job) -> None:
    snapshot = job.watch(services.present(state.visitor()))
    if not snapshot.is_live:
        st.rerun()
    share = min(1.0, snapshot.done / snapshot.total)
    left = "" if snapshot.seconds_left is None else f", about {snapshot.seconds_left:.0f} s left"
    waiting = "Waiting for another computation" if snapshot.state is State.QUEUED else "Starting"
    what = f"{snapshot.done:,} of {snapshot.total:,} {snapshot.unit}" if snapshot.unit else waiting
    st.progress(share, text=f"{what}{left}")
    st.button("Stop", icon=":material/stop:", on_click=_leave, args=(job,))


def _leave(job: Job) -> None:
    if not job.leave(state.visitor()):
        st.toast("Somebody else waits for the same computation, so it goes on.")
