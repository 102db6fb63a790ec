"""From a fitted calibrator to a folder that others load, compared on the way; then to the hub."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from bertflow_core.calibrators.catalog import plain_name
from bertflow_core.errors import BertFlowError, InputError, check_type
from bertflow_core.experiment import Lab
from bertflow_core.export.card import CardFacts, model_card
from bertflow_core.export.check import Agreement
from bertflow_core.export.checked import Comparison, Options, write_checked
from bertflow_core.export.judged import judged
from bertflow_core.export.subject import Subject, saved_subject
from bertflow_core.files import PATHS, filled_folder
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.hub import HubPlace

__all__ = ["Exported", "check_export_folder", "export_model", "export_subject"]


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes:
        folder: Where.
        agreement: How far its vectors are from ours.
        n_bytes: Its size.
        url: Where it is on the hub; None where it was not sent.
    """

    folder: Path
    agreement: Agreement
    n_bytes: int
    url: str | None = None


def check_export_folder(folder: Path) -> None:
    """Refuse a folder that holds anything.

    Raises:
        InputError: It exists and is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{quoted(folder)} exists and is not empty: choose a new folder name")


def export_model(
    calibrator: Path | str,
    folder: Path | str,
    lab: Lab | None = None,
    *,
    normalize: bool = False,
    push_to_hub: str | None = None,
    private: bool = False,
    progress: Progress = silent,
) -> Exported:
    """Write encoder and calibrator as a model of sentence-transformers, and compare its vectors.

    Args:
        calibrator: Folder of a saved calibrator with its recipe.
        folder: New folder to write.
        lab: Where the encoder runs; None takes `Lab()`.
        normalize: Whether vectors get length 1.
        push_to_hub: `owner/name` of a new model on the hub that the folder is sent to, once its
            vectors were found to be ours; None sends nothing.
        private: Whether only its owners see that model.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: A calibrator that its modules cannot say or that holds no recipe, or a folder
            whose vectors would not be ours, and nothing is written then; or no right to write to
            the hub.
        ResourceError: The disk, the network or the hub failed.

    Example:
        >>> from bertflow_core import export_model
        >>> done = export_model("calibrator", "model", normalize=True)  # doctest: +SKIP
    """
    for name, path in (("calibrator", calibrator), ("folder", folder)):
        check_type(path, PATHS, name, "a folder's path")
    check_type(lab, (Lab, NoneType), "lab", "a Lab, or None")
    folder = Path(folder)
    check_export_folder(folder)
    subject = saved_subject(calibrator, lab or Lab())
    options = Options(normalize)
    if push_to_hub is None:
        return export_subject(subject, folder, options, progress=progress)
    from bertflow_core.hub import HubPlace, check_place  # late: the hub's client is slow to import

    place = HubPlace(push_to_hub, private)
    check_place(place, progress=progress)
    done = export_subject(subject, folder, options, place=place, progress=progress)
    return Exported(folder, done.agreement, done.n_bytes, _pushed(folder, place, progress))


def export_subject(
    subject: Subject,
    folder: Path,
    options: Options,
    *,
    place: "HubPlace | None" = None,
    progress: Progress = silent,
) -> Exported:
    """Write a fitted calibrator with its encoder as a new folder; nothing is sent.

    Args:
        subject: What to export.
        folder: New folder to write.
        options: How.
        place: Where it will be on the hub, for its card.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: As `export_model`.
        ResourceError: As `export_model`.
    """
    check_export_folder(folder)
    with filled_folder(folder) as new:
        compared = write_checked(subject, new, options, progress=progress)
        facts = _facts(subject, compared, options, place, progress)
        (new / "README.md").write_text(model_card(facts), encoding="utf-8")
        n_bytes = sum(file.stat().st_size for file in new.rglob("*") if file.is_file())
    return Exported(folder, compared.agreement, n_bytes)


def _facts(
    subject: Subject,
    compared: Comparison,
    options: Options,
    place: "HubPlace | None",
    progress: Progress,
) -> CardFacts:
    licences = (source.licence for source in subject.corpus.sources)
    return CardFacts(
        recipe=subject.recipe,
        model=subject.encoder().model,
        plain=plain_name(subject.recipe.calibrator),
        corpus=subject.corpus.description,
        corpus_licences=tuple(dict.fromkeys(licences)),
        n_out=compared.expected.shape[1],
        notes=subject.calibrator.notes_,
        agreement=compared.agreement,
        judged=judged(subject.recipe, subject.lab, subject.calibrator, progress=progress),
        options=options,
        name=place.name if place else None,
        commands=_commands(subject, options),
    )


def _commands(subject: Subject, options: Options) -> tuple[str, str]:
    """Return what fits the calibrator again, and what exports it."""
    fit = subject.recipe.without("split", "aggregation").to_command(
        command="bertflow-lab fit", options=[("--out", subject.folder)]
    )
    words = ["bertflow-lab", "export", subject.folder, "--out", "NEW_FOLDER", *options.words()]
    return fit, shlex.join(words)


def _pushed(folder: Path, place: "HubPlace", progress: Progress) -> str:
    """Send a folder to the hub; where that fails, say that it is there all the same."""
    from bertflow_core.hub import push_folder

    try:
        return push_folder(folder, place, progress=progress)
    except BertFlowError as error:
        words = ["hf", "upload", place.name, str(folder), *["--private"] * place.private]
        raise type(error)(
            f"{error}; the model is in {quoted(folder)}, and `{shlex.join(words)}` sends it"
        ) from error
