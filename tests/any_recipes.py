"""Recipes of every kind that a user can name, for hypothesis, names that look like options too."""

from hypothesis import strategies as st

from bertflow_core.evaluation.similarities import SIMILARITIES
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import ROLES

_TEXTS = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1)
_NAMES = _TEXTS | st.sampled_from(
    ["-", "--", "--help", "-x=1", "--model=y", "=", "a b", "'\"", "$HOME", "%"]
)
_SPECS = ["identity", "whiten:shrinkage=0.1", "standardize+null-top-k:k=6", "flow:lr=1e-3,epochs=1"]
_FIELDS = {
    **dict.fromkeys(("model", "dataset", "split", "fit_on"), _NAMES),
    **dict.fromkeys(
        ("revision", "sentence1", "sentence2", "score", "subset", "scale"), st.none() | _NAMES
    ),
    "precision": st.sampled_from(["float32", "bfloat16", "float16"]),
    "calibrator": st.sampled_from(_SPECS),
    "seed": st.integers(0, 2**32 - 1),
    "aggregation": st.sampled_from(["all", "mean", "wmean"]),
    "metric": st.sampled_from([None, "rho", "auc"]),
    "similarity": st.sampled_from([*SIMILARITIES]),
    "roles": st.sampled_from([None, *ROLES]),
}
_TEMPLATES = st.none() | st.sampled_from(["{text}", "-{text}", "a '{text}' means \"", "--x={text}"])
recipes = st.builds(
    Recipe,
    layers=st.sampled_from(["last", "last2", "first-last", "layer:0", "layer:12"]),
    tokens=st.sampled_from(["mean", "mean-content", "mean-after-first", "cls", "max", "last"]),
    template=_TEMPLATES,
    query_template=_TEMPLATES,
    max_length=st.integers(3, 10_000),
    **_FIELDS,
)
declared_recipes = st.builds(
    Recipe,
    layers=st.just("model"),
    prompt=st.none() | _NAMES,
    query_prompt=st.none() | _NAMES,
    document_prompt=st.none() | _NAMES,
    truncate_dim=st.integers(0, 4096),
    **_FIELDS,
)
