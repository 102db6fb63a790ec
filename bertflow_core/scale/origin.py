"""Where shards come from: the folders that a stage wrote are checked, and name their recipe."""

from pathlib import Path
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.scale.embed import Embed
from bertflow_core.scale.manifest import WHOLE_FORMAT, Request, ShardRecord, read_json
from bertflow_core.scale.outputs import OutputFolder
from bertflow_core.scale.shard import ENDING, Shard
from bertflow_core.wording import quoted

__all__ = ["has_vectors_of", "recipe_of", "sentences_of"]

_OF_VECTORS = (
    "model",
    "layers",
    "tokens",
    "max_length",
    "prompt",
    "truncate_dim",
    "precision",
)


def recipe_of(shards: list[Shard]) -> Recipe | None:
    """Return the recipe that the shards were embedded with, None where no manifest names one.

    Raises:
        InputError: They lie in a folder that is not finished, or in folders of several recipes.
    """
    folders: dict[Path, list[Shard]] = {}
    for shard in shards:
        folders.setdefault(shard.folder, []).append(shard)
    recipes = {folder: _of_folder(folder, each) for folder, each in folders.items()}
    (first, recipe), *others = recipes.items()
    for folder, other in others:
        if other != recipe:
            raise InputError(
                f"{quoted(first)} and {quoted(folder)} hold vectors of different recipes: name "
                "the files of one"
            )
    return recipe


def sentences_of(shard: Shard) -> str | None:
    """Return the sentences that a shard was embedded from, FILE#COLUMN; None where none are known.

    The shard is one of those that `recipe_of` knows the recipe of.
    """
    folder = OutputFolder(shard.folder)
    request = _request(_said(shard))
    record = ShardRecord.read(folder.manifest(shard), request)
    if record is None or not record.source_path.endswith(ENDING):
        return None
    return f"{record.source_path}#{request.choices.get('column')}"


def has_vectors_of(one: Recipe, other: Recipe) -> bool:
    """Tell whether two recipes embed alike; a revision that one leaves open is any."""
    revisions = {each.revision for each in (one, other)} - {None}
    same = (getattr(one, name) == getattr(other, name) for name in _OF_VECTORS)
    return len(revisions) < 2 and all(same)


def _of_folder(path: Path, shards: list[Shard]) -> Recipe | None:
    whole = _said(shards[0])
    if whole.get("format") != WHOLE_FORMAT:
        return None
    request = _request(whole)
    if not _are_finished(OutputFolder(path), whole, shards):
        raise InputError(
            f"{quoted(path)} is not finished, so its files may be of another recipe: run "
            f"`bertflow-lab {request.stage}` on it again"
        )
    recipe = request.choices.get("recipe")
    if request.stage != Embed.name or not isinstance(recipe, dict):
        return None
    return Recipe.from_dict(recipe)


def _request(whole: dict[str, Any]) -> Request:
    choices = whole.get("choices")
    return Request(str(whole.get("stage")), choices if isinstance(choices, dict) else {})


def _said(shard: Shard) -> dict[str, Any]:
    """Return what stands beside a shard of how it and the others were made."""
    return read_json(OutputFolder(shard.folder).whole)


def _are_finished(folder: OutputFolder, whole: dict[str, Any], shards: list[Shard]) -> bool:
    named = whole.get("shards")
    names = set(named) if isinstance(named, dict) else set()
    there = {each.name for each in folder.path.glob(f"*{ENDING}")}
    if len(names) != whole.get("n_shards") or not names <= there:
        return False
    request = _request(whole)
    records = [(each, ShardRecord.read(folder.manifest(each), request)) for each in shards]
    return all(record is not None and record.output.fits(each.path) for each, record in records)
