"""What a study's function returns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bertflow_core.params import Params
from bertflow_core.report.remark import Remark
from bertflow_core.report.report import Column, Report, Row, Table
from bertflow_core.text_table import TextTable


@dataclass(frozen=True)
class Result:
    """What a study measured; `Study.report` makes a report of it."""

    rows: Sequence[Row]
    remarks: Sequence[Remark] = ()  # a repeated one counts once
    recipes: Sequence[Params] = ()  # as found, such as with the commit: one for each layer set
    columns: Sequence[Column] = ()  # in place of the declared ones, if these depend on the data
    tables: Sequence[Table] = ()  # further tables
    facts: Mapping[str, Any] = field(default_factory=dict)  # plain values that belong to no row
    objects: Mapping[str, Any] = field(default_factory=dict)  # for pages, never serialised
    max_rows: int = 0  # as in `Report`
    text_table: TextTable | None = None
    latex: Callable[[Report], str] | None = None
