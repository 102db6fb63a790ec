"""What a study has to report, in every form that people paste: one class for commands and pages."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from bertflow_core.recipe import Recipe
from bertflow_core.text_table import TextTable, table_of, to_csv

if TYPE_CHECKING:
    from bertflow_core.figures import Figure

__all__ = ["Form", "Record", "Report"]

Record = Mapping[str, object]
"""One row for programs: plain values by column."""


class Form(StrEnum):
    """How a report is written."""

    TABLE = "table"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    JSON = "json"

    @property
    def ending(self) -> str:
        """The ending of a file in this form, without the dot."""
        return {"table": "txt", "markdown": "md", "latex": "tex"}.get(self, self.value)


@dataclass(frozen=True)
class Report:
    """The tables, records and figures of one study.

    Tables are for people, records for programs. All of them are functions, since a reader asks for
    one form: a page that offers five makes none before a button is pressed.

    Attributes:
        name: What its files are called, without ending.
        tables: Makes what the forms table, Markdown and LaTeX show, one below the other.
        records: Makes the rows of the CSV.
        shared: Columns that every record gets, such as a recipe's.
        document: Makes the JSON object; None writes `shared` and the records.
        remarks: What the numbers depend on, a sentence each: the caption of every figure.
        command: Command line that makes the numbers again; None where there is none.
        figures: Draws the figures, by file name without ending.
    """

    name: str
    tables: Callable[[], tuple[TextTable, ...]]
    records: Callable[[], Sequence[Record]]
    shared: Record = field(default_factory=dict)
    document: Callable[[], Mapping[str, Any]] | None = None
    remarks: tuple[str, ...] = ()
    command: str | None = None
    figures: "Callable[[], Mapping[str, Figure]]" = dict

    @classmethod
    def of_records(
        cls,
        name: str,
        records: Callable[[], Sequence[Record]],
        recipe: Recipe,
        *,
        remarks: Sequence[str] = (),
        command: str | None = None,
    ) -> "Report":
        """Return the report of plain records under one recipe, with a column for every key.

        Args:
            name: What its files are called, without ending.
            records: Makes the rows.
            recipe: What decides the numbers.
            remarks: What else they depend on, a sentence each.
            command: Command line that makes them again.
        """
        remarks = (f"{recipe.caption()}.", *remarks)
        return cls(
            name=name,
            tables=lambda: (table_of(records(), remarks),),
            records=records,
            shared=recipe.columns(),
            document=lambda: {"recipe": recipe.to_dict(), "records": list(records())},
            remarks=remarks,
            command=command,
        )

    def write(self, form: str) -> str:
        """Return the report as text in one of the forms of `Form`."""
        match Form(form):
            case Form.CSV:
                return to_csv(self.records(), self.shared)
            case Form.JSON:
                return json.dumps(self._document(), indent=2, ensure_ascii=False)
            case _:
                return "\n\n".join(table.write(form) for table in self.tables())

    def _document(self) -> Mapping[str, Any]:
        if self.document is not None:
            return self.document()
        return {**self.shared, "records": list(self.records())}
