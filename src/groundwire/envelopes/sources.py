"""Which files a user means: files, folders, glob patterns, ``-`` for stdin, fsspec URLs."""

from __future__ import annotations

import glob
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from groundwire.envelopes.compression import BUFFER_BYTES
from groundwire.errors import EnvelopeError, MissingExtraError

Source = str | os.PathLike[str]
STDIN = "-"


def expand_sources(sources: Source | Iterable[Source]) -> list[str]:
    """Return every file that ``sources`` name, sorted and without repeats.

    A folder stands for the files below it (hidden ones and audit folders left out), a pattern for what it
    matches; ``-`` (stdin), URLs (``s3://…``) and an audit folder are passed on. Raises EnvelopeError where
    nothing is there.

    >>> expand_sources("-")
    ['-']
    """
    given = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    if not given:
        raise EnvelopeError(
            "no source", expected="at least one file, folder or pattern", mend="Name the traces to read."
        )
    found: dict[tuple[object, ...], str] = {}
    for source in given:
        try:
            for path in _expand(os.fspath(source)):
                found.setdefault(_identity(path), path)
        except OSError as cause:
            raise _unopened(cause.filename or os.fspath(source), cause) from cause
    return sorted(found.values())


@contextmanager
def open_source(path: str) -> Iterator[io.BufferedReader]:
    """Open one expanded source for reading bytes. Raises EnvelopeError when that fails."""
    stream = _open(path)
    try:
        yield stream
    finally:
        if path != STDIN:
            stream.close()


def _open(path: str) -> io.BufferedReader[Any]:
    try:
        if path == STDIN:
            if sys.stdin is None:
                raise ValueError("a closed stdin")
            return io.BufferedReader(_Unclosed(sys.stdin.buffer), BUFFER_BYTES)
        if is_url(path):
            return io.BufferedReader(_fsspec().open(path, "rb").open(), BUFFER_BYTES)
        return io.BufferedReader(io.FileIO(path), BUFFER_BYTES)
    except (OSError, ValueError) as cause:
        raise _unopened(path, cause) from cause


def _unopened(path: str, cause: OSError | ValueError) -> EnvelopeError:
    reason = getattr(cause, "strerror", None) or str(cause)
    return EnvelopeError("can not be opened", where=path, got=reason, mend=_MEND_OPEN)


class _Unclosed(io.RawIOBase):
    """Reads from a stream that stays open when this is closed."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        read = getattr(self._stream, "read1", self._stream.read)
        chunk: bytes = read(len(target))
        target[: len(chunk)] = chunk
        return len(chunk)


def is_audit_folder(path: Source) -> bool:
    """Tell whether ``path`` is an audit folder, by what lies in it."""
    if is_url(os.fspath(path)):
        return False
    folder = Path(path)
    try:
        return (folder / "manifests").is_dir() and any(folder.glob("records*.jsonl"))
    except PermissionError:
        return False


def is_url(path: str) -> bool:
    """Tell whether ``path`` is a URL for fsspec rather than a local path.

    >>> is_url("s3://bucket/traces.jsonl"), is_url("C:/traces.jsonl")
    (True, False)
    """
    return "://" in path


_MEND_OPEN = "Check that the file exists and that you may read it."


def _expand(path: str) -> list[str]:
    if path == STDIN or is_url(path):
        return _expand_url(path)
    if is_audit_folder(path):
        return [path]
    if Path(path).is_dir():
        return _files_below(path)
    if Path(path).exists():
        return [path]
    if glob.has_magic(path):
        return _matches(path)
    raise EnvelopeError(
        "no such file or folder", where=path, expected="a file, a folder or a pattern", mend=_hint(path)
    )


def _files_below(folder: str) -> list[str]:
    files = sorted(_walk(folder))
    if not files:
        raise EnvelopeError(
            "the folder holds no files",
            where=folder,
            expected="trace files, for example OTLP/JSON lines that a Collector's file exporter wrote",
            mend="Name the folder that the exporter writes to.",
        )
    return files


def _walk(folder: str) -> Iterator[str]:
    for base, folders, names in os.walk(folder, onerror=_refuse, followlinks=True):
        folders[:] = sorted(name for name in folders if _is_wanted(base, name))
        for name in names:
            path = Path(base, name)
            if not name.startswith(".") and path.is_file():
                yield str(path)


def _refuse(cause: OSError) -> None:
    """A folder that can not be listed may hold answers: none is left out in silence."""
    raise cause


def _is_wanted(base: str, name: str) -> bool:
    return not name.startswith(".") and not is_audit_folder(Path(base, name))


def _matches(pattern: str) -> list[str]:
    hits = glob.glob(pattern, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
    if not hits:
        raise EnvelopeError(
            "the pattern matches nothing",
            where=pattern,
            expected="at least one file",
            mend="Check it with `ls`; quote it so that groundwire sees the pattern itself.",
        )
    return [path for hit in hits for path in ([hit] if Path(hit).is_file() else _walk(hit))]


def _hint(path: str) -> str:
    parent = Path(path).parent
    if not parent.is_dir():
        return f"The folder {parent} does not exist either; check the path."
    return f"Look with `ls {parent}`; the path is relative to {Path.cwd()}."


def _identity(path: str) -> tuple[object, ...]:
    if path == STDIN or is_url(path):
        return (path,)
    status = Path(path).stat()
    return (status.st_dev, status.st_ino)


def _expand_url(path: str) -> list[str]:
    if path == STDIN or not glob.has_magic(path):
        return [path]
    fsspec = _fsspec()
    return [str(file.full_name) for file in fsspec.open_files(path, "rb")]


def _fsspec() -> Any:
    try:
        import fsspec
    except ImportError as missing:
        raise MissingExtraError.of("offload", module="fsspec") from missing
    return fsspec
