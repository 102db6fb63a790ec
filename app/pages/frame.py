"""The frame of every page: title, sidebar with the recipe, navigation."""

from pathlib import Path

import bertflow_app
import streamlit as st
from bertflow_app import first_data, state
from bertflow_app.address import arrive, say_unused
from bertflow_app.navigation import pages
from bertflow_app.shared import leave_behind
from bertflow_app.widgets.components import PageEnd, problem
from bertflow_app.widgets.recipe_picker import recipe_picker, use_dropped, use_start
from bertflow_app.work import warmup

from bertflow_core.errors import BertFlowError

_CSS = Path(bertflow_app.__file__).parent / "browser" / "shared" / "look.css"
_LOOK = st.components.v2.component(
    "bertflow_look", css=_CSS.read_text("utf-8"), isolate_styles=False
)
# The style of every page: little room above the title, and no bar over a chart until hovered.

st.set_page_config(page_title="BERT-flow Lab", page_icon="🧭", layout="wide")
page = st.navigation(pages(), expanded=True)
use_start()
asked = arrive()
state.visit().seen_jobs.clear()
state.visit().said.clear()
state.visit().drawn.clear()
use_dropped()
notice = st.container()
try:
    with st.sidebar:
        _LOOK(height=1)  # before the page, which takes its style from it
        recipe_picker()
    page.run()
except BertFlowError as error:
    if str(error) not in state.visit().said:
        problem(error)
except PageEnd:
    pass
finally:
    with notice:
        say_unused(asked)
    warmup.note_page()
    state.visit().has_page = True
if state.is_untouched():
    first_data.want()
leave_behind()
