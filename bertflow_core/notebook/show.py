"""The functions of a notebook: `wall`, `wall_of` and `inside`."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING
from uuid import uuid4

from bertflow_core.bars import progress_bars
from bertflow_core.errors import InputError
from bertflow_core.experiment import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall import Picture, WallRecipe, build_spaces
from bertflow_core.studies.wall.alone import check_rows, vectors_payload, wall_payload
from bertflow_core.studies.wall.command import PAGE_ROWS, panes_of
from bertflow_core.studies.wall.payload import with_key

if TYPE_CHECKING:
    from bertflow_core.notebook.widgets import InsideWidget, WallWidget

__all__ = ["inside", "wall", "wall_of"]


def wall(
    recipe: Recipe | None = None,
    calibrators: Sequence[str] = ("identity", "flow"),
    *,
    layers: Sequence[str] = (),
    max_rows: int = PAGE_ROWS,
    picture: Picture | None = None,
    lab: Lab | None = None,
) -> "WallWidget":
    """Show the sentences of a data set in several spaces with one brush through all of them.

    Args:
        recipe: Data and encoder; its calibrator is ignored. None takes the embedded ones.
        calibrators: Specs, a pane each.
        layers: Layer sets, each with every calibrator; the recipe's own if empty.
        max_rows: Of more sentences a random sample is shown; at most 20,000.
        picture: How spaces are drawn; by default PCA in two dimensions, compared by cosine.
        lab: Where data and vectors are found.

    Returns:
        A widget; `selected` holds the rows that are selected, `selected_texts` their texts.

    Raises:
        InputError: A recipe, data or model that cannot be used, more than six panes, or no
            anywidget.
        ResourceError: The disk or the network failed.
    """
    widgets = _widgets()
    recipe = recipe or Recipe()
    check_rows(max_rows)
    panes = panes_of(recipe.model, tuple(layers or (recipe.layers,)), tuple(calibrators))
    chosen = WallRecipe(base=recipe.with_(calibrator="identity"), panes=panes, max_rows=max_rows)
    picture = picture or Picture(seed=recipe.seed)
    with progress_bars() as progress:
        built = build_spaces(chosen, lab or Lab(), progress=progress)
        payload = wall_payload(built, picture, progress=progress)
    return _wall_widget(widgets, payload, built.rows.texts)


def wall_of(
    spaces: Mapping[str, FloatArray], texts: Sequence[str], *, picture: Picture | None = None
) -> "WallWidget":
    """Show vectors of your own, such as those before and after a calibrator, as `wall` does.

    Args:
        spaces: Vectors of the same N texts by the name of the pane, shape (N, D); one to six.
        texts: N texts, at most 20,000.
        picture: As `wall`.

    Raises:
        InputError: No such vectors, or no anywidget.
        ResourceError: The disk refused.
    """
    widgets = _widgets()
    with progress_bars() as progress:
        payload = vectors_payload(spaces, texts, picture or Picture(), progress=progress)
    return _wall_widget(widgets, payload, texts)


def inside(choice: str | None = None) -> "InsideWidget":
    """Show a flow on the plane, trained and taken apart in the notebook's front end.

    Args:
        choice: Shape, coupling, depth, width, learning rate and seed, such as
            `moons-additive-4-16-0.003-0`; None is the usual one.

    Raises:
        InputError: No anywidget.
    """
    shown: InsideWidget = _widgets().InsideWidget(choice=choice)
    return shown


def _wall_widget(widgets: ModuleType, payload: bytes, texts: Sequence[str]) -> "WallWidget":
    # A key of its own: two walls of one notebook share no zoom.
    shown: WallWidget = widgets.WallWidget(texts, payload=with_key(payload, uuid4().hex))
    return shown


def _widgets() -> ModuleType:
    try:
        from bertflow_core.notebook import widgets
    except ImportError as error:
        raise InputError(
            'a picture in a notebook needs anywidget: pip install "bertflow-lab[notebook]"'
        ) from error
    return widgets
