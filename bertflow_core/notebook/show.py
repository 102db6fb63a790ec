"""The functions of a notebook: `wall`, `wall_of` and `flow_plane`."""

from collections.abc import Collection, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING
from uuid import uuid4

from numpy.typing import ArrayLike

from bertflow_core.arguments import checked
from bertflow_core.exhibits.wall.drawing import draw_wall
from bertflow_core.exhibits.wall.page import check_rows, given_wall, wall_payload
from bertflow_core.exhibits.wall.payload import with_key
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe
from bertflow_core.exhibits.wall.rows import build_wall
from bertflow_core.exhibits.wall.spaces import Wall
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.context import progress_bars
from bertflow_core.runtime.lazy import of_extra

if TYPE_CHECKING:
    from bertflow_core.notebook.widgets import FlowPlaneWidget, WallWidget


@checked
def wall(
    recipe: Recipe | None = None,
    calibrators: Sequence[str] = ("identity", "flow"),
    *,
    layers: Sequence[str] = (),
    max_rows: int = WallRecipe.max_rows,
    picture: Picture | None = None,
    lab: Lab | None = None,
) -> "WallWidget":
    """Show the sentences of a data set in several spaces, linked by one brush.

    Args:
        recipe: Data and encoder; its calibrator is ignored. None uses the built-in data and
            encoder.
        calibrators: Specs of calibrators, one pane each.
        layers: Layer sets, each combined with every calibrator; if empty, the recipe's.
        max_rows: Largest number of sentences, at most 20,000; a larger data set is sampled at
            random.
        picture: How spaces are drawn; by default PCA in two dimensions, with neighbours by cosine.
        lab: The lab that loads the data and computes the vectors.

    Returns:
        A widget; `selected` has the selected rows, `selected_texts` their texts.

    Raises:
        InputError: The recipe, data or model cannot be used, there are more than six panes, or
            anywidget is not installed.
        ResourceError: The disk or the network failed.

    Example:
        >>> from bertflow_core import Recipe, wall
        >>> shown = wall(Recipe(dataset="teaching", layers="layer:1"), ["identity"], max_rows=5)
        >>> len(shown.texts), shown.selected
        (5, [])
    """
    check_rows(max_rows)
    widgets, recipe = _widgets(), recipe or Recipe()
    chosen = WallRecipe(
        base=recipe, layers=tuple(layers), calibrators=tuple(calibrators), max_rows=max_rows
    )
    with progress_bars():
        built = build_wall(chosen, lab or Lab())
        return _wall_widget(widgets, built, picture or Picture(seed=recipe.seed))


@checked
def wall_of(
    spaces: Mapping[str, ArrayLike],
    texts: Collection[str],
    *,
    colour: Collection[object] | None = None,
    picture: Picture | None = None,
) -> "WallWidget":
    """Show vectors of your own, such as those before and after a calibrator, as `wall` does.

    Args:
        spaces: For each of one to six panes, its name and vectors of the same N texts: an array,
            shape (N, D), or a column of lists or arrays.
        texts: N texts, at most 20,000.
        colour: N numbers or categories that colour the points; None colours them by length.
        picture: As for `wall`.

    Raises:
        InputError: The vectors cannot be used, or anywidget is not installed.
        ResourceError: The disk failed.

    Example:
        >>> import numpy as np
        >>> from bertflow_core import wall_of
        >>> x = np.random.default_rng(0).normal(size=(3, 8))
        >>> wall_of({"before": x, "after": x / 2}, ["A dog.", "A cat.", "Rain."]).selected_texts
        []
    """
    widgets = _widgets()
    with progress_bars():
        return _wall_widget(widgets, given_wall(spaces, texts, colour), picture or Picture())


@checked
def flow_plane(choice: str | None = None) -> "FlowPlaneWidget":
    """Show a two-dimensional flow that is trained and inspected in the notebook's front end.

    Args:
        choice: Shape, coupling, depth, width, learning rate and seed, such as
            `moons-additive-4-16-0.003-0`; None is the default choice.

    Raises:
        InputError: anywidget is not installed.

    Example:
        >>> from bertflow_core import flow_plane
        >>> flow_plane("ring-additive-4-16-0.003-0").choice
        'ring-additive-4-16-0.003-0'
    """
    shown: FlowPlaneWidget = _widgets().FlowPlaneWidget(choice=choice)
    return shown


def _wall_widget(widgets: ModuleType, built: Wall, picture: Picture) -> "WallWidget":
    # The key is unique, so that two walls of one notebook do not share their zoom.
    payload = with_key(wall_payload(draw_wall(built, picture)), uuid4().hex)
    shown: WallWidget = widgets.WallWidget(built.texts, payload=payload)
    return shown


def _widgets() -> ModuleType:
    found: ModuleType = of_extra(
        "notebook", "bertflow_core.notebook.widgets", "a picture in a notebook needs anywidget"
    )
    return found
