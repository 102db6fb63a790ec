"""Recipes of every kind that a user can name, for hypothesis, names that look like options too."""

from functools import partial

from hypothesis import strategies as st

from bertflow_core.recipe import Recipe

_TEXTS = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1)
_TRICKY = st.sampled_from(
    ["-", "--", "--help", "-x=1", "--model=y", "=", "a b", "'\"", "$HOME", "%"]
)
_NAMES = _TEXTS | _TRICKY
_OPTIONAL = st.none() | _NAMES

_any_recipe = partial(
    st.builds,
    Recipe,
    model=_NAMES,
    revision=_OPTIONAL,
    precision=st.sampled_from(["float32", "bfloat16", "float16"]),
    dataset=_NAMES,
    split=_NAMES,
    sentence1=_OPTIONAL,
    sentence2=_OPTIONAL,
    score=_OPTIONAL,
    subset=_OPTIONAL,
    scale=_OPTIONAL,
    calibrator=st.sampled_from(
        ["identity", "whiten:shrinkage=0.1", "standardize+null-top-k:k=6", "flow:lr=1e-3,epochs=1"]
    ),
    fit_on=_NAMES,
    seed=st.integers(0, 2**32 - 1),
    aggregation=st.sampled_from(["all", "mean", "wmean"]),
    metric=st.sampled_from([None, "rho", "auc"]),
)
recipes = _any_recipe(
    layers=st.sampled_from(["last", "last2", "first-last", "layer:0", "layer:12"]),
    tokens=st.sampled_from(["mean", "cls", "max", "last"]),
    max_length=st.integers(3, 10_000),
)
declared_recipes = _any_recipe(
    layers=st.just("model"), prompt=_OPTIONAL, truncate_dim=st.integers(0, 4096)
)
