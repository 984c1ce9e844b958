"""``*_ref`` attributes → the text of the file they name, from allowed folders only.

A trace is untrusted input: a reference is resolved only when the real path of its file (symlinks and ``..``
followed) lies under one of the base folders that the user allowed. Stores give their files unique names, so
a file that was moved (or copied from a bucket) is found by its name alone, directly in a base folder. Nothing
is ever fetched over a network.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from groundwire.dialects.values import as_text

MAX_REF_BYTES = 64 * 1024 * 1024


class RefFiles:
    """Reads referenced files under ``bases``: folders, or ``URL=folder`` pairs.

    The pair says where a copy of a bucket lies: ``s3://bucket/prompts=/data/prompts`` resolves
    ``s3://bucket/prompts/a.json`` to ``/data/prompts/a.json``. Without bases nothing is resolved.

    >>> RefFiles([]).read("file:///etc/hostname") is None
    True
    """

    __slots__ = ("_folders", "_mapped")

    def __init__(self, bases: Sequence[str] = ()) -> None:
        self._folders: list[str] = []
        self._mapped: list[tuple[str, str]] = []
        for base in bases:
            url, found, folder = base.rpartition("=") if "://" in base else ("", "", base)
            local = folder if found or "://" not in base else _file_url_path(base)
            if local is None:
                continue
            self._folders.append(os.path.realpath(local))
            if url:
                self._mapped.append((url.rstrip("/") + "/", self._folders[-1]))

    def read(self, reference: object) -> str | None:
        """Return the file's text, or None: not allowed, not there, not a file, too large, not UTF-8."""
        text = as_text(reference)
        if not text or not self._folders or "\0" in text or len(text) > 4096:
            return None
        for candidate in self._candidates(text):
            path = os.path.realpath(candidate)
            if any(_is_under(path, folder) for folder in self._folders):
                content = _read_file(path)
                if content is not None:
                    return content
        return None

    def _candidates(self, reference: str) -> list[str]:
        for url, folder in self._mapped:
            if reference.startswith(url):
                return [str(Path(folder) / reference[len(url) :])]
        moved = [str(Path(folder) / PurePosixPath(reference).name) for folder in self._folders]
        if "://" in reference:
            local = _file_url_path(reference)
            return [local, *moved] if local is not None else moved
        if PurePosixPath(reference).is_absolute():
            return [reference, *moved]
        return [str(Path(folder) / reference) for folder in self._folders] + moved


NO_REFS = RefFiles()
"""Resolves nothing."""


def _file_url_path(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    return path if "\0" not in path else None


def _is_under(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _read_file(path: str) -> str | None:
    try:
        if not Path(path).is_file() or Path(path).stat().st_size > MAX_REF_BYTES:
            return None
        return Path(path).read_bytes().decode("utf-8")
    except (OSError, ValueError):
        return None
