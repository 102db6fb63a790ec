"""The frame of every page: title, sidebar with the recipe, navigation."""

import streamlit as st
from bertflow_app import first_data, services, state, warmup
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
    needed = NEED_WORDS if services.vectors_of(recipe.dataset) else NEED_NETWORK
    why = needed.get(page.url_path) if recipe.is_static else None
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
