"""What every joiner of a stream needs: its interface, and content blocks that come in pieces."""

from __future__ import annotations

from typing import Any

from groundwire.shapes.access import Fields, get, items_of, text_of, whole_of

Result = dict[str, Any]


class Joiner:
    """Collects the chunks of one kind of stream; ``take`` says whether the chunk was one of them."""

    def take(self, fields: Fields) -> bool:
        """Take in one chunk; False when it is none of this kind."""
        raise NotImplementedError

    def result(self) -> Result:
        """Return what the chunks say together."""
        raise NotImplementedError


def merge_known(into: Fields, fields: Fields, but: tuple[str, ...] = ()) -> None:
    """Copy the fields that are known; later ones win, an unknown or empty one never erases."""
    for name, stored in dict.items(fields):
        if stored is not None and not (type(stored) is str and not stored) and name not in but:
            into[name] = stored


class Blocks:
    """Content blocks by their place; pieces of text and citations come in one by one."""

    def __init__(self) -> None:
        self.blocks: dict[tuple[int, int], Fields] = {}
        self.texts: dict[tuple[int, int], list[str]] = {}
        self.cited: dict[tuple[int, int], list[Any]] = {}

    def start(self, place: tuple[int, int], block: Fields) -> None:
        """Open a block with what it starts with."""
        self.blocks[place] = dict(dict.items(block))
        self.texts[place] = []

    def add_text(self, place: tuple[int, int], text: str | None) -> None:
        """Append a piece of text to a block, which is opened when it was not."""
        self.blocks.setdefault(place, {"type": "text"})
        self.texts.setdefault(place, []).append(text or "")

    def add_citation(self, place: tuple[int, int], name: str, citation: Any) -> None:
        """Append a citation to a block's list ``name``."""
        block = self.blocks.setdefault(place, {"type": "text"})
        if place not in self.cited:
            self.cited[place] = block[name] = list(items_of(get(block, name)) or ())
        self.cited[place].append(citation)

    def joined(self) -> list[Fields]:
        """Return the blocks in the order of their places."""
        whole = []
        for place in sorted(self.blocks):
            block = self.blocks[place]
            texts = self.texts.get(place)
            if texts:
                block = {**block, "text": (text_of(get(block, "text")) or "") + "".join(texts)}
            whole.append(block)
        return whole


def number_in(fields: Fields, name: str) -> int:
    """Return the index in a field, which is left out when it is 0."""
    return whole_of(get(fields, name)) or 0
