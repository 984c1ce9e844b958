"""The chunks of a stream, put together to one result."""

from __future__ import annotations

from typing import Any

from groundwire.shapes.access import items_of, text_of
from groundwire.shapes.results import read_any


def join_chunks(chunks: Any) -> dict[str, Any]:
    """Return what a list of chunks says together, under the names of RagRecord's fields.

    >>> join_chunks(["Ada ", "wrote it."])
    {'answer': 'Ada wrote it.'}
    """
    try:
        return _join(items_of(chunks) or ())
    except Exception:  # noqa: BLE001 - reading never raises into the caller
        return {}


def _join(chunks: Any) -> dict[str, Any]:
    result: dict[str, Any] = {}
    texts: list[str] = []
    for chunk in chunks:
        text = text_of(chunk)
        read = {} if text is not None else read_any(chunk, 1)
        text = read.pop("answer", None) if text is None else text
        if text is not None:
            texts.append(text)
        result.update(read)
    if texts:
        result["answer"] = "".join(texts)
    return result
