"""The frame of every page: title, sidebar with the recipe, navigation."""

import streamlit as st
from bertflow_app import warmup
from bertflow_app.navigation import pages
from bertflow_app.parts.components import problem
from bertflow_app.parts.recipe_picker import recipe_picker

from bertflow_core.errors import BertFlowError

st.set_page_config(page_title="BERT-flow Lab", page_icon="🧭", layout="wide")
page = st.navigation(pages(), expanded=True)
with st.sidebar:
    recipe_picker()
try:
    page.run()
except BertFlowError as error:
    problem(error)
finally:
    warmup.note_page()
