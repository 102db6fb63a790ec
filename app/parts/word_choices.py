"""The choices that decide a number about words, for Words and the wall."""

import streamlit as st
from bertflow_app import services, state

from bertflow_core.studies.words.recipe import CHOICES, WordRecipe, whole_numbers

HELP = {
    "table": "The vectors as stored, or after the encoder's first LayerNorm.",
    "words": "Whole tokens, or also ## pieces that spell a word.",
    "ranks": "Ranks among the words that the model has, or in the whole list.",
    "digits": "The words zero to nine, which the list counts for digits too.",
    "neighbours": "What can be a neighbour: every row, words and pieces, or whole words.",
    "itself": "Whether a word is its own neighbour.",
}


def recipe_of_words() -> WordRecipe:
    """Draw the choices that decide a number about words.

    Raises:
        InputError: Bins or numbers of neighbours that cannot be.
    """
    sources = services.count_sources()
    left, right = st.columns(2)
    counts = left.selectbox(
        "Frequencies",
        list(sources),
        key="counts",
        bind="query-params",
        help="Lists in word_counts/ of the folder that BERTFLOW_DATA names; the vocabulary's "
        "order is a proxy: later tokens are rarer, digits and pieces stand between them.",
    )
    bins = right.text_input(
        "Bins of rank",
        ",".join(map(str, WordRecipe.bins)),
        key="bins",
        bind="query-params",
        help="Rising edges: 0,100,500 makes the bins 1 to 100 and 101 to 500.",
    )
    with st.popover("Switches", icon=":material/tune:"):
        switches = {
            name: st.radio(
                name.capitalize(),
                choices,
                horizontal=True,
                key=f"words_{name}",
                bind="query-params",
                help=HELP[name],
            )
            for name, choices in CHOICES.items()
        }
    own = state.current_recipe()
    recipe = WordRecipe(model=own.model, seed=own.seed, counts=sources[counts])
    return recipe.with_(bins=whole_numbers("bins", bins), **switches)
