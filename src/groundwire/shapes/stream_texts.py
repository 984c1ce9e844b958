"""The commonest stream: pieces of text, and nothing else."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

EVENT_STARTS: Final = ("data:", "event:", ": ", "id:", "retry:")
"""How a server-sent event in text form begins."""
_NO_PROSE: Final = (*EVENT_STARTS, '{"')


def read_texts(chunks: Any) -> str | None:
    """Return the text of chunks that are plain texts; None where one is not, or the first is an event.

    >>> read_texts(["Ada ", "wrote it."])
    'Ada wrote it.'
    >>> read_texts(["Ada", {"usage": {}}]) is read_texts(["data: Ada"]) is read_texts([]) is None
    True
    """
    if (type(chunks) is not list and type(chunks) is not tuple) or not chunks:
        return None
    try:
        text = "".join(chunks)
    except TypeError:
        return None
    if str.startswith(chunks[0], _NO_PROSE):
        return None
    return chunks[-1] if _is_growing(chunks) else text


def joined_text(texts: list[str]) -> str:
    """Join the pieces; of pieces that each repeat all before them (as chat front ends want) take the last."""
    return texts[-1] if _is_growing(texts) else "".join(texts)


def _is_growing(texts: Any) -> bool:
    if len(texts) < 4 or not str.startswith(last := texts[-1], texts[-2]):
        return False
    length = str.__len__
    if length(last) < max(8, length(texts[0]) + 3):
        return False
    return all(str.startswith(after, before) for before, after in pairwise(texts))
