"""What the wall asks of the core, as jobs that visitors share: its spaces, and its pictures."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key, once

from bertflow_core.datasets import Corpus, RawFile, TableReading, other_columns
from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.analysis.projection import Projection
    from bertflow_core.studies.wall import Column, PanePicture, Picture, Wall, WallRecipe
    from bertflow_core.studies.words.recipe import WordRecipe


@dataclass(frozen=True, eq=False)
class Drawn:
    """A wall as the browser gets it.

    Attributes:
        pictures: A pane each.
        extra: Columns that the pictures add to those of the wall.
        payload: Everything in bytes, made once, so that it is sent once.
    """

    pictures: "tuple[PanePicture, ...]"
    extra: "tuple[Column, ...]"
    payload: bytes = field(repr=False)


@dataclass(frozen=True)
class _Upload:
    """A table that a visitor brought, and what calibrators are fitted on."""

    file: RawFile
    reading: TableReading
    corpus: Corpus


def spaces(recipe: "WallRecipe", *, start: bool) -> Job | None:
    """Return the job that embeds the rows of a wall and fits the calibrator of every pane.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    recipe = _only_what_counts(recipe)
    base = recipe.base
    key = job_key("wall", Recipe(), **recipe.to_dict())
    upload, shown = None, recipe
    if isinstance(base, Recipe):
        upload, shown = _upload_of(base), replace(recipe, base=services.named(base))
    return find_or_start(key, lambda progress: _build(shown, upload, progress), start=start)


def _upload_of(base: Recipe) -> _Upload | None:
    file, reading, data = (
        services.upload_of(base),
        services.reading_of(base),
        services.uploaded_data(base),
    )
    if file is None or reading is None or data is None:
        return None
    return _Upload(file, reading, data[1])


def _only_what_counts(recipe: "WallRecipe") -> "WallRecipe":
    """Return a recipe without the sidebar's choices that every pane makes for itself."""
    base: Recipe | WordRecipe = recipe.base.with_(calibrator=Recipe.calibrator)
    if isinstance(base, Recipe):
        base = base.with_(layers=Recipe.layers, aggregation=Recipe.aggregation)
    return replace(recipe, base=base)


def drawn(built: Job, picture: "Picture", *, judged: bool, start: bool) -> Job | None:
    """Return the job that draws the spaces of a finished job.

    Args:
        built: The job that built them, whose name stands for what was read, uploads included.
        picture: How they are drawn.
        judged: Whether every point is judged by its neighbours, as UMAP's always are.
        start: Whether it was asked for, anew where it failed; PCA and SVD take a moment and are
            drawn without being asked for.

    Raises:
        Busy: Too many jobs are waiting.
    """
    key = job_key("picture", Recipe(), wall=built.key, judged=judged, **picture.to_dict())
    found = built.result

    def work(progress: Progress) -> Drawn:
        return _draw(found, picture, judged, progress)

    if picture.method == "umap":
        return find_or_start(key, work, start=start)
    return once(key, work, again=start)


def _build(recipe: "WallRecipe", upload: _Upload | None, progress: Progress) -> "Wall":
    from bertflow_core.studies.wall import build_spaces

    if upload is None:
        return build_spaces(recipe, progress=progress)
    data = upload.reading.pairs, upload.corpus
    more = other_columns(upload.file, upload.reading)
    return build_spaces(recipe, data=data, more=more, progress=progress)


def _draw(wall: "Wall", picture: "Picture", judged: bool, progress: Progress) -> Drawn:
    from bertflow_app.browser.wall.payload import encode
    from bertflow_app.browser.wall.views import PaneView

    from bertflow_core.studies.wall import faithfulness_column, pictures

    found = pictures(wall, picture, with_faithfulness=judged, progress=progress)
    share = faithfulness_column(found)
    extra = () if share is None else (share,)
    panes = [
        PaneView(each.name, each.badge, _axes(each.projection), each.projection.coordinates)
        for each in found
    ]
    texts = wall.rows.texts
    ids = [f"{place}: {text}" for place, text in zip(wall.rows.ids, texts, strict=True)]
    columns = (*wall.columns, *extra)
    caption = " ".join(wall.remarks(picture))
    return Drawn(found, extra, encode(panes, columns, texts, ids=ids, caption=caption))


def _axes(projection: "Projection") -> tuple[str, ...]:
    """Return a title an axis, with the share that it explains where it has one."""
    name = {"pca": "PC", "svd": "SVD", "umap": "UMAP"}[projection.method]
    dims = projection.coordinates.shape[1]
    of = {"pca": " of the variance", "svd": " of the squares", "umap": ""}[projection.method]
    of = of if dims == 2 else ""  # beside three short axes there is no room
    shares = projection.explained or [None] * dims
    return tuple(
        f"{name} {i}" if share is None else f"{name} {i}, {100 * share:.1f} %{of}"
        for i, share in enumerate(shares, start=1)
    )
