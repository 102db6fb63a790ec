"""The frame of every page: title, sidebar with the recipe, navigation."""

import streamlit as st
from bertflow_app import first_data, state, warmup
from bertflow_app.address import arrive
from bertflow_app.by_itself import leave_behind
from bertflow_app.navigation import NEED_NETWORK, NEED_NO_RECIPE, NEED_WORDS, pages
from bertflow_app.parts.components import PageEnd, problem
from bertflow_app.parts.recipe_picker import recipe_picker

from bertflow_core.errors import BertFlowError

st.set_page_config(page_title="BERT-flow Lab", page_icon="🧭", layout="wide")
page = st.navigation(pages(), expanded=True)
arrival = arrive()
state.seen_jobs().clear()
state.said().clear()
notice = st.container()
with st.sidebar:
    recipe_picker(NEED_NO_RECIPE.get(page.title, ""))
try:
    recipe = state.current_recipe()
    needed = NEED_NETWORK if recipe.source.has_words else NEED_WORDS
    why = None if recipe.source.has_layers else needed.get(page.url_path)
    if why is not None:
        st.title(page.title)
        st.info(f"This page is passed over while vectors without a network are chosen: {why}.")
    else:
        page.run()
except BertFlowError as error:
    if str(error) not in state.said():
        problem(error)
except PageEnd:
    pass
finally:
    arrival.compare()
    with notice:
        arrival.say(page.url_path)
    warmup.note_page()
    state.note_page()
if state.is_untouched():
    first_data.want()
leave_behind()
