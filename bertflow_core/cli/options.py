"""The options that commands share: general ones, and one for each field of a recipe."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bertflow_core.calibrators.catalog import CALIBRATORS
from bertflow_core.cli import completion
from bertflow_core.device import settle_precision
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.static import OWN_FILES
from bertflow_core.errors import InputError
from bertflow_core.params import parameters_of
from bertflow_core.recipe import Recipe
from bertflow_core.report import Form

if TYPE_CHECKING:
    from bertflow_core.experiment import Lab


_TABLE = "Columns of a table"


_OWN = "Vectors of your own"

_HELP = {each.name: each.help for each in parameters_of(Recipe)}


Model = Annotated[
    str,
    typer.Option(
        help=_HELP["model"],
        autocompletion=completion.encoders,
    ),
]

Revision = Annotated[str | None, typer.Option(help=_HELP["revision"])]

Layers = Annotated[
    str,
    typer.Option(
        help=_HELP["layers"],
        autocompletion=completion.layer_sets,
    ),
]

Tokens = Annotated[str, typer.Option(help=_HELP["tokens"])]

MaxLength = Annotated[int, typer.Option(help=_HELP["max_length"])]

Prompt = Annotated[
    str | None,
    typer.Option(help=_HELP["prompt"]),
]

TruncateDim = Annotated[int, typer.Option(help=_HELP["truncate_dim"], min=0)]

Precision = Annotated[
    str,
    typer.Option(
        "--precision",
        "--dtype",
        help=_HELP["precision"],
    ),
]

Vectors = Annotated[
    tuple[Path, Path] | None,
    typer.Option(
        help="Two files of vectors (.npy, .parquet): first and second sides, row by row.",
        rich_help_panel=_OWN,
    ),
]

Gold = Annotated[
    Path | None,
    typer.Option(
        help="Table with a gold score for each row of --vectors; --score and --subset name its "
        "columns.",
        rich_help_panel=_OWN,
    ),
]

Device = Annotated[
    str | None, typer.Option(help="cpu, cuda, cuda:N or mps; the best available by default.")
]

BatchTokens = Annotated[
    int | None, typer.Option("--batch-size", help="Most tokens per forward call.")
]

NoStore = Annotated[
    bool,
    typer.Option(
        "--no-store",
        help="Keep no vectors on disk: embed anew, for this command alone.",
    ),
]

Dataset = Annotated[
    str,
    typer.Option(
        help=_HELP["dataset"],
        autocompletion=completion.data_sets,
    ),
]

DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder of data sets (senteval/, glue/, snli/); BERTFLOW_DATA by default."),
]


def spec_option(text: str) -> Any:  # noqa: ANN401 - what typer calls an OptionInfo
    """Return an option for specs of calibrators, whose names it lists and a shell offers."""
    help_text = f"{text} Names: {', '.join(CALIBRATORS)}."
    return typer.Option(help=help_text, autocompletion=completion.specs)


LayerSets = Annotated[
    list[str] | None,
    typer.Option(
        "--layers",
        help=f"Layer set, repeatable: {_HELP['layers']}",
        autocompletion=completion.layer_sets,
    ),
]

Output = Annotated[Form, typer.Option("--format", help="Form of the result on standard output.")]

FitOn = Annotated[
    str,
    typer.Option(help=_HELP["fit_on"]),
]

Seed = Annotated[int, typer.Option(help=_HELP["seed"])]

Sentence1 = Annotated[str | None, typer.Option(help=_HELP["sentence1"], rich_help_panel=_TABLE)]

Sentence2 = Annotated[str | None, typer.Option(help=_HELP["sentence2"], rich_help_panel=_TABLE)]

Score = Annotated[str | None, typer.Option(help=_HELP["score"], rich_help_panel=_TABLE)]

Subset = Annotated[str | None, typer.Option(help=_HELP["subset"], rich_help_panel=_TABLE)]

Scale = Annotated[
    str | None,
    typer.Option(help=_HELP["scale"], rich_help_panel=_TABLE),
]

Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Refuse a table with rows that cannot be used; without it they are left out and "
        "standard error says which.",
        rich_help_panel=_TABLE,
    ),
]


Metric = Annotated[
    str | None,
    typer.Option(
        help=_HELP["metric"],
    ),
]


@dataclass(frozen=True)
class Asked:
    """The values of the shared options.

    Attributes:
        recipe: The choices.
        data_dir: Folder of the benchmark data.
        device: Where the encoder and a flow run.
        batch_tokens: Most tokens per forward call.
        strict: Refuse a table with rows that cannot be used.
        no_store: Whether no vectors are kept on disk.
        layers: Layer sets in the order of the options, of commands that take several.
    """

    recipe: Recipe
    data_dir: Path | None
    device: str | None
    batch_tokens: int | None
    strict: bool
    no_store: bool
    layers: tuple[str, ...] = ()

    @property
    def lab(self) -> "Lab":
        """The lab with this data folder, device, batch size and store."""
        return open_lab(
            data_dir=self.data_dir,
            device=self.device,
            batch_tokens=self.batch_tokens,
            no_store=self.no_store,
            strict=self.strict,
        )


def own_vectors(vectors: tuple[Path, Path] | None, gold: Path | None) -> tuple[str, str] | None:
    """Return the model and the data set that --vectors and --gold stand for, if they are given.

    Raises:
        InputError: One without the other, or a name that a recipe cannot hold.
    """
    if vectors is None and gold is None:
        return None
    if vectors is None or gold is None:
        raise InputError("--vectors and --gold belong together: give both, or --model vectors")
    if any("," in str(path) for path in vectors):
        raise InputError("a file of vectors must not have a comma in its name: rename it")
    return OWN_FILES + ",".join(map(str, vectors)), str(gold)


def open_lab(
    *,
    device: str | None,
    batch_tokens: int | None,
    no_store: bool,
    data_dir: Path | None = None,
    strict: bool = False,
) -> "Lab":
    """Return the lab of a command: what it embeds is said on standard error, and kept or not."""
    from bertflow_core.cli.console import say
    from bertflow_core.experiment import Lab  # late: the command line starts without numpy
    from bertflow_core.store import EmbeddingStore, Unstored

    store = Unstored() if no_store else EmbeddingStore(tell=say)
    return Lab(
        store=store,
        data_dir=data_dir,
        device=device,
        batch_tokens=batch_tokens,
        strict=strict,
    )


def with_recipe(
    *without: str, several_layers: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, whose first argument is `Asked`, the options of a recipe after its own.

    Args:
        without: Shared options to leave out; the command may define its own by these names. With
            `layers` go those that belong to layers `model`.
        several_layers: Whether --layers may be repeated; the layer sets are in `Asked.layers`.
    """
    if "layers" in without:
        without = (*without, "prompt", "truncate_dim")
    read = _asked_of_several if several_layers else _asked

    def give(run: Callable[..., None]) -> Callable[..., None]:
        options = {**inspect.signature(_asked).parameters}
        if several_layers:
            options["layers"] = inspect.signature(_asked_of_several).parameters["layers"]
        shared = {name: each for name, each in options.items() if name not in without}
        own = list(inspect.signature(run).parameters.values())[1:]

        def command(**given: Any) -> None:  # noqa: ANN401 - any option's type
            asked = read(**{name: given.pop(name) for name in shared})
            run(asked, **given)

        command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*own, *shared.values())]
        )
        command.__name__, command.__doc__ = run.__name__, run.__doc__
        return command

    return give


def _asked_of_several(
    layers: LayerSets = None,
    prompt: str | None = None,
    truncate_dim: int = 0,
    **others: Any,  # noqa: ANN401 - any option's type
) -> Asked:
    """Return what was asked of several layer sets; the recipe is of layers `model` if it need be.

    Raises:
        InputError: A prompt or a width without layers `model`, which they belong to; or with token
            pooling or length, which those layers do not take.
    """
    names = tuple(layers or ())
    if prompt is None and not truncate_dim:
        return replace(_asked(**others), layers=names)
    if DECLARED not in names:
        raise InputError(
            f"--prompt and --truncate-dim belong to layers {DECLARED}: add --layers {DECLARED}"
        )
    names_apart = ("tokens", "max_length")
    if any(
        others.get(name, getattr(Recipe, name)) != getattr(Recipe, name) for name in names_apart
    ):
        raise InputError(
            "--prompt and --truncate-dim cannot stand with --tokens or --max-length, which layers "
            f"{DECLARED} do not take: give two commands, one of --layers {DECLARED} alone"
        )
    asked = _asked(layers=DECLARED, prompt=prompt, truncate_dim=truncate_dim, **others)
    return replace(asked, layers=names)


def _asked(
    model: Model = Recipe.model,
    revision: Revision = None,
    layers: Layers = Recipe.layers,
    tokens: Tokens = Recipe.tokens,
    max_length: MaxLength = Recipe.max_length,
    prompt: Prompt = None,
    truncate_dim: TruncateDim = 0,
    precision: Precision = Recipe.precision,
    dataset: Dataset = Recipe.dataset,
    split: Annotated[str, typer.Option(help=_HELP["split"])] = Recipe.split,
    data_dir: DataDir = None,
    sentence1: Sentence1 = None,
    sentence2: Sentence2 = None,
    score: Score = None,
    subset: Subset = None,
    scale: Scale = None,
    strict: Strict = False,
    metric: Metric = None,
    fit_on: FitOn = Recipe.fit_on,
    seed: Seed = Recipe.seed,
    aggregation: Annotated[str, typer.Option(help=_HELP["aggregation"])] = Recipe.aggregation,
    vectors: Vectors = None,
    gold: Gold = None,
    device: Device = None,
    batch_tokens: BatchTokens = None,
    no_store: NoStore = False,
) -> Asked:
    own = own_vectors(vectors, gold)
    if own is not None:
        if (model, dataset) != (Recipe.model, Recipe.dataset):
            raise InputError("--vectors and --gold stand for --model and --dataset: leave them out")
        model, dataset = own
    recipe = Recipe(
        model=model,
        revision=revision,
        layers=layers,
        tokens=tokens,
        max_length=max_length,
        prompt=prompt,
        truncate_dim=truncate_dim,
        precision=settle_precision(precision, device),
        dataset=dataset,
        split=split,
        sentence1=sentence1,
        sentence2=sentence2,
        score=score,
        subset=subset,
        scale=scale,
        metric=metric,
        fit_on=fit_on,
        seed=seed,
        aggregation=aggregation,
    )
    return Asked(recipe, data_dir, device, batch_tokens, strict, no_store)
