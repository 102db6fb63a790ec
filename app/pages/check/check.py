"""Check your model: bring data or take the example, then read four answers."""

from bertflow_app.pages.check import advice, bring
from bertflow_app.show import drawer


def draw() -> None:
    """Draw the ways to bring data, the four answers and their evidence."""
    bring.draw()
    drawer(advice.draw())
