"""The options that several commands have: general ones, and one for each field of a recipe."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bertflow_core.calibrators.registry import CALIBRATORS
from bertflow_core.calibrators.spec import Spec
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import OF_PLAIN, TABLE, Recipe
from bertflow_core.params import Parameter, Params, Value, as_text, parameters_of
from bertflow_core.report.report import Form
from bertflow_core.runtime.device import settle_precision

if TYPE_CHECKING:
    from bertflow_core.lab.lab import Lab


def _specs(incomplete: str) -> list[tuple[str, str]]:
    """Return the specs that complete `incomplete`, with descriptions; a + begins a further step."""
    before, plus, begun = incomplete.rpartition("+")
    return [
        (f"{before}{plus}{kind.name}", Spec(kind.name).words)
        for kind in CALIBRATORS.values()
        if kind.name.startswith(begun)
    ]


def _known(option: str) -> Iterable[str]:
    """Return the names that an option accepts; a shell completes files by itself."""
    if option == "dataset":
        from bertflow_core.datasets.catalog import DATASETS  # late: it imports numpy

        return DATASETS
    if option == "layers":
        from bertflow_core.encoders import layers

        return (layers.PLAIN_LAYERS, *layers.layer_sets(12))  # of the first twelve layers
    from bertflow_core.encoders.catalog import CATALOG

    return [encoder.name for encoder in CATALOG.values()]


def _offers(option: str) -> Callable[[str], list[str]] | None:
    """Return the function that completes an option's values in a shell, if they are names."""
    if option not in ("dataset", "layers", "model"):
        return None
    return lambda incomplete: [name for name in _known(option) if name.startswith(incomplete)]


Device = Annotated[
    str | None, typer.Option(help="cpu, cuda, cuda:N or mps; the best available by default.")
]

BatchTokens = Annotated[
    int | None, typer.Option("--batch-size", help="Largest number of tokens per forward pass.")
]

NoStore = Annotated[
    bool, typer.Option("--no-store", help="Embed anew and keep no vectors on disk.")
]

DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder of data sets (senteval/, glue/, snli/); BERTFLOW_DATA by default."),
]


def spec_option(text: str) -> Any:  # noqa: ANN401 - what typer calls an OptionInfo
    """Return an option for specs; its help lists the calibrators, and a shell completes them."""
    help_text = f"{text} Names: {', '.join(CALIBRATORS)}."
    return typer.Option(help=help_text, autocompletion=_specs)


Output = Annotated[Form, typer.Option("--format", help="Form of the result on standard output.")]

Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Refuse a table with unusable rows instead of reporting and skipping them.",
        rich_help_panel=TABLE,
    ),
]


@dataclass(frozen=True)
class Asked:
    """The values of the shared options."""

    recipe: Any  # a recipe, or the parameters of the command's own class
    of_lab: dict[str, Any]  # the arguments of `open_lab`
    layers: tuple[str, ...] = ()  # layer sets, if the command takes several
    models: tuple[str, ...] = ()  # the given models, if the command takes several

    @property
    def lab(self) -> "Lab":
        """The lab with this data folder, device, batch size and store."""
        return open_lab(**self.of_lab)


def open_lab(*, no_store: bool = False, **options: Any) -> "Lab":  # noqa: ANN401 - of `Lab`
    """Return a command's lab; it reports progress of embedding on standard error."""
    from bertflow_core.cli.console import say
    from bertflow_core.lab.lab import Lab  # late: the command line starts without numpy
    from bertflow_core.store import EmbeddingStore, Unstored

    return Lab(store=Unstored() if no_store else EmbeddingStore(tell=say), **options)


def option_of(parameter: Parameter, *, several: bool = False) -> inspect.Parameter:
    """Return the option of a parameter; with `several` it may be repeated."""
    kind = str if parameter.kind is tuple else parameter.kind
    default = parameter.default
    default = as_text(default) if kind is str and default is not None else default
    several = several or kind is list
    option = typer.Option(
        *(parameter.flags or (parameter.option,)),
        help=f"Repeatable: {parameter.help}" if several else parameter.help,
        autocompletion=_offers(parameter.option[2:]),
        rich_help_panel=parameter.panel or None,
    )
    if several:
        kind, default = list[str], None
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind | None if default is None else kind, option],
    )


def with_params(
    kind: type[Params], *names: str, **defaults: Value
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for each parameter of its first argument, or for the `names`."""
    asked = [each for each in _offered(kind) if each.name in (names or (each.name,))]
    asked = [replace(each, default=defaults.get(each.name, each.default)) for each in asked]

    def give(run: Callable[..., None]) -> Callable[..., None]:
        def command(*before: Asked, **given: Any) -> None:  # noqa: ANN401 - any option's type
            chosen = {each.name: given.pop(each.name) for each in asked}
            run(kind(**_read(asked, chosen, given.get("device"))), *before, **given)

        return _with_options(command, run, map(option_of, asked))

    return give


def with_recipe(
    *without: str,
    several_layers: bool = False,
    several_models: bool = False,
    kind: type[Params] = Recipe,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, whose first argument is `Asked`, its own options and those of a recipe.

    Without `layers` it also lacks the options of the plain output. --layers and --model may be
    repeated if there are `several`. If `kind` is not a recipe, the command gets only two of the
    shared options: the data folder and the device.
    """
    if "layers" in without:
        without = (*without, *OF_PLAIN)
    asked = [each for each in _offered(kind) if each.name not in without]
    # The fields of a study come before those of every recipe.
    asked.sort(key=lambda each: hasattr(Recipe, each.name))
    repeatable = {"layers": several_layers, "model": several_models}
    options = [option_of(each, several=repeatable.get(each.name, False)) for each in asked]
    every = [*inspect.signature(_asked).parameters.values()][2:]
    shared = every if issubclass(kind, Recipe) else every[:2]
    general = [each for each in shared if each.name not in without]

    def give(run: Callable[..., None]) -> Callable[..., None]:
        def command(**given: Any) -> None:  # noqa: ANN401 - any option's type
            chosen = {each.name: given.pop(each.name) for each in asked}
            others = {each.name: given.pop(each.name) for each in general}
            layers = tuple(chosen.pop("layers") or ()) if several_layers else ()
            if several_layers and any(chosen[name] for name in OF_PLAIN):
                chosen["layers"] = PLAIN_LAYERS
                if PLAIN_LAYERS not in layers:
                    raise InputError(
                        f"prompts and --truncate-dim belong to layers {PLAIN_LAYERS}: "
                        f"add --layers {PLAIN_LAYERS}"
                    )
            models = tuple(dict.fromkeys(chosen["model"] or ())) if several_models else ()
            if several_models:
                chosen["model"] = models[0] if models else Recipe.model
            if len(models) > 1 and chosen["revision"] is not None:
                raise InputError("--revision applies to one model: give a single --model")
            one = _asked(kind, _read(asked, chosen, others["device"]), **others)
            run(replace(one, layers=layers, models=models), **given)

        return _with_options(command, run, [*options, *general])

    return give


def _offered(kind: type[Params]) -> list[Parameter]:
    """Return the parameters except the calibrator, for which each command has its own help."""
    return [each for each in parameters_of(kind) if each.name != "calibrator"]


def _with_options(
    command: Callable[..., None], run: Callable[..., None], options: Iterable[inspect.Parameter]
) -> Callable[..., None]:
    """Give `command` the name, the help and the options of `run`, followed by `options`."""
    own = [*inspect.signature(run).parameters.values()][1:]
    by_name = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*own, *options)]
    command.__signature__ = inspect.Signature(by_name)  # type: ignore[attr-defined]
    command.__name__, command.__doc__ = run.__name__, run.__doc__
    return command


def _read(asked: Iterable[Parameter], chosen: dict[str, Any], device: str | None) -> dict[str, Any]:
    for each in asked:
        if each.kind is tuple:
            chosen[each.name] = each.parse(chosen[each.name])
        elif each.kind is list:
            chosen[each.name] = tuple(chosen[each.name] or ()) or each.default
    if "precision" in chosen:
        chosen["precision"] = settle_precision(chosen["precision"], device)
    return chosen


def _asked(
    kind: type[Params],
    chosen: dict[str, Any],
    data_dir: DataDir = None,
    device: Device = None,
    strict: Strict = False,
    batch_tokens: BatchTokens = None,
    no_store: NoStore = False,
) -> Asked:
    of_lab: dict[str, Any] = {"data_dir": data_dir, "strict": strict, "no_store": no_store}
    of_lab |= {"device": device, "batch_tokens": batch_tokens}
    return Asked(kind(**chosen), of_lab)
