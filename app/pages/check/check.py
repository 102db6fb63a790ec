"""Check your model: bring data or take the example, then see whether to calibrate, also by task."""

import streamlit as st
from bertflow_app.pages.check import advice, bring, tasks
from bertflow_app.pages.check.catalogue import catalogue
from bertflow_app.show import drawer


def draw() -> None:
    """Draw the ways to bring data, the check, and the same by task."""
    bring.draw()
    if st.button("Models, data sets and calibrators", icon=":material/menu_book:", type="tertiary"):
        catalogue()
    report, specs = advice.draw()
    tasks.draw(specs)
    drawer(report)
