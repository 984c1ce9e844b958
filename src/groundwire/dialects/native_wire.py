"""The JSON values on a native span (``instrumentation/WIRE.md``): structs and their decoders."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from groundwire.record import Citation, Cost, Expected, RetrievedContext

T = TypeVar("T")


class _Part(Struct, gc=False):
    content: str
    type: str = "text"


class _Message(Struct, gc=False):
    role: str
    parts: tuple[_Part]
    question: bool = True


class _Document(Struct, gc=False):
    id: str | None = None
    content: str | None = None
    score: float | None = None
    uri: str | None = None
    title: str | None = None
    metadata: dict[str, Any] = {}
    length: int | None = None
    digest: str | None = None
    truncated: bool = False
    access: str | None = None


class _Change(Struct, gc=False):
    field: str
    change: str


class _Digest(Struct, gc=False):
    truncated: bool = False


decode_messages = msgspec.json.Decoder(list[_Message]).decode
decode_documents = msgspec.json.Decoder(list[_Document]).decode
decode_citations = msgspec.json.Decoder(tuple[Citation, ...]).decode
decode_cost = msgspec.json.Decoder(Cost).decode
decode_expected = msgspec.json.Decoder(Expected).decode
decode_changes = msgspec.json.Decoder(list[_Change]).decode
decode_digests = msgspec.json.Decoder(dict[str, _Digest]).decode
decode_texts = msgspec.json.Decoder(dict[str, str]).decode
decode_object = msgspec.json.Decoder(dict[str, Any]).decode


def as_contexts(documents: list[_Document]) -> tuple[RetrievedContext, ...]:
    """Return the documents of the wire as contexts."""
    return tuple(
        [
            RetrievedContext(
                id=document.id,
                text=document.content,
                score=document.score,
                uri=document.uri,
                title=document.title,
                metadata=document.metadata,
                length=document.length,
                digest=document.digest,
                truncated=document.truncated,
                access=document.access,
            )
            for document in documents
        ]
    )


def decode_wire(decode: Any, value: Any) -> Any:
    """Return the decoded value; None where it does not have the wire's form."""
    if not isinstance(value, str):
        return None
    try:
        return decode(value if value.isascii() else value.encode())  # else a text keeps its UTF-8 form
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def convert_each(value: Any, target: type[T]) -> tuple[T, ...]:
    """Convert what fits, one item at a time."""
    found = []
    for item in value if isinstance(value, list) else ():
        try:
            found.append(msgspec.convert(item, target))
        except (msgspec.ValidationError, TypeError):
            continue
    return tuple(found)
