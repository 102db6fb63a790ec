"""The wall: the same rows in up to six spaces, with one brush through all of them."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app import uploads
from bertflow_app.pages.space.wall_choices import choose_picture, choose_wall
from bertflow_app.pages.space.wall_panels import fidelity_table, wall_panel
from bertflow_app.parts.components import end_page, say_notes
from bertflow_app.parts.terms import meaning
from bertflow_app.parts.work import Fold, ask, follow, named_specs
from bertflow_app.shared import Shared
from bertflow_app.show import depends_on

from bertflow_core.datasets.own_table import other_columns
from bertflow_core.lab import Lab
from bertflow_core.layer_choices import of_layers
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.page import MAX_ROWS_ALONE, TOPICS_NOTE
from bertflow_core.studies.wall.rows import frequency_finding

if TYPE_CHECKING:
    from bertflow_core.studies.wall.recipe import Picture, WallRecipe
    from bertflow_core.studies.wall.spaces import Wall
    from bertflow_core.studies.words.recipe import WordRecipe


def draw() -> None:
    """Draw it."""
    st.markdown(
        "The same sentences or words stand side by side in up to six spaces, each with its own "
        "model, layers or calibrator. Select rows in one picture, and they are marked in all of "
        "them.",
        help=meaning("layer", "calibrator"),
    )
    fold = Fold()
    with fold.drawing():
        recipe = choose_wall()
        picture, judged = choose_picture(of_words=recipe.of_words)
        built = spaces(recipe)
    specs = tuple(dict.fromkeys(pane.calibrator for pane in recipe.panes))
    wall: Wall = ask(
        "Build the spaces",
        built,
        fold=fold,
        choices=("words" if recipe.of_words else "sentences", named_specs(specs), picture.method),
        help="Embeds the rows once per encoder and layer set, and fits each calibrator.",
    )
    start = built.pressed or None
    at_once = replace(picture, method="pca") if picture.method == "umap" else picture
    drawn = _drawn(built, at_once, judged=judged and at_once is picture)
    if not follow(drawn.find(start=start)):
        end_page()
    st.write(frequency_finding(wall))
    if picture is not at_once:  # PCA stands in while UMAP lays out
        layout = _drawn(built, picture, judged=True)
        if follow(layout.find(start=start)):
            drawn, at_once = layout, picture
    noted = [f"{space.name}: {note}." for space in wall.spaces for note in space.notes]
    if recipe.of_words:  # fitted on every row of the word table: there are no more
        depends_on(" ".join(noted))
    else:
        say_notes(noted)
    wall_panel(drawn.result)
    _page_panel(drawn)
    with st.expander("How faithful are the pictures?", icon=":material/straighten:"):
        fidelity_table(drawn.result)
    of_topics = () if recipe.of_words else (TOPICS_NOTE,)
    depends_on(" ".join((*wall.remarks(at_once), *of_topics)))


def spaces(recipe: "WallRecipe") -> Shared:
    """Return the work that embeds the rows of a wall and fits the calibrator of every pane."""
    # Each pane makes some of the sidebar's choices for itself.
    base: Recipe | WordRecipe = recipe.base.with_(calibrator=Recipe.calibrator)
    layers = recipe.layers
    if isinstance(base, Recipe):
        layers = layers or (base.layers,)
        base = of_layers(base, layers).with_(aggregation=Recipe.aggregation)
    return Shared(_built, base, replace(recipe, base=base, layers=layers))


def _built(base: "Recipe | WordRecipe", lab: Lab, recipe: "WallRecipe") -> "Wall":
    from bertflow_core.studies.wall.rows import build_wall

    more = None
    if isinstance(recipe.base, Recipe):
        upload, reading = uploads.table_of(recipe.base.dataset), uploads.reading_of(recipe.base)
        more = other_columns(upload, reading) if upload and reading else None
    return build_wall(replace(recipe, base=base), lab, more=more)


def _drawn(built: Shared, picture: "Picture", *, judged: bool) -> Shared:
    return Shared("studies.wall.drawing:draw_wall", built, picture, judged)


def _page_panel(drawn: Shared) -> None:
    """Offer the wall as one HTML file; the neighbours of all rows take a job of their own."""
    pressed = st.button(
        "The wall as one file",
        icon=":material/web_asset:",
        disabled=len(drawn.result.wall.texts) > MAX_ROWS_ALONE,
        help="An HTML page with linked panes, lasso, search and neighbours that needs no network. "
        f"Every row's neighbours are looked for first. At most {MAX_ROWS_ALONE:,} rows.",
    )
    written = Shared("studies.wall.page:wall_page", drawn)
    if not follow(written.find(start=pressed)):
        return
    page = written.result
    st.download_button(
        f"Save {page.file} ({len(page.html) / 1e6:.1f} MB)",
        lambda: page.html,
        page.file,
        "text/html",
        type="primary",
        icon=":material/download:",
        on_click="ignore",
    )
