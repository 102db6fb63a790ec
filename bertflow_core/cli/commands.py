"""The frame of all commands: an option that holds one value is refused where it is given twice.

The library keeps the last of them without a word.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

Function = TypeVar("Function", bound=Callable[..., Any])


class Commands(typer.Typer):
    """A group of commands that take each option once, but for those that take many values."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - the library's own
        super().__init__(cls=_Group, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Function], Function]:  # noqa: ANN401 - likewise
        """Return what makes a function a command."""
        return super().command(name, cls=_Command, **options)


class _Command(TyperCommand):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - likewise
        _refuse_repeated(self, ctx, args)
        return super().parse_args(ctx, args)


class _Group(TyperGroup):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - likewise
        _refuse_repeated(self, ctx, args)
        return super().parse_args(ctx, args)


def _refuse_repeated(command: TyperCommand | TyperGroup, ctx: Any, args: list[str]) -> None:  # noqa: ANN401
    """Refuse an option that stands twice among the words of a command.

    Raises:
        TyperException: Wrong usage.
    """
    if not args:
        return  # the command may show its help then
    _, _, given = command.make_parser(ctx).parse_args(args=[*args])
    for param, times in Counter(map(id, given)).items():
        option = next(each for each in given if id(each) == param)
        if times > 1 and option.param_type_name == "option" and not option.multiple:
            name = max(option.opts, key=len)
            ctx.fail(f"{name} is given {times} times: it takes one value, give it once")
