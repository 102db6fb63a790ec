"""Process a batch of rows, which is an Arrow table from a file or from Ray Data.

`Embed` and `Calibrate` can also be passed to Ray Data's `map_batches`. Each row gets a vector, or
the reason why it has none.
"""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bertflow_core.arrays.saved import digest_of_arrays
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.saved import load_calibrator
from bertflow_core.datasets.parquet import vectors_in
from bertflow_core.datasets.tables import sentence_cell
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError, check_type, nearest
from bertflow_core.lab.embedding import AnyEncoder, embed
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.device import settle_precision
from bertflow_core.store import Unstored
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

ID, TEXT, VECTOR, CUT, REFUSED = "id", "text", "vector", "cut", "refused"
"""Columns of a row: id, text, vector, whether the text was cut, and why a vector is missing."""

Vectors = tuple[FloatArray, np.ndarray, dict[str, np.ndarray]]
"""The vectors of n rows, per row the reason for a missing vector or None, and further columns."""


class Stage:
    """The base class of `Embed` and `Calibrate`, which give each row of a batch a vector."""

    does: ClassVar[str]
    vectors_of: Callable[[Any], Vectors]
    decides: Callable[[], dict[str, Any]]

    def __init__(self, column: str, key: str, *kept: str) -> None:
        self.column, self.key = column, key
        self.columns = tuple(dict.fromkeys((key, *kept, column)))
        if key in (column, CUT, VECTOR, REFUSED):
            raise InputError(
                f"{quoted(key)} cannot be the column of ids as well: choose another --id"
            )

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        """Return the kept columns, `cut` (for texts), `vector` and `refused`."""
        import pyarrow as pa

        cells, columns = cells_of(batch, self.columns)
        x, reasons, more = self.vectors_of(cells)
        refused, flat = pa.array(reasons, pa.string()), np.ascontiguousarray(x, np.float32).ravel()
        x = pa.FixedSizeListArray.from_arrays(flat, x.shape[1], mask=refused.is_valid())
        return pa.table({**columns, **more, VECTOR: x, REFUSED: refused})

    def request(self) -> Any:  # noqa: ANN401 - JSON
        """Return the description of the vectors as a file stores it, with the model resolved."""
        names = {"column": self.column, "key": self.key}
        return json.loads(json.dumps([self.does, {**self.decides(), **names}]))


class Embed(Stage):
    """Give each row of a batch the vector of its text.

    An instance holds no model until it is called. Each process loads the encoder once.

    Args:
        model: Catalogue name, local folder or hub id that every machine can find; or a recipe, of
            which only the fields for vectors are used.
        column: Column of texts.
        key: Column of ids to keep. It may be missing only if its name is `id`.
        device: `cpu`, `cuda`, `cuda:N` or `mps`; None chooses the best of each machine.
        batch_tokens: Largest number of tokens in a forward pass; None chooses it for the device.
        choices: Other fields of a `Recipe`, such as `layers` (by default the plain output),
            `tokens` or `prompt`.

    Example:
        >>> import pyarrow as pa
        >>> from bertflow_core.scale import Embed
        >>> texts = pa.table({"text": ["A dog runs.", None]})
        >>> Embed("minilm")(texts).column("refused").to_pylist()
        [None, 'text is blank']
    """

    does = "embed"

    def __init__(
        self,
        model: str | Recipe = Recipe.model,
        *,
        column: str = TEXT,
        key: str = ID,
        device: str | None = None,
        batch_tokens: int | None = None,
        **choices: Any,  # noqa: ANN401 - any field of a recipe
    ) -> None:
        super().__init__(column, key)
        if not isinstance(model, Recipe):
            precision = settle_precision(choices.pop("precision", Recipe.precision), device)
            model = Recipe(model=model, precision=precision, **{"layers": PLAIN_LAYERS, **choices})
        self.recipe = vectors_recipe(model)
        self._asked = self.recipe, device, batch_tokens

    def vectors_of(self, cells: Any) -> Vectors:  # noqa: ANN401 - of Arrow
        """Embed the texts that are valid sentences."""
        cells, encoder = cells.to_pylist(), _encoder_of(*self._asked)
        reasons, texts = np.full(len(cells), None, object), dict[int, str]()
        for row, cell in enumerate(cells):
            try:
                texts[row] = sentence_cell(cell, self.column)
            except ValueError as error:
                reasons[row] = str(error)
        x, cut = np.zeros((len(cells), encoder.dim), np.float32), np.zeros(len(cells), bool)
        if texts:
            wanted, rows = [(self.recipe.layers, self.recipe.tokens)], [*texts]
            (made,) = embed(encoder, [*texts.values()], wanted, Unstored())
            x[rows], cut[rows] = made.x, made.cut
        return x, reasons, {CUT: cut}

    def decides(self) -> dict[str, Any]:
        """Return the recipe of the vectors, and the resolved encoder."""
        encoder = _encoder_of(*self._asked)
        recipe = self.recipe.with_(revision=encoder.model.revision).counting()
        return {"recipe": recipe, "encoder": encoder.description}


def vectors_recipe(recipe: Recipe) -> Recipe:
    """Return a recipe with only the fields that determine its vectors."""
    return recipe.without("dataset", "split", "calibrator", "fit_on", "seed", "aggregation")


@lru_cache(maxsize=1)
def _encoder_of(recipe: Recipe, device: str | None, batch_tokens: int | None) -> AnyEncoder:
    return Lab(store=Unstored(), device=device, batch_tokens=batch_tokens).encoder(recipe)


class Calibrate(Stage):
    """Calibrate the vector of each row of a batch.

    Args:
        calibrator: A fitted calibrator, or the file of a saved one.
        column: Column of vectors, as lists of numbers.
        key: Column of ids to keep; `text` is kept too. The column of ids may be missing only if its
            name is `id`.

    Example:
        >>> import numpy as np
        >>> import pyarrow as pa
        >>> from bertflow_core import build_calibrator
        >>> from bertflow_core.scale import Calibrate
        >>> fitted = build_calibrator("standardize").fit(np.array([[0.0, 1.0], [2.0, 5.0]]))
        >>> vectors = pa.table({"vector": [[1.0, 3.0], [2.0, 5.0]]})
        >>> Calibrate(fitted)(vectors).column("vector").to_pylist()
        [[0.0, 0.0], [1.0, 1.0]]
    """

    does = "calibrate"

    def __init__(
        self, calibrator: Calibrator | Path | str, *, column: str = VECTOR, key: str = ID
    ) -> None:
        super().__init__(column, key, TEXT)
        self.fitted_with: Any = None
        if not isinstance(calibrator, Calibrator):
            calibrator, config = load_calibrator(calibrator)
            self.fitted_with = config["recipe"]
        self.calibrator = calibrator

    def vectors_of(self, cells: Any) -> Vectors:  # noqa: ANN401 - of Arrow
        """Calibrate the usable vectors."""
        x, reasons = vectors_in(cells, self.column, self.calibrator.n_features_in_)
        some = x if len(x) else np.zeros((1, x.shape[1]), np.float32)
        return self.calibrator.transform(some)[: len(x)], reasons, {}

    def decides(self) -> dict[str, Any]:
        """Return the calibrator and the description of its fit."""
        return {
            "recipe": self.fitted_with,
            "calibrator": self.calibrator.spec,
            "parameters": self.calibrator.resolved_parameters(),
            "digest": digest_of_arrays(self.calibrator.get_state()),
        }


def cells_of(batch: "pa.Table", columns: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """Return the cells of the last column, and the other columns by name.

    Columns of ids and texts may be missing.
    """
    import pyarrow as pa

    check_type(batch, pa.Table, "a batch", 'an Arrow table (batch_format="pyarrow")')
    *kept, column = columns
    for name in {*columns}.difference(batch.column_names, {ID, TEXT}.difference({column})):
        raise InputError(f"there is no column {quoted(name)}: {nearest(name, batch.column_names)}")
    others = {name: batch.column(name) for name in kept if name in batch.column_names}
    cells = batch.column(column).combine_chunks()
    return getattr(cells, "storage", cells), others  # Ray stores a tensor as a list
