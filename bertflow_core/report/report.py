"""Results of a study: rows of plain values, their columns, and the forms of output."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from html import escape
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from bertflow_core.params import Params
from bertflow_core.report.remark import ABOVE, Kind, Remark, texts_of
from bertflow_core.text_table import TextTable, to_csv
from bertflow_core.wording import p_text

if TYPE_CHECKING:
    from bertflow_core.figures import Figure

_plain = methodcaller("tolist")  # converts numpy's arrays and numbers for JSON

Row = Mapping[str, Any]
"""Plain values by key. None means "not defined". Lists are for figures and appear in JSON only. CSV
has one column for each key of a mapping."""


Pictures = Mapping[str, "Callable[[], Figure]"]
"""Functions that draw the pictures, by file name without ending."""


class Form(StrEnum):
    """A form that a report is written in."""

    TABLE = "table"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    JSON = "json"

    @property
    def ending(self) -> str:
        """The file ending of this form, without the dot."""
        return {"table": "txt", "markdown": "md", "latex": "tex"}.get(self, self.value)


@dataclass(frozen=True)
class Column:
    """A column of a table for people; programs read the rows unformatted.

    A format is one of Python's, such as `.3f`, `,` or `.60` (cuts a text after 60 characters), or
    `p` for p-values (shows `< 0.01` below 0.01). By default it shows six significant digits.

    Example:
        >>> from bertflow_core.report.report import Column
        >>> Column("rho", "rho x 100", ".2f", times=100).text(0.70812)
        '70.81'
    """

    key: str  # of the values in a row
    label: str = ""
    format: str = ""
    help: str = ""  # the meaning, a clause that is printed under the table
    times: float = 1  # a factor that numbers are multiplied by, such as 100
    ends: bool = False  # whether to show the interval (KEY_low, KEY_high) after the number

    @property
    def header(self) -> str:
        """The label, by default the key with spaces."""
        return self.label or self.key.replace("_", " ")

    def number(self, value: Any) -> Any:  # noqa: ANN401 - a cell
        """Return a value, multiplied by `times` if it is a number."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return value * self.times if is_number and self.times != 1 else value

    def text(self, value: Any) -> str:  # noqa: ANN401 - a cell
        """Return a cell as text; a dash for an undefined value."""
        if value is None:
            return "-"
        if isinstance(value, str):
            return format(" ".join(value.split()), self.format if self.format[1:].isdigit() else "")
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.format == "p":
            return p_text(value)
        spec = self.format or (".6g" if isinstance(value, float) else "")
        return format(self.number(value), spec)

    def cell(self, row: Row) -> str:
        """Return the cell of a row as text; empty if the row lacks the key."""
        if self.key not in row:
            return ""
        low, high = self.interval(row)
        known = low is not None and high is not None
        ends = f" [{self.text(low)}, {self.text(high)}]" if known else ""
        return self.text(row[self.key]) + ends

    def interval(self, row: Row) -> tuple[Any, Any]:
        """Return the interval in a row; None if it is not shown."""
        if not self.ends:
            return None, None
        return row.get(f"{self.key}_low"), row.get(f"{self.key}_high")


@dataclass(frozen=True)
class Table:
    """Rows under columns; a column that no row has is left out."""

    columns: Sequence[Column]
    rows: Sequence[Row] = field(repr=False)
    title: str = ""  # if a report has several tables
    remarks: Sequence[Remark] = ()

    def column(self, key: str) -> Column:
        """Return the column of a key."""
        return next(each for each in self.columns if each.key == key)

    @property
    def shown(self) -> list[Column]:
        """The columns that some row has."""
        return [each for each in self.columns if any(each.key in row for row in self.rows)]

    @property
    def help(self) -> tuple[str, ...]:
        """The meanings of the columns, one sentence each."""
        return tuple(f"{each.header}: {each.help}." for each in self.shown if each.help)

    def as_text(self) -> TextTable:
        """Return the cells as text; the remarks include the meanings of the columns."""
        columns = self.shown
        cells = tuple(tuple(each.cell(row) for each in columns) for row in self.rows)
        header = tuple(each.header for each in columns)
        remarks, above = texts_of(self.remarks), texts_of(self.remarks, *ABOVE)
        return TextTable(header, cells, (*remarks, *self.help), above, self._n_labels())

    def _n_labels(self) -> int:
        """Count the columns at the left that hold names."""
        for n, column in enumerate(self.shown):
            values = [row.get(column.key) for row in self.rows]
            if column.times != 1 or any(
                value is not None and not isinstance(value, str) for value in values
            ):
                return n
        return len(self.shown)

    def write(self, form: Form) -> str:
        """Return the table as text, Markdown or LaTeX, with its title."""
        table = self.as_text()
        if not self.title:
            return table.write(form)
        if form is Form.LATEX:
            return replace(table, remarks=(f"{self.title}.", *table.remarks)).write(form)
        title = f"**{self.title}**" if form is Form.MARKDOWN else self.title
        return f"{title}\n\n{table.write(form)}"


@dataclass(frozen=True)
class Report:
    """The results of one study, with everything they depend on.

    Text, Markdown and LaTeX show the columns; CSV has every plain value of a row, and the recipe;
    JSON has everything.
    """

    name: str  # of the study and of its files
    params: Params  # the parameters that decide the numbers
    columns: Sequence[Column]  # for people; keys without a column are for programs and figures
    rows: Sequence[Row] = field(repr=False)
    title: str = ""  # the question of the study
    remarks: Sequence[Remark] = ()  # they caption every figure
    command: str = ""  # reproduces the numbers; empty if no command does
    tables: tuple[Table, ...] = ()  # further tables
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)  # as in `Result`
    objects: Mapping[str, Any] = field(default_factory=dict, repr=False)  # as in `Result`
    draw: "Callable[[Report], Pictures] | None" = field(default=None, repr=False)
    max_rows: int = 0  # largest number of rows in text, Markdown and LaTeX; 0 shows all
    text_table: TextTable | None = None  # replaces the rows for people
    latex: "Callable[[Report], str] | None" = field(default=None, repr=False)  # special LaTeX
    _drawn: "dict[str, Figure]" = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def table(self) -> Table:
        """The table of the rows."""
        return Table(self.columns, self.rows, remarks=self.remarks)

    def text(self, *kinds: Kind) -> str:
        """Return the remarks of these kinds, by default of all, as one text."""
        return " ".join(texts_of(self.remarks, *kinds))

    def column(self, key: str) -> Column:
        """Return the column of a key."""
        return self.table.column(key)

    def only(self, places: Iterable[int]) -> "Report":
        """Return the report with these rows only, in this order."""
        return replace(self, rows=[self.rows[place] for place in places], max_rows=0)

    def records(self) -> list[Row]:
        """Return the rows with unformatted values, in the columns' order, each with the recipe.

        Mappings are flattened, and lists are left out.
        """
        keys = dict.fromkeys(each.key for each in self.columns)
        keys |= dict.fromkeys(key for row in self.rows for key in row)
        recipe = self.params.columns()
        if "calibrator" in keys:  # each row has its own
            recipe.pop("recipe_calibrator", None)
        flat = [_flat({key: row[key] for key in keys if key in row}) for row in self.rows]
        return [{**row, **{key: recipe[key] for key in recipe if key not in row}} for row in flat]

    def row(self, **values: object) -> Row:
        """Return the first row that has these values."""
        return self.where(**values)[0]

    def where(self, **values: object) -> list[Row]:
        """Return the rows that have these values."""
        return [row for row in self.rows if values.items() <= row.items()]

    def by(self, key: str) -> dict[Any, list[Row]]:
        """Return the rows by their value of a key, in order of first appearance."""
        values = dict.fromkeys(row[key] for row in self.rows)
        return {value: self.where(**{key: value}) for value in values}

    def document(self) -> dict[str, Any]:
        """Return all fields except `objects` as plain values for JSON."""
        tables = {table.title: list(table.rows) for table in self.tables}
        return {
            "study": self.name,
            "title": self.title,
            "recipe": self.params.counting(),
            "command": self.command,
            "remarks": [vars(each) for each in self.remarks],
            **self.facts,
            "rows": list(self.rows),
            **({"tables": tables} if tables else {}),
        }

    def write(self, form: str) -> str:
        """Return the report as text in one of the forms of `Form`."""
        match form := Form(form):
            case Form.CSV:
                return to_csv(self.records())
            case Form.JSON:
                return json.dumps(
                    self.document(), indent=2, ensure_ascii=False, allow_nan=False, default=_plain
                )
            case Form.LATEX if self.latex is not None:
                return self.latex(self)
            case Form.LATEX:
                written = (each.write(form) for each in (self._shown(), *self.tables))
                return "\n\n".join(
                    text.replace(
                        r"\end{table}", rf"\label{{tab:{self.name}-{n}}}" "\n" r"\end{table}"
                    )
                    for n, text in enumerate(written, start=1)
                )
            case _:
                return "\n\n".join(table.write(form) for table in (self._shown(), *self.tables))

    def _shown(self) -> Table | TextTable:
        n = len(self.rows)
        if self.text_table is not None:
            texts, above = texts_of(self.remarks), texts_of(self.remarks, *ABOVE)
            return replace(self.text_table, remarks=texts, above=above)
        if not 0 < self.max_rows < n:
            return self.table
        first = f"The first {self.max_rows:,} of {n:,} rows; csv and json hold all."
        remarks = (*self.remarks, Remark(Kind.METHOD, first))
        return replace(self.table, rows=self.rows[: self.max_rows], remarks=remarks)

    def pictures(self) -> Pictures:
        """Return the pictures by file name without ending, as functions that draw them."""
        return {} if self.draw is None else self.draw(self)

    def figure(self, name: str) -> "Figure":
        """Return one picture, drawn once and shared: copy it before changing it."""
        if name not in self._drawn:
            self._drawn[name] = self.pictures()[name]()
        return self._drawn[name]

    def figures(self) -> "dict[str, Figure]":
        """Return every picture."""
        return {name: self.figure(name) for name in self.pictures()}

    def _repr_html_(self) -> str:
        """Return the tables, remarks and command as a notebook shows them."""
        parts = [f"<h4>{escape(self.title)}</h4>"] if self.title else []
        for table in (self._shown(), *self.tables):
            text = table if isinstance(table, TextTable) else table.as_text()
            lines = [_html_line("th", text.header), *(_html_line("td", row) for row in text.rows)]
            parts.append(f"<table>{''.join(lines)}</table>")
            parts += [f"<p>{escape(' '.join(text.remarks))}</p>"]
        return "".join([*parts, f"<pre>{escape(self.command)}</pre>"])


def _html_line(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _flat(row: Row) -> dict[str, Any]:
    """Return the plain values of a row; mappings are flattened and lists are left out."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= {f"{key}_{inner}": each for inner, each in _flat(value).items()}
        elif value is None or isinstance(value, str | int | float):
            flat[key] = value
    return flat
