"""The wall: the same rows in up to six spaces, with one brush through all of them."""

from dataclasses import replace

import streamlit as st
from bertflow_app import models, services, state, uploads
from bertflow_app.browser.canvas import WallState, marks
from bertflow_app.browser.canvas import wall as canvas
from bertflow_app.shared import Shared
from bertflow_app.show import Origin, drawer, save_table
from bertflow_app.widgets.choices import (
    bound,
    calibrator_picker,
    more_layers,
    recipe_of_words,
)
from bertflow_app.widgets.components import cell, end_page, save_button, say_notes, show_rows
from bertflow_app.widgets.neighbours import neighbour_tables
from bertflow_app.widgets.work import Fold, ask, follow

from bertflow_core.analysis.layout import Faithfulness
from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.datasets.own_table import other_columns
from bertflow_core.exhibits.wall.drawing import DrawnWall
from bertflow_core.exhibits.wall.nearest import PaneNeighbours, neighbours_of
from bertflow_core.exhibits.wall.page import MAX_ROWS_ALONE, TOPICS_NOTE
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe, wall_command
from bertflow_core.exhibits.wall.rows import build_wall, frequency_finding
from bertflow_core.exhibits.wall.spaces import Wall
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.layer_choices import of_layers
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.words.recipe import WordRecipe

DEFAULT_CALIBRATORS = ("flow",)
MOST_ROWS = 20_000
TABLES = ("raw", "layer-norm")
NO_COUNTS = "none"
N_NEIGHBOURS = 10
SHOWN_ROWS = 500
_TEXT_WIDTH = 245  # pixels: two panes fit next to the sidebar


def draw() -> None:
    """Draw the wall, its choices and the tables below it."""
    fold = Fold("wall")
    with fold.drawing():
        recipe = choose_wall()
        picture, count_kept = choose_picture(of_words=recipe.of_words)
        built = spaces(recipe)
    specs = tuple(dict.fromkeys(pane.calibrator for pane in recipe.panes))
    wall: Wall = ask(
        "Build the spaces",
        built,
        fold=fold,
        is_quick=True,
        choices=("words" if recipe.of_words else "sentences", ", ".join(specs), picture.method),
        help="Embeds the rows once per model and layer set, and fits each calibrator: about 20 "
        "seconds for some thousand sentences.",
        keeps_last=False,
    )
    start = built.pressed or None
    at_once = replace(picture, method="pca") if picture.method == "umap" else picture
    drawn = _drawn(built, at_once, count_kept=count_kept and at_once is picture)
    if not follow(drawn.find(start=start)):
        end_page()
    if picture is not at_once:  # PCA is shown while UMAP is computed
        layout = _drawn(built, picture, count_kept=True)
        if follow(layout.find(start=start)):
            drawn, at_once = layout, picture
    wall_panel(drawn.result)
    if drawn.result.moves is None:
        st.write(frequency_finding(wall))
    else:
        st.text(drawn.result.moved_finding())  # plain text: it may name folders that were typed
    noted = [f"{space.name}: {note}." for space in wall.spaces for note in space.notes]
    if not recipe.of_words:  # words are already fitted on all rows of their table
        say_notes(noted)
    moved_table(drawn.result)
    _page_panel(drawn)
    with st.expander("How faithful are the pictures?", icon=":material/straighten:"):
        fidelity_table(drawn.result)
    of_topics = () if recipe.of_words else (TOPICS_NOTE,)
    told = (*wall.remarks(at_once), *of_topics, *(noted if recipe.of_words else ()))
    command = "" if wall.recipe is None else wall_command(wall.recipe, at_once)
    drawer(Origin(" ".join(told), command))


def choose_wall() -> WallRecipe:
    """Draw the widgets that choose rows and spaces, in addition to the sidebar's recipe."""
    own = state.current_recipe()
    second = state.second_model(own.model)
    of = st.segmented_control(
        "Rows",
        ["sentences", "words"],
        default="sentences",
        required=True,
        key="wall_rows",
        bind="query-params",
        help="The distinct sentences of the sidebar's data and split, or the words of the "
        "encoder's input table.",
    )
    words = recipe_of_words() if of == "words" else None
    counts = None
    encoders = tuple(filter(None, (own.model, second)))
    left, right = st.columns(2)
    with left:
        if words is None:
            layers = more_layers(encoders, own.layers, "wall_layers")
        else:
            layers = tuple(
                st.multiselect(
                    "Tables",
                    TABLES,
                    default=["raw"],
                    key="wall_tables",
                    bind="query-params",
                    help="The word table as stored, or after the encoder's first LayerNorm.",
                )
            )
    with right:
        max_rows = bound(WallRecipe, "max_rows", default=MOST_ROWS, key="wall_size", step=1_000)
        if words is None:
            sources = services.count_sources()
            names = [*sources, NO_COUNTS]
            name = bound(WallRecipe, "counts", choices=names, default=names[0], key="wall_counts")
            counts = sources.get(name)
    specs = baseline_first(calibrator_picker("wall_calibrators", DEFAULT_CALIBRATORS))
    models.check(own, *encoders)
    return WallRecipe(
        base=own if words is None else words,
        models=encoders,
        layers=tuple(layers),
        calibrators=specs,
        max_rows=max_rows or MOST_ROWS,
        counts=counts,
    )


def choose_picture(*, of_words: bool) -> tuple[Picture, bool]:
    """Draw the choice of projection and metric; return it, and whether to count kept neighbours.

    By default words are compared by Euclidean distance, since their lengths matter, and sentences
    by cosine.
    """
    metric = "l2" if of_words else Picture.metric
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = {
            "method": bound(Picture, "method", key="wall_method"),
            "metric": bound(Picture, "metric", default=metric, key="wall_metric"),
        }
        if chosen["method"] == "umap":
            chosen |= {
                "n_neighbors": bound(Picture, "n_neighbors", key="umap_neighbors", width=130),
                "min_dist": bound(Picture, "min_dist", key="umap_min_dist", width=130, step=0.05),
                "seed": state.current_recipe().seed,
            }
        count_kept = chosen["method"] == "umap" or st.toggle(
            "Count kept neighbours",
            key="wall_kept",
            bind="query-params",
            help="For every point, how many of its 15 nearest neighbours in the full space are "
            "still among its 15 nearest in the picture. Takes seconds for 20,000 rows, minutes for "
            "100,000.",
        )
    if chosen["method"] == "umap":
        st.caption("UMAP runs in its own process. The first run takes half a minute longer.")
    return Picture(**chosen), count_kept


def spaces(recipe: WallRecipe) -> Shared:
    """Return the job that embeds the rows of a wall and fits the calibrator of every pane."""
    # Each pane sets some of the sidebar's choices itself.
    base: Recipe | WordRecipe = recipe.base.with_(calibrator=Recipe.calibrator)
    layers = recipe.layers
    if isinstance(base, Recipe):
        layers = layers or (base.layers,)
        base = of_layers(base, layers).with_(aggregation=Recipe.aggregation)
    return Shared(_built, base, replace(recipe, base=base, layers=layers))


def _built(base: Recipe | WordRecipe, lab: Lab, recipe: WallRecipe) -> Wall:
    more = None
    if isinstance(recipe.base, Recipe):
        upload, reading = uploads.table_of(recipe.base.dataset), uploads.reading_of(recipe.base)
        more = other_columns(upload, reading) if upload and reading else None
    return build_wall(replace(recipe, base=base), lab, more=more)


def _drawn(built: Shared, picture: Picture, *, count_kept: bool) -> Shared:
    return Shared("exhibits.wall.drawing:draw_wall", built, picture, count_kept)


def _page_panel(drawn: Shared) -> None:
    """Offer the wall as one HTML file; a separate job computes the neighbours of all rows."""
    pressed = st.button(
        "The wall as one file",
        icon=":material/web_asset:",
        disabled=len(drawn.result.wall.texts) > MAX_ROWS_ALONE,
        help="An HTML page with linked panes, lasso, search and neighbours. It works offline. "
        f"Every row's neighbours are computed first. At most {MAX_ROWS_ALONE:,} rows.",
    )
    written = Shared("exhibits.wall.page:wall_page", drawn)
    if not follow(written.find(start=pressed)):
        return
    page = written.result
    label = f"Save {page.file} ({len(page.html) / 1e6:.1f} MB)"
    save_button(label, lambda: page.html, page.file, type="primary")


@st.fragment
def wall_panel(drawn: DrawnWall) -> None:
    """Draw the panes and the panels below; a click or a lasso redraws only this part."""
    key = "wall" if drawn.moves is None else "wall_of_models"  # each has its own first colour
    seen = canvas(drawn.payload, key=key)
    lit = _neighbours_panel(drawn, seen)
    st.header("Selection")
    _selection_panel(drawn, seen)
    marks([each.rows.tolist() for each in lit], wall_key=key, key="wall-marks")


def _neighbours_panel(drawn: DrawnWall, seen: WallState) -> tuple[PaneNeighbours, ...]:
    st.header("Neighbours")
    if seen.picked is None:
        st.write("Click a point to list its nearest rows in the full space of every pane.")
        return ()
    texts, metric = drawn.wall.texts, drawn.picture.metric
    nearest = neighbours_of(drawn.wall, seen.picked, N_NEIGHBOURS, metric)
    st.text(cell(texts[seen.picked]))
    neighbour_tables(nearest, texts, metric=metric)
    st.text(
        f"The {len(nearest[0].rows)} nearest by {metric} in the full space, not in the "
        f"picture. The column Change compares with {nearest[0].name}. "
        "Neighbours are ringed in the panes."
    )
    return nearest


def _selection_panel(drawn: DrawnWall, seen: WallState) -> None:
    if seen.selected is None:
        st.write("Draw a lasso, search, or click a category of the legend to list its rows here.")
        return
    rows = seen.selected
    shown = drawn.records(rows[:SHOWN_ROWS])
    show_rows(
        [{k: cell(v) if isinstance(v, str) else v for k, v in row.items()} for row in shown],
        alt="The selected rows, with every column",
    )
    first = f"the first {SHOWN_ROWS:,} of " if len(rows) > SHOWN_ROWS else ""
    st.text(f"{first}{len(rows):,} selected rows; the files hold all of them.")
    save_table(drawn.report(rows), label="Selected rows")


def moved_table(drawn: DrawnWall) -> None:
    """List the rows whose neighbours differ most between models, if there are several."""
    if drawn.moves is None:
        return
    st.header("The ten that moved most")
    rows = [{k: cell(text) for k, text in row.items()} for row in drawn.moved_most()]
    wide = [name for name in rows[0] if name != "Shared"]
    show_rows(
        rows,
        height="content",
        row_height=66,  # long texts wrap from 65 pixels on
        column_config={name: st.column_config.TextColumn(width=_TEXT_WIDTH) for name in wide},
        alt="The ten rows whose neighbours differ most, with their nearest row in every pane",
    )
    st.text(
        f"The column “shared” counts how many of a row's {drawn.moves.k} nearest neighbours in the "
        f"full space of {drawn.panes[0].name} are among its {drawn.moves.k} nearest in the other "
        "pane. With more than two panes it is the mean over them. Among ties, rows whose nearest "
        "neighbour changed come first."
    )


def fidelity_table(drawn: DrawnWall) -> None:
    """Show how faithful each projection is: explained variance and kept neighbours."""
    show_rows(
        [
            {
                "Pane": each.name,
                "Distances in": each.badge,
                "Explained by the axes": _shares(each.explained),
                "Neighbours kept": _kept(each.faithfulness),
            }
            for each in drawn.panes
        ],
        alt="Share of variance explained, and of neighbours kept, by every pane's picture",
    )
    st.write(
        "*Explained by the axes* is their share of the variance (PCA) or of the squared length "
        "(SVD) of the wall's rows. The metric cosine first scales rows to length 1. *Neighbours "
        "kept* is the average share of a point's nearest neighbours in the full space that are "
        "also its nearest in the picture. Where it is low, distances in the picture mean little; "
        "colour the points by it to see where."
    )
    if any(each.faithfulness is None for each in drawn.panes):
        st.write("To count them, switch on **Count kept neighbours** under Choices.")


def _kept(kept: Faithfulness | None) -> str:
    if kept is None:
        return "not counted"
    if kept.mean is None:
        return "none: the picture is one point"
    return f"{100 * kept.mean:.1f} % of {kept.k} (by chance {100 * kept.chance:.1f} %)"


def _shares(explained: tuple[float, ...] | None) -> str:
    return "none" if explained is None else " + ".join(f"{100 * s:.1f} %" for s in explained)
