"""The frame of every page: title, sidebar with the recipe, navigation."""

import streamlit as st
from bertflow_app.components import recipe_picker
from bertflow_app.navigation import pages

st.set_page_config(page_title="BERT-flow Lab", page_icon="🧭", layout="wide")
page = st.navigation(pages())
with st.sidebar:
    recipe_picker()
page.run()
